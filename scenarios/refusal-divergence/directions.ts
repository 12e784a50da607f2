import { belowVersionFour, phase4 } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Outcome, pass, rests } from '../../src/contract/outcome.ts';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { Everything, Need } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { OF_A_REPLAY } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { failureOf, settle } from '../shared/settle.ts';
import { driveBothWays, type Plan, refusedFirst } from './drive.ts';
import { judgeCached, judgeCachedRefusal } from './judge-cached.ts';
import { judgeDistinct, judgePrecedes, judgeRaised, judgeRedacted } from './judge-event.ts';
import { judgeLocates, judgePayload } from './judge-payload.ts';
import { judgeSubstitution } from './judge-substitution.ts';
import { judgeUntouched } from './judge-untouched.ts';
import {
  contractOf,
  type Direction,
  endsRefused,
  errorCodesOf,
  kindsOf,
  meet,
  type Met,
  noEvent,
  overReplays,
  overSources,
  RAISED,
  REFUSAL_CODE,
  rowOf,
  runOn,
  shows,
  showsRefusal,
} from './met.ts';
import { always, MODELS_ALONE, plantedSecret, refusalAnswer, validAnswer } from './model.ts';
import { type Situation, situationsOf, type StepName, undecidedOn } from './observation.ts';
import { wrong } from './diagnoses.ts';

/** What the scenarios of this suite have in common. */
export const PHASE_4_REPLAY = {
  suite: 'refusal-divergence',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }, { kind: 'witness' }] satisfies readonly Need[],
  exclusive: MODELS_ALONE,
} as const;

type SituationsCheck = JudgedCheck<readonly Situation[]>;

/** The row about the place that the event names. */
const PLACE = 'locates-the-call';

/** The rows that are judged of a replay of a replay as well. */
const OF_LATER: ReadonlySet<string> = new Set([
  'no-silent-substitution',
  'payload',
  'locates-the-call',
  'distinct-event',
]);

/** The checks that both directions have. */
function checksOf(direction: Direction): readonly SituationsCheck[] {
  const over = (row: string, title: string, judge: (met: Met, seed: number) => Outcome): SituationsCheck => ({
    id: rowOf(row, direction),
    title,
    judge: (situations, { options, everything }) => {
      const judgeOne = (met: Met): Outcome => judge(met, options.seed);
      const outcome = overReplays(situations, direction, judgeOne);
      if (outcome.kind === 'fail') return outcome;
      const later = situations.map((situation) => {
        const met = OF_LATER.has(row) ? meetLater(situation, direction) : undefined;
        return met === undefined || isOutcome(met) ? undefined : laterFailure(met, row, judgeOne);
      });
      const others = [...later, failureOfKinds(everything, direction, judgeOne)];
      return failureOf([outcome, ...others.filter((each) => each !== undefined)]) ?? outcome;
    },
  });
  return [
    over(
      'no-silent-substitution',
      'Nothing goes on with the other envelope: no node runs after the divergence, no state carries it',
      judgeSubstitution,
    ),
    over('payload', 'The event names the source, the place and both kinds of envelope', judgePayload),
    over('locates-the-call', 'What the event says about the place leads to the call that diverged', judgeLocates),
    over(
      'distinct-event',
      'There is exactly one replay.divergedAtRefusal, and no replay.diverged for the node',
      judgeDistinct,
    ),
    over('precedes-failure', 'The event stands before the end of the run', judgePrecedes),
    over('reason-redacted', "The replay does not hand on a secret of the provider's refusal text", (met, seed) =>
      judgeRedacted(met, plantedSecret({ seed })),
    ),
    { id: rowOf('source-untouched', direction), title: 'The source run is what it was', judge: judgeUntouched },
  ];
}

