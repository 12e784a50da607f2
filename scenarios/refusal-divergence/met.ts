import { member } from '../../src/contract/discovery.ts';
import { isOutcome, type Outcome, rests } from '../../src/contract/outcome.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { codeInEvent, codeInSnapshot, nodeOf } from '../shared/read-event.ts';
import { leftWithout, type RecordedRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import type { EnvelopeKind } from './model.ts';
import { outputOf, textMember } from './node-in-log.ts';
import { hangingOn, on, type Situation, type StepName, undecidedOn } from './observation.ts';

/** The event that says that a replay met the other kind of envelope (0041 §B). */
export const RAISED = 'replay.divergedAtRefusal';
/** The code with which such a replay fails. */
export const REFUSAL_CODE = 'replay_diverged_at_refusal';

/** Which kind of envelope the source had and which one the replay's model gives. */
export interface Direction {
  readonly original: EnvelopeKind;
  readonly replay: EnvelopeKind;
}

/** The check of a row in one direction. */
export function rowOf(row: string, { original, replay }: Direction): string {
  return `refusal.${row}.${original}-to-${replay}`;
}

/** The check of the contract itself, in one direction: the event, and the code. */
export function contractOf({ original, replay }: Direction): string {
  return `refusal.${original}-to-${replay}`;
}

/** The check of the same of nodes that call a model otherwise than for a structured output. */
export function kindsOf(direction: Direction): string {
  return `${contractOf(direction)}.kinds`;
}

/** A replay whose model was called and gave the other kind of envelope, beside its source. */
export interface Met {
  readonly situation: Situation;
  readonly direction: Direction;
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
  /** The replay's events, in the order of the log. */
  readonly events: readonly RunEvent[];
  /** Those of type replay.divergedAtRefusal. */
  readonly raised: readonly RunEvent[];
  readonly evidence: readonly string[];
}

const CHANGED: readonly StepName[] = ['changed', 'changed-from-call'];

/** What all replays with the other kind of envelope say about a check. */
export function overReplays(
  situations: readonly Situation[],
  direction: Direction,
  judge: (met: Met) => Outcome,
): Outcome {
  return overSources(situations, direction.original, (situation, source) =>
    CHANGED.map((step) => {
      const met = meet({ situation, source, direction }, step);
      return isOutcome(met) ? met : judge(met);
    }),
  );
}

/** What all ways say about a check whose sources show the kind of envelope that they must have been given. */
export function overSources(
  situations: readonly Situation[],
  kind: EnvelopeKind,
  judge: (situation: Situation, source: RecordedRun) => readonly Outcome[],
): Outcome {
  return settle(
    situations.flatMap((situation) => {
      const source = sourceOf(situation, kind);
      return isOutcome(source) ? [source] : judge(situation, source);
    }),
  );
}

function sourceOf(situation: Situation, kind: EnvelopeKind): RecordedRun | Outcome {
  const { facts } = situation;
  const source = runOn(situation, 'source');
  if (isOutcome(source)) return source;
  if (facts.asked['source'] === 0) {
    const why = `the source ended as ${statusOf(source) ?? 'unknown'} without a call of inputs.witnessUrl`;
    return undecidedOn(situation, notVisited(why), [facts, source]);
  }
  if (shows(source, kind, facts.nodeId)) return source;
  const why = `the source does not show the ${kind} envelope that its model was given${howToShow(kind)}`;
  return undecidedOn(situation, why, [facts, source]);
}

/** The run of a step, seen to its end, or the outcome that is left. */
export function runOn(situation: Situation, step: StepName): RecordedRun | Outcome {
  const { facts, run } = situation;
  const found = run(step);
  if (found !== undefined) {
    const left = leftWithout([found]);
    return left === undefined ? found : on(situation, left);
  }
  const isFromCall = step === 'changed-from-call';
  const why = isFromCall
    ? `the source shows no start of ${facts.nodeId}, from which to replay`
    : `no ${step} run was driven`;
  const open = undecidedOn(situation, facts.problem ?? why);
  const hanging = facts.problem === null ? undefined : hangingOn(situation);
  const left = hanging && leftWithout([hanging]);
  return left?.kind === 'rests' ? rests(left.on, open) : open;
}

/** A replay that met the other kind, or the outcome that is left. */
export function meet(known: Pick<Met, 'situation' | 'source' | 'direction'>, step: StepName): Met | Outcome {
  const { situation, source, direction } = known;
  const { facts } = situation;
  const replay = runOn(situation, step);
  if (isOutcome(replay)) return replay;
  const events = eventsOf(replay);
  const raised = events.filter(({ type }) => type === RAISED);
  const evidence = [replay.id, source.id, facts.id];
  if (facts.asked[step] === 0 && raised.length === 0) {
    const hint = facts.forgot.includes(step) ? 'although its recorded response was purged' : 'expose llm-cache/purge';
    const why = `the replay ended as ${statusOf(replay) ?? 'unknown'} without calling the model: ${hint}`;
    return undecidedOn(situation, why, evidence);
  }
  if (raised.length === 0 && !servedInControl(situation, direction.replay)) {
    const kind = direction.replay;
    const why = `a new run does not show the ${kind} envelope that its model was given either${howToShow(kind)}`;
    return undecidedOn(situation, why, evidence);
  }
  return { ...known, replay, events, raised, evidence };
}

/** Whether a new run shows what the mock model was staged to answer; without one, nothing speaks against it. */
function servedInControl({ facts, run }: Situation, kind: EnvelopeKind): boolean {
  const control = run('control');
  return control === undefined || control.problem !== null || shows(control, kind, facts.nodeId);
}

function howToShow(kind: EnvelopeKind): string {
  return kind === 'refusal'
    ? ': give envelope.refusal, fail with a code that says so, or put out an envelope of kind refusal'
    : '';
}

/** Whether a run shows the kind of envelope that its model was to give. */
export function shows(run: RecordedRun, kind: EnvelopeKind, nodeId: string): boolean {
  if (kind === 'valid') return statusOf(run) === 'completed' && !saysRefused(run, nodeId);
  return saysRefused(run, nodeId) && !endsValid(run, nodeId);
}

/** Whether a run shows a refusal, and its node did not get a valid envelope all the same, by asking again. */
export function endsRefused(run: RunObservation, nodeId: string): boolean {
  return showsRefusal(run, nodeId) && !endsValid(run, nodeId);
}

/** Whether a run completed, and its node put out one of the valid answers that are staged. */
function endsValid(run: RunObservation, nodeId: string): boolean {
  const output = outputOf(run, nodeId);
  const isValid = [true, false].some((value) => saysValid(output, value));
  return statusOf(run) === 'completed' && isValid && !isRefusedEnvelope(output);
}

/** Whether an output holds this valid answer, as JSON or as a text of it. */
export function saysValid(output: unknown, value: boolean): boolean {
  const text = JSON.stringify(output ?? null).replaceAll('\\', '');
  return new RegExp(`"valid":\\s*${value}`, 'u').test(text);
}

/** The status that a run's terminal event stands for, or its snapshot's where the log has no end. */
export function statusOf(run: RunObservation): string | undefined {
  return endOf(eventsOf(run)) ?? textMember(run.snapshot, 'status');
}

/** The error codes that a failed run shows, and where: a host that shows two must show the same one. */
export function errorCodesOf(run: RecordedRun): readonly { readonly at: string; readonly code: string }[] {
  const failed = eventsOf(run).find(({ type }) => type === 'run.failed');
  const [inSnapshot, inEvent] = [codeInSnapshot(run.snapshot), codeInEvent(failed)];
  return [
    ...(inSnapshot === undefined ? [] : [{ at: 'snapshot /error/code', code: inSnapshot }]),
    ...(inEvent === undefined ? [] : [{ at: `sequence ${failed?.sequence ?? ''}, run.failed`, code: inEvent }]),
  ];
}

/** Whether a run shows that its model refused: it failed, or an event of the node says so. */
export function showsRefusal(run: RunObservation, nodeId: string): boolean {
  if (statusOf(run) === 'failed' || isRefusedEnvelope(outputOf(run, nodeId))) return true;
  return eventsOf(run).some(
    (event) => nodeOf(event) === nodeId && (event.type === 'envelope.refusal' || event.type === 'node.failed'),
  );
}

/** Whether a run says that its model refused, and not just that it failed (readings, What a log holds). */
export function saysRefused(run: RecordedRun, nodeId: string): boolean {
  const own = eventsOf(run).filter((event) => nodeOf(event) === nodeId);
  const codes = [...errorCodesOf(run).map(({ code }) => code), ...own.flatMap((event) => codeInEvent(event) ?? [])];
  if (own.some(({ type }) => type === 'envelope.refusal') || codes.some((code) => REFUSED.test(code))) return true;
  return isRefusedEnvelope(outputOf(run, nodeId));
}

const REFUSED = /refus|safety/iu;

/** Whether what a node put out is an envelope that says by itself that it was refused. */
export function isRefusedEnvelope(output: unknown): boolean {
  const kinds = ['kind', 'type', 'envelopeKind', 'stopReason'].map((name) => textMember(output, name) ?? '');
  return kinds.some((kind) => REFUSED.test(kind)) || Boolean(member(output, 'refusal'));
}

/** A run that is no replay and was refused: the source, or a new run; undefined where none says so. */
export function refusedOriginally({ situation, direction, source }: Met): RecordedRun | undefined {
  const run = direction.original === 'refusal' ? source : situation.run('control');
  return run?.problem === null && saysRefused(run, situation.facts.nodeId) ? run : undefined;
}

/** The outcome of checks that look at the event, where there is none to look at. */
export function noEvent({ situation, replay, evidence }: Met): Outcome {
  return undecidedOn(situation, `the ${replay.role} has no ${RAISED} to look at`, evidence);
}
