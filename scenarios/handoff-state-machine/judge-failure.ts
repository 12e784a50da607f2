import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { harvestingTwin } from './judge-harvest.ts';
import { toldIn } from './judge-path.ts';
import { writtenInVain } from './judge-unharvested.ts';
import { listed } from './path.ts';
import type { Seen } from './row.ts';
import { BEGAN, DISPATCH_FAILED, FAILURE_EVENT } from './transition.ts';

/** Rfc-0037, Conformance 3: one failure, in either form, and nothing that a created child would give. */
export function judgeFailure(check: string, seen: Seen, role: string): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const { transitions, decisions } = chain;
  if (transitions.length === 0 && decisions.length === 0) {
    return undecided(check, `${named(run)} has no decision and no transition: it did not come to a dispatch`, [run]);
  }
  const failures = transitions.filter(({ phase }) => phase === DISPATCH_FAILED);
  if (failures.length !== 1) {
    const expected = `one phase ${DISPATCH_FAILED}, or one ${FAILURE_EVENT}, in ${named(run)}: its worker does not exist`;
    return failing(check, { expected, actual: `${failures.length}; ${listed(transitions)}` }, [run]);
  }
  const others = transitions.filter(({ event, phase }) => event.type !== FAILURE_EVENT && KNOWN_LATER.has(phase));
  if (others.length > 0) {
    const expected = `no transition but ${BEGAN} beside the failure in ${named(run)}`;
    return failing(check, { expected, actual: listed(others) }, [run]);
  }
  const written = writtenInVain(told);
  if (written !== undefined) return failing(check, written, [run]);
  const twin = harvestingTwin(check, seen);
  return 'verdict' in twin ? twin : passing(check, [run, twin.run]);
}

/** What only a child gives that was created. Phases of the host's own are left to it. */
const KNOWN_LATER: ReadonlySet<string> = new Set([
  'dispatch.succeeded',
  'child.completed',
  'child.failed',
  'child.cancelled',
  'output.harvested',
]);