/** What nodes of other kinds do otherwise than a row asks, where they say that they diverged: whether they do, their own row tells. */
function failureOfKinds(
  everything: Everything,
  direction: Direction,
  judge: (met: Met) => Outcome,
): Outcome | undefined {
  const recorded = everything.filter(({ scenario }) => scenario === kindsOf(direction));
  const outcome = overReplays(situationsOf(recorded), direction, (met) => {
    const raised = judgeRaised(met);
    const isMisnamed = raised.kind === 'rests' && raised.on === rowOf('distinct-event', direction);
    const judged = raised.kind === 'pass' || isMisnamed ? judge(met) : noEvent(met);
    // What was written before the call differs as such.
    return judged.kind === 'rests' && !judged.on.startsWith('refusal.') ? noEvent(met) : judged;
  });
  return failureOf([outcome]);
}

export const TO_REFUSAL: Direction = { original: 'valid', replay: 'refusal' };

/** RFC 0041 §B: the source had a valid envelope, and the model now refuses. */
export const validToRefusal = defineScenario({
  ...PHASE_4_REPLAY,
  id: 'refusal.valid-to-refusal',
  foundation: true,
  title: 'A replay whose model refuses what it answered before says so and fails',
  drive: (probe, options) =>
    driveBothWays(probe, {
      first: [validAnswer(true), refusalAnswer(options), validAnswer(false), validAnswer(false)],
      steps: [
        { name: 'cached' },
        { name: 'fresh' },
        { name: 'same', answers: always(validAnswer(true)) },
        { name: 'other', answers: always(validAnswer(false)) },
        { name: 'changed', answers: always(refusalAnswer(options)) },
        { name: 'changed-from-call', answers: always(refusalAnswer(options)) },
        { name: 'changed-of-replay', answers: always(refusalAnswer(options)) },
        { name: 'control', answers: always(refusalAnswer(options)) },
      ],
    }),
  see: situationsOf,
  checks: [
    {
      id: 'refusal.valid-to-refusal',
      title: 'The event is emitted and the replay fails with replay_diverged_at_refusal',
      judge: (situations) => overGenerations(situations, TO_REFUSAL, judgeRaised),
    },
    {
      id: 'refusal.cached-response-wins',
      title: 'A recorded response is used, whatever the model would say now',
      judge: (situations, { options }) => judgeCached(situations, options.volatile),
    },
    ...checksOf(TO_REFUSAL),
    {
      id: 'refusal.no-false-alarm.valid-to-valid',
      title: 'Another valid envelope raises no alarm',
      judge: (situations) => judgeFalseAlarm(situations, TO_REFUSAL, ['same', 'other']),
    },
  ],
});

/** What replays of the source say, and one of its replay with nothing changed. */
function overGenerations(
  situations: readonly Situation[],
  direction: Direction,
  judge: (met: Met) => Outcome,
): Outcome {
  const later = situations.flatMap((situation) => judgeLaterGeneration(situation, direction, judge));
  return settle([overReplays(situations, direction, judge), ...later]);
}

/** A replay of a replay; undefined where that one is not like its source, which other rows say, or is not what it was to be. */
function meetLater(situation: Situation, direction: Direction): Met | Outcome | undefined {
  const [first, source] = [situation.run('source'), situation.run('cached')];
  if (first === undefined || source === undefined || situation.run('changed-of-replay') === undefined) return undefined;
  if (![first, source].every((run) => shows(run, direction.original, situation.facts.nodeId))) return undefined;
  // One that has diverged itself had no envelope of its source's kind, whatever its code says.
  if (alarmIn(source) !== undefined) return undefined;
  return meet({ situation, source, direction }, 'changed-of-replay');
}

/**
 * What such a replay says otherwise than it has to; what could not be seen of it the row about the contract says. Its call stands in two
 * logs before its own, of its source and of that one's source: which of them a place leads to is not said.
 */
