import { canonicalJson } from '../../src/cache-key/index.ts';
import { member } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { named } from '../shared/compare-runs.ts';
import { leftWithout, type SeenRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { failureOf, openOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE } from './fixtures.ts';
import { diagnoseIdempotencyKey, idempotencyKey } from './idempotency-key.ts';
import { attemptsOf, type InvocationEvent, keysOf, partsOf, stepsOf } from './invocation-events.ts';
import { type ArguedRun, HELD, type SeenToolCall } from './tool-call-seen.ts';

/** Judges once.idempotency-key: each run's key against the formula. */
export function judgeIdempotencyKeys(seen: SeenToolCall): Outcome {
  const runs = seen.runs.map(({ run }) => run);
  const found = seen.runs.map((each) => judgeKey(each, runs));
  const left = judgeKeyless(seen) ?? failureOf(found) ?? leftWithout(runs);
  if (left !== undefined) return left;
  if (runs.length < 2) return undecided('no runs with different arguments were driven', runs);
  return openOf(found) ?? pass(runs, `${runs.length} runs, each with other arguments${adviceOf(seen)}`);
}

/** The formula that a host advertises whose events are to hold a key by it. */
const FORMULA = 'sha256-nul-jcs';

/** A host that advertises the formula, shows the events of a call, and shows its key in none of them. */
function judgeKeyless({ runs, advertised }: SeenToolCall): Outcome | undefined {
  if (advertised?.idempotencyKey !== FORMULA) return undefined;
  const showing = runs
    .map(({ run }) => ({ run, steps: stepsOf(run, CHARGE).filter(({ step }) => step !== 'committed') }))
    .filter(({ steps }) => steps.length > 0);
  const [first] = showing;
  if (first === undefined || showing.some(({ steps }) => steps.some(({ event }) => hasKey(event)))) return undefined;
  const { run, steps } = first;
  const expected = `idempotency_key in the payload of each, as the host advertises idempotencyKey ${FORMULA}`;
  const shown = steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
  const actual = `${shown} of ${named(run)} without one, and so in ${showing.length} runs`;
  return fail({ expected, actual, diagnosis: wrong('no-idempotency-key') }, [run, advertised]);
}

/** Whether an event has a member, at whatever depth, that is named for a key: then it is not that none was given. */
function hasKey({ raw }: RunEvent): boolean {
  return /"[^"]*idempoten[^"]*":/iu.test(JSON.stringify(raw));
}

/** What the tool was handed, where that is not its arguments: no row asks for it (docs/fixtures.md). */
function adviceOf({ runs, held }: SeenToolCall): string {
  const [call] = held.calls?.calls ?? [];
  const request = runs.find(({ run }) => run.role === HELD)?.args?.request;
  if (call === undefined || typeof request !== 'string') return '';
  const [sent, wanted] = [canonicalJson(JSON.stringify(member(call, 'body') ?? null)), canonicalJson(request)];
  if (!sent.ok || !wanted.ok || sent.text === wanted.text) return '';
  return `; advice: the tool is called with ${sent.text} and not with its arguments ${wanted.text}`;
}

/** Judges the key of one run; one without a known mistake may be one that several of `runs` have. */
function judgeKey({ run, args }: ArguedRun, runs: readonly SeenRun[]): Outcome {
  const left = leftWithout([run]);
  if (left !== undefined) return left;
  if (args === undefined) return undecided(`no arguments were recorded of ${named(run)}`, [run]);
  const evidence = [run, args];
  const steps = stepsOf(run, CHARGE);
  const [key, ...others] = keysOf(steps);
  if (key === undefined) return undecided(noKeyIn(run), evidence);
  const parts = partsOf(steps, CHARGE, { runId: run.runId ?? '', args: args.request });
  const right = idempotencyKey(parts);
  const what = `${run.role}: SHA-256 of ${parts.runId} NUL ${parts.nodeId} NUL ${parts.toolName} NUL canonical arguments`;
  const mismatch = { expected: `${what}: ${right ?? 'none'}`, actual: [key, ...others].join(', ') };
  if (others.length > 0) return fail({ ...mismatch, diagnosis: wrong('key-changes') }, evidence);
  if (key === right) return pass(evidence);
  const diagnosis = diagnoseIdempotencyKey(key, parts, attemptsOf(steps));
  if (diagnosis !== undefined) return fail({ ...mismatch, diagnosis }, evidence);
  const shown = shownArguments(steps);
  if (shown !== undefined && key === idempotencyKey({ ...parts, args: shown })) {
    const reason = `the key is that of the arguments that ${named(run)} shows, not of its input toolArgs: hand that to the tool`;
    return undecided(reason, evidence);
  }
  const sharers = runs.filter((each) => keysOf(stepsOf(each, CHARGE)).includes(key));
  if (sharers.length > 1) return fail({ ...mismatch, diagnosis: wrong('key-shared-between-runs') }, sharers);
  return fail({ ...mismatch, diagnosis: wrong('unknown-key') }, evidence);
}

/** Why nothing is known of a run's key. */
export function noKeyIn(run: RunObservation): string {
  return `the log of ${named(run)} shows no key: give idempotency_key in the payload of tool_invocation_started`;
}

/** The arguments of a start in canonical form. */
function shownArguments(steps: readonly InvocationEvent[]): string | undefined {
  const start = steps.find(({ step, args }) => step === 'started' && args !== undefined);
  const canonical = start === undefined ? undefined : canonicalJson(JSON.stringify(start.args));
  return canonical?.ok === true ? canonical.text : undefined;
}
