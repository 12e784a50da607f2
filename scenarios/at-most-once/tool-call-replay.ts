import { provableSemantics } from '../../src/contract/gates.ts';
import { type Evidence, fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { leftWithout, need, type RecordedRun, runOf } from '../shared/need.ts';
import { replayOf, replays } from '../shared/replays.ts';
import type { Recordings } from '../shared/of-type.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';
import { callNamesIn, kept, partsOf } from './call-names.ts';
import { externalKeys } from './external-key.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { idempotencyKey, isKeyOf, mistakeIn } from './idempotency-key.ts';
import { noKeyIn } from './tool-call-judges.ts';
import { attemptsOf, keysOf, stepsOf } from './invocation-events.ts';

const ARGS = '{"to":"account 7","amount":10,"memo":{"z":1,"a":[]}}';

async function drive(probe: Probe): Promise<readonly (RunObservation | CallsObservation)[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const inputs = { witnessUrl: visit.url, toolArgs: JSON.parse(ARGS) as unknown };
  const source = await startRun(probe, { workflowId: ONCE, inputs }, { role: 'source' });
  const sourceCalls = callsAfter('source', visit);
  const first = eventsOf(source)[0]?.sequence;
  const replay = await replayOf(probe, source, first, { role: 'full replay' });
  return [source, sourceCalls, replay, callsAfter('full replay', visit)];
}

/** The row about tools outside the host that a replay calls. */
const SECOND_CALL = 'replay.no-second-external-call';

function judge(recorded: Recordings): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const replay = runOf(recorded, 'full replay');
  const [before, after] = ['source', 'full replay'].map((role) => callsOf(recorded, role));
  if (replay === undefined || before === undefined || after === undefined) {
    return undecided('the run was not replayed', [source]);
  }
  const evidence = [replay, after, source, before];
  // Who asks whether the world agrees before a result is injected calls the witness, too (sem §5).
  const [made, known] = [after, before].map((calls) => externalKeys(calls, CHARGE).length) as [number, number];
  if (known === 0) return undecided(notCalled(before), evidence);
  const second = made > known ? secondCall(made - known, { source, replay, evidence }) : undefined;
  const left = leftWithout([replay]);
  if (left !== undefined) return second ?? left;
  const recordedKeys = keysOf(stepsOf(source, CHARGE));
  const [recordedKey] = recordedKeys;
  const steps = stepsOf(replay, CHARGE);
  const [key, ...others] = keysOf(steps);
  if (recordedKey === undefined || key === undefined) {
    return second ?? undecided(noKeyIn(recordedKey === undefined ? source : replay), evidence);
  }
  const own = callNamesIn(replay, CHARGE);
  const { nodeIds } = kept(own, callNamesIn(source, CHARGE));
  const parts = partsOf(steps, CHARGE, { names: { ...own, nodeIds }, args: ARGS });
  const other = [key, ...others].find((each) => each !== recordedKey && !isKeyOf(each, parts));
  // A second call may have a key of its own: that there is one is said elsewhere.
  if (other === undefined && second !== undefined) return second;
  if (other === undefined && others.length === 0) {
    return pass(evidence, `the key of ${key === recordedKey ? named(source) : 'the run of the replay itself'}`);
  }
  const expected = `${recordedKey} as in ${named(source)}, or ${idempotencyKey(parts[0]) ?? 'none'} over the run of the replay`;
  const actual = `${[key, ...others].join(', ')} in ${named(replay)}`;
  // A source whose events name several keys is that row's.
  const isAsRecorded = recordedKeys.length > 1 && [key, ...others].every((each) => recordedKeys.includes(each));
  const restsOn = isAsRecorded ? 'once.idempotency-key' : undefined;
  return fail({ expected, actual, diagnosis: mistakeIn(other, parts, attemptsOf(steps)), restsOn }, evidence);
}

/** Calls that a replay made itself. */
function secondCall(
  more: number,
  {
    source,
    replay,
    evidence,
  }: { readonly source: RecordedRun; readonly replay: RecordedRun; readonly evidence: Evidence },
): Outcome {
  const expected = `no call of ${CHARGE.toolName} beside that of ${named(source)}`;
  const actual = `${more} more after ${named(replay)}`;
  return fail({ expected, actual, diagnosis: sharedCause('second-call'), restsOn: SECOND_CALL }, evidence);
}

/** sem §4.1: the same step has the same key in every replay. */
export const toolCallReplay = defineScenario({
  id: 'once.idempotency-key.replay',
  suite: 'at-most-once',
  title: 'The key of a tool call that is replayed',
  gate: provableSemantics,
  needs: [replays, { kind: 'witness' }, { kind: 'fixture', workflowId: ONCE }],
  drive,
  checks: [
    {
      id: 'once.idempotency-key.replay',
      title: 'A replay has the recorded key, or the one over its own run, and calls nobody',
      judge,
    },
  ],
});
