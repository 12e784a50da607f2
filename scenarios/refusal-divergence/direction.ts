import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Check, Need, Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { plantedSecret } from './answers.ts';
import { judgeDistinct } from './distinct.ts';
import { judgeLocates } from './locates.ts';
import { overReplays, type Direction, type Met } from './met.ts';
import { MODELS_ALONE } from './model.ts';
import type { RefusalObservation } from './observation.ts';
import { settle, type Outcome } from './outcome.ts';
import { judgePayload } from './payload.ts';
import { judgePrecedes } from './precedes.ts';
import { judgeRedacted } from './redacted.ts';
import { judgeSubstitution } from './substitution.ts';
import { judgeUntouched } from './untouched.ts';

/** What the scenarios of this suite have in common. */
export const PHASE_4_REPLAY = {
  suite: 'refusal-divergence',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }, { kind: 'witness' }] satisfies readonly Need[],
  exclusive: MODELS_ALONE,
} as const;

const TITLES = {
  'no-silent-substitution':
    'Nothing goes on with the other envelope: no node runs after the divergence, no state carries it',
  payload: 'The event names the source, the place and both kinds of envelope',
  'locates-the-call': 'What the event says about the place leads to the call that diverged',
  'distinct-event': 'There is exactly one replay.divergedAtRefusal, and no replay.diverged for the node',
  'precedes-failure': 'The event stands before the end of the run',
  'reason-redacted': "The event does not hand on a secret of the provider's refusal text",
  'source-untouched': 'The source run is what it was',
} as const;

type Row = keyof typeof TITLES;
const ROWS = Object.keys(TITLES) as readonly Row[];

/** The checks of one direction; both directions give the same rows. */
export function checksOf(direction: string): readonly Check[] {
  return ROWS.map((row) => ({ id: `refusal.${row}.${direction}`, requirement: `refusal.${row}`, title: TITLES[row] }));
}

/** The judgements of one direction. */
export function judgeDirection(
  observations: readonly Recorded<RefusalObservation>[],
  options: ScenarioOptions,
  { name, direction }: { readonly name: string; readonly direction: Direction },
): readonly Judgement[] {
  const over = (judge: (met: Met) => Outcome): readonly Outcome[] => overReplays(observations, direction, judge);
  const outcomes: Readonly<Record<Row, () => readonly Outcome[]>> = {
    'no-silent-substitution': () => over(judgeSubstitution),
    payload: () => over(judgePayload),
    'locates-the-call': () => over(judgeLocates),
    'distinct-event': () => over(judgeDistinct),
    'precedes-failure': () => over(judgePrecedes),
    'reason-redacted': () => over((met) => judgeRedacted(met, plantedSecret(options))),
    'source-untouched': () => judgeUntouched(observations),
  };
  return ROWS.map((row) => settle(`refusal.${row}.${name}`, outcomes[row]()));
}
