import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { childOf, handoffText, inPhase, type Chain, type Handoff } from './chain.ts';
import { childrenOf, childWithId, statusOf, type ChildObservation } from './child-run.ts';
import { TWIN } from './drive.ts';
import { toldIn } from './judge-path.ts';
import { listed } from './path.ts';
import type { Seen } from './row.ts';
import { CANCELLED, COMPLETED, FAILED, HARVESTED } from './transition.ts';
import type { Recorded } from '../../src/runner/scenario.ts';

/** Whether a handoff's child completed: its log and its snapshot say so, or only one of them speaks. */
function childCompleted(handoff: Handoff, chain: Chain, children: readonly Recorded<ChildObservation>[]): boolean {
  const child = childWithId(children, childOf(handoff, chain));
  const status = child === undefined ? undefined : statusOf(child);
  if (status !== undefined) return status === 'completed';
  const otherwise = [FAILED, CANCELLED].some((phase) => inPhase(handoff, phase).length > 0);
  return inPhase(handoff, COMPLETED).length > 0 && !otherwise;
}

/** rfc-0037 §B: a completed child whose outputs are mapped is harvested, once. */
export function judgeHarvest(check: string, seen: Seen, role: string): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const children = childrenOf(seen, role);
  const evidence = [run, ...children];
  const completed = chain.handoffs.filter((handoff) => childCompleted(handoff, chain, children));
  if (completed.length === 0) return undecided(check, `no event or snapshot tells that the child completed`, evidence);
  for (const handoff of completed) {
    const seenHere = inPhase(handoff, HARVESTED);
    if (seenHere.length === 1) continue;
    const expected = `one ${HARVESTED} in ${handoffText(handoff)}: its child completed, its outputMapping is not empty`;
    return failing(check, { expected, actual: listed(handoff.transitions) }, evidence);
  }
  return passing(check, evidence);
}

/** rfc-0037 §B: a completed child whose outputs are not mapped is not harvested. */
export function judgeUnmapped(check: string, seen: Seen, role: string): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const children = childrenOf(seen, role);
  const harvested = chain.handoffs.flatMap((handoff) => inPhase(handoff, HARVESTED));
  if (harvested.length > 0) {
    const expected = `no ${HARVESTED} in ${named(run)}: its outputMapping is empty`;
    return failing(check, { expected, actual: listed(harvested) }, [run]);
  }
  const twin = harvestingTwin(check, seen);
  if ('verdict' in twin) return twin;
  const evidence = [run, twin.run, ...children];
  if (chain.handoffs.some((handoff) => childCompleted(handoff, chain, children))) return passing(check, evidence);
  return undecided(check, `nothing tells that the child of ${named(run)} completed`, evidence);
}

/** The run beside a run that must not be harvested: it has to be, or the first one's silence says nothing. */
export function harvestingTwin(check: string, seen: Seen): Exclude<ReturnType<typeof toldIn>, Judgement> | Judgement {
  const twin = toldIn(check, seen, TWIN);
  if ('verdict' in twin || twin.chain.handoffs.some((handoff) => inPhase(handoff, HARVESTED).length > 0)) return twin;
  return undecided(check, `nor is a completed child harvested, in ${named(twin.run)}`, [twin.run]);
}
