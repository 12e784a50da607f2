import { type Outcome, rests } from '../../src/contract/outcome.ts';
import { OF_A_REPLAY } from '../shared/foundations.ts';
import { failureOf } from '../shared/settle.ts';
import { judgeDistinct, judgePrecedes, judgeRaised, judgeRedacted } from './judge-event.ts';
import { judgeLocates } from './judge-payload.ts';
import { judgeSubstitution, STATES } from './judge-substitution.ts';
import { contractOf, type Met, rowOf } from './met.ts';

/** What is asked of a replay that says that it met the other kind of envelope, by the row that asks it of a run of one call. */
const JUDGES: readonly (readonly [row: string, judge: (met: Met, secret: string) => Outcome])[] = [
  ['no-silent-substitution', judgeSubstitution],
  ['distinct-event', judgeDistinct],
  ['locates-the-call', judgeLocates],
  ['precedes-failure', judgePrecedes],
  ['reason-redacted', judgeRedacted],
];

/**
 * 0041 §B holds for every call of a model, in whichever graph and of whichever node. What a replay does wrong, resting on the check that
 * says so of a run of one structured call; undefined where it does nothing wrong. What was written before the call differs as such.
 */
export function failureAsOfOneCall(met: Met, secret: string): Outcome | undefined {
  const raised = resting(judgeRaised(met), contractOf(met.direction));
  const others = JUDGES.map(([row, judge]) => resting(judge(met, secret), rowOf(row, met.direction)));
  return failureOf([raised, ...others.filter((each) => each.kind !== 'rests' || !OF_STATES.includes(each.on))]);
}

const OF_STATES: readonly string[] = [STATES, OF_A_REPLAY];

/** A failure as one of the check that says so of a run of one call, whichever row of such runs goes before that. */
function resting(outcome: Outcome, on: string): Outcome {
  if (outcome.kind === 'fail') return rests(on, outcome);
  return outcome.kind === 'rests' && outcome.on.startsWith('refusal.') ? rests(on, outcome.otherwise) : outcome;
}