function laterFailure(met: Met, row: string, judge: (met: Met) => Outcome): Outcome | undefined {
  const outcome = judge(met);
  const first = met.situation.run('source');
  if (row === PLACE && first !== undefined && judge({ ...met, source: first }).kind === 'pass') return undefined;
  return outcome.kind === 'fail' ? rests(OF_A_REPLAY, outcome) : outcome;
}

function judgeLaterGeneration(
  situation: Situation,
  direction: Direction,
  judge: (met: Met) => Outcome,
): readonly Outcome[] {
  const met = meetLater(situation, direction);
  if (met === undefined) return [];
  if (isOutcome(met)) return [met];
  const outcome = judge(met);
  // What replays of replays do otherwise in any case is no business of refusals.
  const failure = outcome.kind === 'rests' ? outcome.otherwise : outcome;
  return [failure.kind === 'fail' ? rests(OF_A_REPLAY, failure) : outcome];
}

export const TO_VALID: Direction = { original: 'refusal', replay: 'valid' };

/** RFC 0041 §B, the inverse case: the source was refused, and the model now answers. */
export const refusalToValid = defineScenario({
  ...PHASE_4_REPLAY,
  id: 'refusal.refusal-to-valid',
  foundation: true,
  title: 'A replay whose model answers what it refused before says so and fails',
  drive: (probe, options) =>
    driveBothWays(probe, {
      first: always(refusalAnswer(options)),
      counted: {
        answers: [refusalAnswer(options), validAnswer(false), validAnswer(true), validAnswer(true)],
        serves: endsRefused,
      },
      steps: [
        { name: 'cached' },
        { name: 'fresh' },
        { name: 'same', answers: always(refusalAnswer(options)) },
        { name: 'changed', answers: always(validAnswer(true)) },
        { name: 'changed-from-call', answers: always(validAnswer(true)) },
        { name: 'changed-of-replay', answers: always(validAnswer(true)) },
        { name: 'control', answers: always(validAnswer(true)) },
      ],
    }),
  see: situationsOf,
  checks: [
    {
      id: 'refusal.refusal-to-valid',
      title: 'The event is emitted and the replay fails with replay_diverged_at_refusal',
      judge: (situations) => {
        const outcome = overGenerations(situations, TO_VALID, judgeRaised);
        // A code of the host's own is one mistake in both directions.
        const isMiscoded = outcome.kind === 'fail' && outcome.diagnosis?.code === 'other-error-code';
        return isMiscoded ? rests(contractOf(TO_REFUSAL), outcome) : outcome;
      },
    },
    {
      id: 'refusal.cached-refusal',
      title: 'A recorded refusal is used, and nobody is asked',
      judge: judgeCachedRefusal,
    },
    ...checksOf(TO_VALID),
    {
      id: 'refusal.no-false-alarm.refusal-to-refusal',
      title: 'Another refusal raises no alarm',
      judge: (situations) => judgeFalseAlarm(situations, TO_VALID, ['same']),
    },
  ],
});

/** 0041, Compatibility: hosts below version 4 go on unchanged. Silence counts where the replay really met the other kind of envelope. */
function judgeSilence({ situation, direction, replay, raised, evidence }: Met): Outcome {
  const [event] = raised;
  if (event !== undefined) {
    const actual = `one at sequence ${event.sequence} of ${named(replay)}`;
    return fail(
      { diagnosis: wrong('raised-below-four'), expected: `no ${RAISED} from a host below version 4`, actual },
      evidence,
    );
  }
  const { asked, nodeId } = situation.facts;
  const showsOther = direction.replay === 'valid' ? shows(replay, 'valid', nodeId) : showsRefusal(replay, nodeId);
  if ((asked['changed'] ?? 0) > 0 || showsOther) return pass(evidence);
  return undecidedOn(situation, `the ${replay.role} does not show that its model was called`, evidence);
}

/** Whether a situation is one of a source that was refused, where a scenario has those of both. */
function wereRefused({ facts }: Situation): boolean {
  return facts.way.startsWith('refused-');
}

