import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { shareIds } from '../shared/event-ids.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { type Handoff, inPhase } from './chain.ts';
import { linksNowhere, toldIn } from './judge-path.ts';
import { brokenLink } from './links.ts';
import { listed } from './path.ts';
import type { Seen } from './row.ts';
import {
  BEGAN,
  type CANCELLED,
  CHAIN_EVENT,
  DISPATCH_FAILED,
  type FAILED,
  FAILURE_EVENT,
  SUCCEEDED,
} from './transition.ts';

/** How a handoff ends that is not harvested. */
interface End {
  readonly role: string;
  readonly phase: typeof FAILED | typeof CANCELLED | typeof DISPATCH_FAILED;
}

/** rfc-0037 §B: the causation id of the transition that ends a handoff without a harvest. Only that: other rows judge the rest. */
export function judgeEndLink(check: string, seen: Seen, { role, phase }: End): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const ends = chain.transitions.filter((each) => each.phase === phase && each.event.type === CHAIN_EVENT);
  if (ends.length === 0) {
    const isOther = chain.transitions.some(({ event }) => event.type === FAILURE_EVENT);
    if (phase === DISPATCH_FAILED && isOther) return untied(check, run);
    return undecided(check, `${named(run)} has ${listed(chain.transitions)}: no ${phase} to follow back`, [run]);
  }
  const isFirst = chain.handoffs.some((each) => inPhase(each, phase).length > 0 && !isDispatched(each));
  if (phase !== DISPATCH_FAILED && isFirst) {
    return undecided(check, `${named(run)} has nothing before its ${phase}: ${listed(chain.transitions)}`, [run]);
  }
  if (shareIds(chain.events)) return undecided(check, linksNowhere(run), [run]);
  const mismatch = brokenLink(chain, phase);
  return mismatch === undefined ? passing(check, [run]) : failing(check, mismatch, [run]);
}

/** The failure of a dispatch in its other form is no transition, and need not lead anywhere. */
function untied(check: string, run: { readonly id: string }): Judgement {
  const reason = `the host tells the failure as ${FAILURE_EVENT}, which is no transition`;
  return { ...undecided(check, reason, [run]), verdict: 'not-applicable' };
}

function isDispatched(handoff: Handoff): boolean {
  return [BEGAN, SUCCEEDED].some((phase) => inPhase(handoff, phase).length > 0);
}
