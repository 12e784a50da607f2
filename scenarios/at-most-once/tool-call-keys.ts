import { canonicalJson } from '../../src/cache-key/index.ts';
import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { callsOf } from '../shared/witnessed-run.ts';
import { CHARGE, type FixtureTool } from './fixtures.ts';
import { diagnoseIdempotencyKey, idempotencyKey, type KeyParts } from './idempotency-key.ts';
import { invocationEvents, type InvocationEvent } from './invocation-events.ts';
import { type AdvertisedObservation, type ArgsObservation, HELD } from './tool-call-seen.ts';

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
  const keyless = judgeKeyless(observations, runs);
  if (keyless !== undefined) return keyless;
  for (const { run, args } of pairs) {
    const fault = args === undefined ? undefined : findFault(run, args);
    if (fault?.verdict === 'fail') return { ...fault, ...sharing(fault, runs) };
  }
  const missing = unseen(CHECK, runs);
  if (missing !== undefined) return missing;
  if (runs.length < 2) return undecided(CHECK, 'no runs with different arguments were driven', runs);
  const unknown = pairs.map(({ run, args }) => {
    return args === undefined
      ? undecided(CHECK, `no arguments were recorded of ${named(run)}`, [run])
      : findFault(run, args);
  });
  const note = `${runs.length} runs, each with other arguments${adviceOf(observations)}`;
  return unknown.find((each) => each !== undefined) ?? passing(CHECK, runs, note);
}

/** The formula that a host advertises whose events are to hold a key by it. */
const FORMULA = 'sha256-nul-jcs';

const KEYLESS = {
  code: 'no-idempotency-key',
  message: 'the events of a tool call hold no idempotency_key, which §4.1 puts into their payload',
};

/** A host that advertises the formula, shows the events of a call, and shows its key in none of them. */
function judgeKeyless(observations: readonly Recorded<Observation>[], runs: readonly SeenRun[]): Judgement | undefined {
  const advertised = observations.find((each): each is Recorded<AdvertisedObservation> => each.type === 'advertised');
  if (advertised?.idempotencyKey !== FORMULA) return undefined;
  const told = runs
    .map((run) => ({ run, steps: stepsOf(run, CHARGE).filter(({ step }) => step !== 'committed') }))
    .filter(({ steps }) => steps.length > 0);
  const [first] = told;
  if (first === undefined || told.some(({ steps }) => steps.some(({ event }) => hasKey(event)))) {
    return undefined;
  }
  const { run, steps } = first;
  const expected = `idempotency_key in the payload of each, as the host advertises idempotencyKey ${FORMULA}`;
  const shown = steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
  const actual = `${shown} of ${named(run)} without one, and so in ${told.length} runs`;
  return failing(CHECK, { expected, actual, diagnosis: KEYLESS }, [run, advertised]);
}

/** Whether an event has a member, at whatever depth, that is named for a key: then it is not that none was given. */
function hasKey({ raw }: RunEvent): boolean {
  return /"[^"]*idempoten[^"]*":/iu.test(JSON.stringify(raw));
}

/** What the tool was handed, where that is not its arguments: no row asks for it (docs/fixtures.md). */
function adviceOf(observations: readonly Recorded<Observation>[]): string {
  const calls = callsOf(observations, HELD);
  const [call] = calls?.calls ?? [];
  const args = observations.find(
    (each): each is Recorded<ArgsObservation> =>
      each.type === 'args' && (each as Recorded<ArgsObservation>).of === HELD,
  );
  const body = member(call, 'body');
  if (call === undefined || typeof args?.request !== 'string') return '';
  const [sent, wanted] = [canonicalJson(JSON.stringify(body ?? null)), canonicalJson(args.request)];
  if (!sent.ok || !wanted.ok || sent.text === wanted.text) return '';
  return `; advice: the tool is called with ${sent.text} and not with its arguments ${wanted.text}`;
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
