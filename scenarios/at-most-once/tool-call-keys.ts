import { canonicalJson } from '../../src/cache-key/index.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { CHARGE, type FixtureTool } from './fixtures.ts';
import { diagnoseIdempotencyKey, idempotencyKey, type KeyParts } from './idempotency-key.ts';
import { invocationEvents, type InvocationEvent } from './invocation-events.ts';
import type { ArgsObservation } from './tool-call-seen.ts';

const CHECK = 'once.idempotency-key';

/** The events of one tool's calls in a run's log. */
export function stepsOf(
  run: Pick<RunObservation, 'events'>,
  { nodeId }: Pick<FixtureTool, 'nodeId'>,
): readonly InvocationEvent[] {
  return invocationEvents(eventsOf(run)).filter((step) => step.nodeId === undefined || step.nodeId === nodeId);
}

/** The keys of events, each once, in their order. */
export function keysOf(steps: readonly InvocationEvent[]): readonly string[] {
  return [...new Set(steps.flatMap(({ key }) => key ?? []))];
}

/** What is known of a call, as its log names it: the fixture's tool may have another name there. */
export function partsOf(
  steps: readonly InvocationEvent[],
  tool: FixtureTool,
  of: Pick<KeyParts, 'runId' | 'args'>,
): KeyParts {
  const toolName = steps.find((step) => step.toolName !== undefined)?.toolName ?? tool.toolName;
  return { ...of, nodeId: tool.nodeId, toolName };
}

/** The attempts that events name. */
export function attemptsOf(steps: readonly InvocationEvent[]): readonly string[] {
  return [...new Set(steps.flatMap(({ attemptId }) => attemptId ?? []))];
}

/** Judges once.idempotency-key: each run's key against the formula. */
export function judgeIdempotencyKeys(observations: readonly Recorded<Observation>[]): Judgement {
  const runs = runsOf(observations);
  const pairs = runs.map((run) => ({ run, args: argsOf(observations, run) }));
  for (const { run, args } of pairs) {
    const fault = args === undefined ? undefined : findFault(run, args);
    if (fault?.verdict === 'fail') return { ...fault, ...sharing(fault, runs) };
  }
  const missing = unseen(CHECK, runs);
  if (missing !== undefined) return missing;
  if (runs.length < 2) return undecided(CHECK, 'no runs with different arguments were driven', runs);
  const unknown = pairs.map(({ run, args }) => (args === undefined ? undefined : findFault(run, args)));
  return (
    unknown.find((each) => each !== undefined) ?? passing(CHECK, runs, `${runs.length} runs, each with other arguments`)
  );
}

function argsOf(
  observations: readonly Recorded<Observation>[],
  { role }: RunObservation,
): Recorded<ArgsObservation> | undefined {
  return observations.find(
    (each): each is Recorded<ArgsObservation> =>
      each.type === 'args' && (each as Recorded<ArgsObservation>).of === role,
  );
}

const CHANGES = { code: 'key-changes', message: 'the events of one call have different keys' };
const SHARED = { code: 'key-shared-between-runs', message: 'calls of different runs have one key' };
const UNKNOWN = { code: 'unknown-key', message: 'no mistake that is known gives this key (sem §4.1)' };

/** What is wrong with the key of one run, or why it cannot be said; undefined where it is right. */
function findFault(run: SeenRun, args: Recorded<ArgsObservation>): Judgement | undefined {
  const evidence = [run, args];
  const steps = stepsOf(run, CHARGE);
  const keys = keysOf(steps);
  const [key] = keys;
  if (run.problem !== null || run.runId === null) return undefined;
  if (key === undefined) {
    const why = `the log of ${named(run)} shows no key: give idempotency_key in the payload of tool_invocation_started`;
    return undecided(CHECK, why, evidence);
  }
  const parts = partsOf(steps, CHARGE, { runId: run.runId, args: args.request });
  const right = idempotencyKey(parts);
  const what = `${run.role}: SHA-256 of ${parts.runId} NUL ${parts.nodeId} NUL ${parts.toolName} NUL canonical arguments`;
  const expected = `${what}: ${right ?? 'none'}`;
  const actual = keys.join(', ');
  if (keys.length > 1) return failing(CHECK, { expected, actual, diagnosis: CHANGES }, evidence);
  if (key === right) return undefined;
  const diagnosis = diagnoseIdempotencyKey(key, parts, attemptsOf(steps)) ?? UNKNOWN;
  const shown = diagnosis === UNKNOWN ? shownArguments(steps) : undefined;
  if (shown !== undefined && key === idempotencyKey({ ...parts, args: shown })) {
    const why = `the key is that of the arguments that ${named(run)} shows, not of its input toolArgs: hand that to the tool`;
    return undecided(CHECK, why, evidence);
  }
  return failing(CHECK, { expected, actual, diagnosis }, evidence);
}

/** The arguments of a start in canonical form. */
function shownArguments(steps: readonly InvocationEvent[]): string | undefined {
  const start = steps.find(({ step, args }) => step === 'started' && args !== undefined);
  const canonical = start === undefined ? undefined : canonicalJson(JSON.stringify(start.args));
  return canonical?.ok === true ? canonical.text : undefined;
}

/** A key without a known mistake may be one that several runs have. */
function sharing(fault: Judgement, runs: readonly SeenRun[]): Partial<Judgement> {
  const { actual, diagnosis } = fault;
  if (diagnosis?.code !== UNKNOWN.code || actual === undefined) return {};
  const sharers = runs.filter((run) => keysOf(stepsOf(run, CHARGE)).includes(actual));
  return sharers.length < 2 ? {} : { diagnosis: SHARED, evidence: sharers.map(({ id }) => id) };
}
