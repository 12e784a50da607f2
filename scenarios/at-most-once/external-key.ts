import { member } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';
import { FIRST, type FixtureTool, SECOND, TWICE } from './fixtures.ts';
import { attemptsOf, stepsOf } from './tool-call-keys.ts';

const CHECK = 'once.external-key';

type Seen = RunObservation | CallsObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const { witness } = probe;
  if (witness === undefined) return [];
  const runs = await Promise.all(
    ['run', 'other run'].map(async (role) => {
      const visit = witness.visit();
      const run = await startRun(probe, { workflowId: TWICE, inputs: { witnessUrl: visit.url } }, { role });
      return [run, callsAfter(role, visit)];
    }),
  );
  return runs.flat();
}

/** What the calls of a tool carried downstream: the values of their Idempotency-Key headers, null where there was none. */
export function externalKeys(
  { calls }: Pick<CallsObservation, 'calls'>,
  { effect }: FixtureTool,
): readonly (string | null)[] {
  return calls.flatMap((call) => {
    if (member(call, 'kind') !== 'effect' || member(call, 'name') !== effect) return [];
    const key = member(call, 'idempotencyKey');
    return [typeof key === 'string' ? key : null];
  });
}

/** The attempt of a key `aetheris:run:step:attempt`; undefined where it is not one of this run and step. */
export function attemptOf(key: string | null, runId: string | null, { nodeId }: FixtureTool): string | undefined {
  const prefix = `aetheris:${runId ?? ''}:${nodeId}:`;
  return key?.startsWith(prefix) === true && key.length > prefix.length ? key.slice(prefix.length) : undefined;
}

const ABSENT = { code: 'no-external-key', message: 'the call carries no Idempotency-Key (sem §4.2)' };
const INTERNAL = {
  code: 'internal-key-sent',
  message: 'the call carries the key of the ledger, which knows no attempt (sem §4.2)',
};
const FORM = { code: 'other-form', message: 'the key is not aetheris:job:step:attempt (sem §4.2)' };
const UNSTABLE = { code: 'attempt-not-stable', message: 'the attempt changes within one claim of the run (sem §4.2)' };

/** What is wrong with a key, by itself. */
function faultOf(key: string | null): Diagnosis {
  if (key === null) return ABSENT;
  return /^(?:sha256:)?[\da-f]{64}$/iu.test(key) ? INTERNAL : FORM;
}

function judge(observations: readonly Recorded<Seen>[]): Judgement {
  const runs = runsOf(observations);
  const found = runs.map((run) => judgeRun(run, callsOf(observations, run.role)));
  const decisive = found.find(({ verdict }) => verdict === 'fail') ?? found.find(({ verdict }) => verdict !== 'pass');
  if (decisive !== undefined) return decisive;
  const evidence = found.flatMap((each) => each.evidence);
  if (runs.length < 2) return undecided(CHECK, 'no two runs were driven', runs);
  const reason = found.find((each) => each.reason !== undefined)?.reason;
  return { ...passing(CHECK, [], reason), evidence };
}

function judgeRun(run: SeenRun, calls: Recorded<CallsObservation> | undefined): Judgement {
  const missing = unseen(CHECK, [run]);
  if (missing !== undefined || calls === undefined) return missing ?? undecided(CHECK, 'no calls were counted', [run]);
  const evidence = [calls, run];
  const attempts: string[] = [];
  for (const tool of [FIRST, SECOND]) {
    const keys = externalKeys(calls, tool);
    if (keys.length === 0)
      return undecided(CHECK, calls.calls.length === 0 ? notCalled(calls) : notReached(tool, run), evidence);
    for (const key of keys) {
      const attempt = attemptOf(key, run.runId, tool);
      if (attempt === undefined) {
        const expected = `aetheris:${run.runId ?? ''}:${tool.nodeId}:<attempt> in Idempotency-Key of the call of ${tool.nodeId}`;
        return failing(CHECK, { expected, actual: shownKey(key), diagnosis: faultOf(key) }, evidence);
      }
      attempts.push(attempt);
    }
  }
  return judgeAttempts(run, attempts, evidence);
}

function notReached({ nodeId }: FixtureTool, run: SeenRun): string {
  return `${named(run)} did not call the tool of ${nodeId}`;
}

/** A key in words. */
export function shownKey(key: Json): string {
  return typeof key === 'string' ? key : 'no such header';
}

/** One claim carries an uncut run out; a host that claims each step anew has to show it. */
function judgeAttempts(
  run: SeenRun,
  attempts: readonly string[],
  evidence: readonly { readonly id: string }[],
): Judgement {
  if (new Set(attempts).size === 1) return passing(CHECK, evidence);
  const claims = [FIRST, SECOND].map((tool) => attemptsOf(stepsOf(run, tool)));
  const actual = `attempts ${attempts.join(', ')} in ${named(run)}, which nothing interrupted`;
  if (claims.some((each) => each.length === 0)) {
    return undecided(
      CHECK,
      `${actual}: give attempt_id in tool_invocation_started, if each step is claimed anew`,
      evidence,
    );
  }
  const known = new Set(claims.flat());
  if (known.size > 1 && attempts.every((attempt) => known.has(attempt))) {
    return passing(CHECK, evidence, 'the host claims each step anew');
  }
  const expected = `one attempt, or the attempt_id of each tool_invocation_started (${[...known].join(', ')})`;
  return failing(CHECK, { expected, actual, diagnosis: UNSTABLE }, evidence);
}

/** sem §4.2, on runs that nothing happens to. */
export const externalKey = defineJudgedScenario<Seen>({
  id: CHECK,
  suite: 'at-most-once',
  title: 'The key that a tool is called with',
  checks: [
    {
      id: CHECK,
      requirement: CHECK,
      title: 'Each call carries aetheris:job:step:attempt, with one attempt for a run that nothing interrupts',
    },
  ],
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: TWICE }],
  exclusive: [],
  drive,
  judge: (observations) => [judge(observations)],
});
