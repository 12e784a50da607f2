import { provableSemantics } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';
import { ONCE } from './cell.ts';
import { CHARGE } from './fixtures.ts';
import { diagnoseIdempotencyKey, idempotencyKey } from './idempotency-key.ts';
import { attemptsOf, keysOf, partsOf, stepsOf } from './tool-call-keys.ts';

const CHECK = 'once.idempotency-key.replay';
const ARGS = '{"to":"account 7","amount":10,"memo":{"z":1,"a":[]}}';

type Seen = RunObservation | CallsObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const inputs = { witnessUrl: visit.url, toolArgs: JSON.parse(ARGS) as unknown };
  const source = await startRun(probe, { workflowId: ONCE, inputs }, { role: 'source' });
  const sourceCalls = callsAfter('source', visit);
  const first = eventsOf(source)[0]?.sequence;
  const body = { mode: 'replay', ...(first === undefined ? {} : { fromSeq: first }) } as const;
  const replay = await startFork(probe, source, body, { role: 'full replay' });
  return [source, sourceCalls, replay, callsAfter('full replay', visit)];
}

const CALLED = { code: 'second-call', message: 'a replay called the tool again (sem §1)' };
const OTHER = {
  code: 'unknown-key',
  message: 'neither the key of the source nor one over the run of the replay (sem §4.1)',
};

function judge(observations: readonly Recorded<Seen>[]): Judgement {
  const [source, replay] = ['source', 'full replay'].map((role) => runOf(observations, role));
  const [before, after] = ['source', 'full replay'].map((role) => callsOf(observations, role));
  if (source === undefined || replay === undefined || before === undefined || after === undefined) {
    return undecided(CHECK, 'no run was driven', []);
  }
  const evidence = [replay, after, source, before];
  const missing = unseen(CHECK, [source]);
  if (missing !== undefined) return missing;
  if (before.calls.length === 0) return undecided(CHECK, notCalled(before), evidence);
  if (after.calls.length > before.calls.length) {
    const expected = `no call beside the ${before.calls.length} of ${named(source)}`;
    const actual = `${after.calls.length - before.calls.length} more after ${named(replay)}`;
    return failing(CHECK, { expected, actual, diagnosis: CALLED }, evidence);
  }
  const unseenReplay = unseen(CHECK, [replay]);
  if (unseenReplay !== undefined) return unseenReplay;
  const [recorded] = keysOf(stepsOf(source, CHARGE));
  const steps = stepsOf(replay, CHARGE);
  const keys = keysOf(steps);
  if (recorded === undefined || keys.length === 0) {
    const run = recorded === undefined ? source : replay;
    return undecided(
      CHECK,
      `the log of ${named(run)} shows no key: give idempotency_key in tool_invocation_started`,
      evidence,
    );
  }
  const parts = partsOf(steps, CHARGE, { runId: replay.runId ?? '', args: ARGS });
  const own = idempotencyKey(parts);
  const wrong = keys.find((key) => key !== recorded && key !== own);
  if (wrong === undefined && keys.length === 1) {
    return passing(
      CHECK,
      evidence,
      `the key of ${keys[0] === recorded ? named(source) : 'the run of the replay itself'}`,
    );
  }
  const expected = `${recorded} as in ${named(source)}, or ${own ?? 'none'} over the run of the replay`;
  const diagnosis =
    (wrong === undefined ? undefined : diagnoseIdempotencyKey(wrong, parts, attemptsOf(steps))) ?? OTHER;
  return failing(CHECK, { expected, actual: `${keys.join(', ')} in ${named(replay)}`, diagnosis }, evidence);
}

/** sem §4.1: the same step has the same key in every replay. */
export const toolCallReplay = defineJudgedScenario<Seen>({
  id: CHECK,
  suite: 'at-most-once',
  title: 'The key of a tool call that is replayed',
  checks: [
    {
      id: CHECK,
      requirement: 'once.idempotency-key',
      title: 'A replay has the recorded key, or the one over its own run, and calls nobody',
    },
  ],
  gate: provableSemantics,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'not-applicable' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId: ONCE },
  ],
  exclusive: [],
  drive,
  judge: (observations) => [judge(observations)],
});
