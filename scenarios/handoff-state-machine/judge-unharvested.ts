import type { Judgement } from '../../src/contract/verdict.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { childOf, handoffText, inPhase } from './chain.ts';
import { childrenOf, childWithId, statusOf } from './child-run.ts';
import { wrong } from './diagnoses.ts';
import { SHARED } from './fixtures.ts';
import { harvestingTwin } from './judge-harvest.ts';
import { toldIn, type Told } from './judge-path.ts';
import { listed, offPath } from './path.ts';
import type { Seen } from './row.ts';
import { BEGAN, type CANCELLED, COMPLETED, FAILED, HARVESTED, SUCCEEDED } from './transition.ts';
import { valueIn } from './values.ts';

/** How a child ends that is not harvested. */
interface End {
  readonly role: string;
  readonly phase: typeof FAILED | typeof CANCELLED;
}

/** rfc-0037 §B: a child that fails or is cancelled is reported as such, once, and skips the harvest. */
export function judgeUnharvested(check: string, seen: Seen, { role, phase }: End): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const children = childrenOf(seen, role);
  const evidence = [run, ...children];
  const [handoff] = chain.handoffs;
  if (handoff === undefined || inPhase(handoff, BEGAN).length + inPhase(handoff, SUCCEEDED).length === 0) {
    return undecided(check, `${named(run)} has ${listed(chain.transitions)}: it dispatched no child`, evidence);
  }
  const child = childWithId(children, childOf(handoff, chain));
  const status = child === undefined ? undefined : statusOf(child);
  const wanted = phase === FAILED ? 'failed' : 'cancelled';
  if (status !== undefined && status !== wanted) {
    const reason = `the child ${child?.runId ?? ''} of ${handoffText(handoff)} ended ${status}, not ${wanted}`;
    return undecided(check, reason, evidence);
  }
  const written = writtenInVain(told);
  if (written !== undefined) return failing(check, written, evidence);
  const mismatch = offPath(handoff, { phases: [BEGAN, SUCCEEDED, phase], optional: [BEGAN, SUCCEEDED] });
  if (mismatch !== undefined) {
    const isHarvest = inPhase(handoff, HARVESTED).length > 0 && inPhase(handoff, COMPLETED).length === 0;
    return failing(
      check,
      { ...mismatch, ...(isHarvest ? { diagnosis: wrong('harvested-without-completion') } : {}) },
      evidence,
    );
  }
  const twin = harvestingTwin(check, seen);
  return 'verdict' in twin ? twin : passing(check, [...evidence, twin.run]);
}

/** The parent's variable that the child's outputs are mapped to, where it is not what it was. */
export function writtenInVain({ run }: Told): Difference | undefined {
  const value = valueIn(run, SHARED.variable);
  if (value === undefined || value === SHARED.untouched) return undefined;
  return {
    expected: `variable ${SHARED.variable} at the end of ${named(run)}: ${shown(SHARED.untouched)}, as nothing is harvested`,
    actual: shown(value),
    diagnosis: wrong('harvested-without-completion'),
  };
}