/** The replays of a source, and of a replay of it, whose model gives other answers. */
function changedTo(answers: readonly ChatAnswer[]): Plan['steps'] {
  const changed = ['changed', 'changed-from-call', 'changed-of-replay'] as const;
  return [{ name: 'cached' }, ...changed.map((name) => ({ name, answers }))];
}

/** The event belongs to version 4. */
export const notBelowVersionFour = defineScenario({
  ...PHASE_4_REPLAY,
  id: 'refusal.not-below-version-four',
  title: 'A host below version 4 does not emit replay.divergedAtRefusal',
  gate: belowVersionFour,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'not-applicable' }, { kind: 'witness' }],
  // One after the other: both stage the same nodes.
  drive: async (probe, options) => {
    const [valid, refused] = [always(validAnswer(true)), always(refusalAnswer(options))];
    const answered = await driveBothWays(probe, { first: valid, steps: changedTo(refused) });
    const plan = { first: refused, steps: changedTo(valid) };
    return [...answered, ...(await driveBothWays(probe, plan, refusedFirst))];
  },
  see: situationsOf,
  checks: [
    {
      id: 'refusal.not-below-version-four',
      title: 'No replay.divergedAtRefusal where the replay meets a refusal, or an answer after one',
      judge: (situations) => {
        const answered = situations.filter((each) => !wereRefused(each));
        const refused = situations.filter(wereRefused);
        return settle([
          overGenerations(answered, TO_REFUSAL, judgeSilence),
          ...(refused.length === 0 ? [] : [overGenerations(refused, TO_VALID, judgeSilence)]),
        ]);
      },
    },
  ],
});

/** 0041 §B: an answer of the source's kind raises nothing, on a host that raises it where the kinds differ. */
function judgeFalseAlarm(situations: readonly Situation[], direction: Direction, steps: readonly StepName[]): Outcome {
  return overSources(situations, direction.original, (situation, source) => {
    const silent = silentControl(meet({ situation, source, direction }, 'changed'));
    return silent === undefined ? steps.map((step) => judgeStep(situation, step)) : [silent];
  });
}

/** Without a replay that raised the alarm, silence says nothing. An alarm that was raised wrongly counts. */
function silentControl(control: Met | Outcome): Outcome | undefined {
  if (isOutcome(control)) return isFailure(control) ? undefined : control;
  if (control.raised.length > 0) return undefined;
  const why = `the host raises no ${RAISED} where the kinds differ, so its silence says nothing`;
  return undecidedOn(control.situation, why, control.evidence);
}

function isFailure(outcome: Outcome): boolean {
  return outcome.kind === 'fail' || (outcome.kind === 'rests' && outcome.otherwise.kind === 'fail');
}

function judgeStep(situation: Situation, step: StepName): Outcome {
  const { facts } = situation;
  const replay = runOn(situation, step);
  if (isOutcome(replay)) return replay;
  const evidence = [replay, facts];
  const alarm = alarmIn(replay);
  if (alarm !== undefined) {
    const expected = `no ${RAISED}: both envelopes are of the same kind`;
    return fail(
      { diagnosis: wrong('raised-for-same-kind'), expected, actual: `${alarm} in ${named(replay)}` },
      evidence,
    );
  }
  if (facts.asked[step] === 0) return undecidedOn(situation, `the ${replay.role} did not call the model`, evidence);
  return pass(evidence);
}

/** The event or the code of a divergence at a refusal in a run, and where. */
function alarmIn(run: RecordedRun): string | undefined {
  const raised = eventsOf(run).find(({ type }) => type === RAISED);
  if (raised !== undefined) return `${RAISED} at sequence ${raised.sequence}`;
  const code = errorCodesOf(run).find((each) => each.code === REFUSAL_CODE);
  return code === undefined ? undefined : `${REFUSAL_CODE} (${code.at})`;
}
