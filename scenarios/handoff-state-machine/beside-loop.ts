import { rests, type Fail, type Outcome } from '../../src/contract/outcome.ts';
import { chainOf, type Chain } from './chain.ts';
import type { HandoffRun } from './handoff-run.ts';
import { OWNERS } from './owners.ts';

/**
 * What a judge says of a run. Where it fails, what is dispatched behind the decision to terminate is set aside: if that was
 * all, it rests on the row about the loop.
 */
export function besideLoop(recorded: HandoffRun, judge: (observed: HandoffRun) => Outcome): Outcome {
  const outcome = judge(recorded);
  const failure = failureIn(outcome);
  const chain = untilTerminate(recorded.chain);
  if (failure === undefined || chain === undefined) return outcome;
  const before = judge({ ...recorded, chain });
  if (before.kind === 'pass') return rests(OWNERS.loop, failure);
  return failureIn(before) === undefined ? outcome : before;
}

function failureIn(outcome: Outcome): Fail | undefined {
  const said = outcome.kind === 'rests' ? outcome.otherwise : outcome;
  return said.kind === 'fail' ? said : undefined;
}

/** A chain up to the first dispatch behind its decision to terminate; undefined where there is none. */
function untilTerminate({ events, decisions, transitions }: Chain): Chain | undefined {
  const end = decisions.find(({ kind }) => kind === 'terminate')?.event.sequence ?? Infinity;
  const dispatch = transitions.find(({ event, phase }) => event.sequence > end && phase.startsWith('dispatch.'));
  const from = dispatch?.event.sequence;
  return from === undefined ? undefined : chainOf(events.filter(({ sequence }) => sequence < from));
}
