import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, type Mismatch, type Outcome, pass } from '../../src/contract/outcome.ts';
import { diffValues, foldEvents, placeOf, writtenValue, type LogState } from '../../src/event-log/index.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { OF_A_REPLAY } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { contractOf, isRefusedEnvelope, type Met, noEvent, saysValid, statusOf } from './met.ts';
import { REFUSAL_WORDS } from './model.ts';
import { startOf } from './node-in-log.ts';
import { CHAIN_EVENT, nodeOf } from '../shared/read-event.ts';
import { OUTPUTS } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** The events that show that a run goes on: a node, the state, or what a node asks of others. */
const PROGRESS: ReadonlySet<string> = new Set([
  'node.started',
  'node.completed',
  'node.dispatched',
  'variable.changed',
  'channel.written',
  'memory.written',
  'interrupt.requested',
  'version.pinned',
  'runOrchestrator.decided',
  CHAIN_EVENT,
]);

/** 0041 §B: nothing goes on with an envelope that is not the source's, neither a node nor the state. */
export function judgeSubstitution(met: Met): Outcome {
  const { events, raised, replay, evidence } = met;
  const { nodeId } = met.situation.facts;
  const failing = (expected: string, actual: string, restsOn?: string): Outcome =>
    fail({ expected, actual, restsOn, diagnosis: wrong('silent-substitution') }, evidence);
  const [event] = raised;
  if (event === undefined) {
    if (statusOf(replay) !== 'completed') return noEvent(met);
    // Whoever notices nothing goes on.
    const expected = `a failed replay: its model gave a ${met.direction.replay} envelope`;
    return failing(expected, `${named(replay)} completed`, contractOf(met.direction));
  }
  const after = events.slice(events.indexOf(event) + 1).find((each) => goesOn(each, met));
  const place = `sequence ${event.sequence} of ${named(replay)}`;
  if (after !== undefined) {
    const node = nodeOf(after) ?? 'unknown';
    return failing(`no node goes on after ${place}`, `${after.type} of node ${node} at sequence ${after.sequence}`);
  }
  const completed = events.find((each) => each.type === 'node.completed' && nodeOf(each) === nodeId);
  if (completed !== undefined) {
    const actual = `node.completed at sequence ${completed.sequence} of ${named(replay)}`;
    return failing(`node ${nodeId} does not complete`, actual);
  }
  const state = wrongState(met);
  const mistake = state?.isOlder === false ? state : (nodeOutput(met) ?? state);
  if (mistake === undefined) return pass(evidence);
  const restsOn = met.source.fork === null ? STATES : OF_A_REPLAY;
  if (mistake.isOlder) return fail({ diagnosis: sharedCause('state-differs'), ...mistake.mismatch, restsOn }, evidence);
  const owner = mistake === state && isOfAnother(met) ? { restsOn } : {};
  return fail({ ...mistake.mismatch, ...owner, diagnosis: wrong('silent-substitution') }, evidence);
}

/**
 * Whether the output that the snapshot of a refused replay shows is an envelope, and not the source's: neither of the two calls gave it, so
 * that forks whose states are one show each other's.
 */
function isOfAnother({ source, replay, direction, situation }: Met): boolean {
  const [ours, theirs] = [source, replay].map(({ snapshot }) =>
    member(member(snapshot, 'variables'), situation.facts.outputVariable),
  );
  const isValid = [true, false].some((each) => saysValid(theirs, each));
  return direction.replay === 'refusal' && isValid && ours !== undefined && !isDeepStrictEqual(ours, theirs);
}

/**
 * Whether an event behind the divergence shows that the run goes on. What a host notes of a failure in state of its own is neither a
 * node that runs nor an envelope.
 */
function goesOn(event: RunEvent, { source, situation }: Met): boolean {
  if (!PROGRESS.has(event.type)) return false;
  const { nodeId, outputVariable } = situation.facts;
  const place = placeOf(event);
  const node = nodeOf(event) ?? nodeId;
  if (place === undefined || place.part === 'status' || node !== nodeId) return true;
  const value = writtenValue(event) ?? null;
  const isOfWorkflow = place.name === outputVariable || namesBeside(source, nodeId, place.part).has(place.name);
  return value !== null && (isOfWorkflow || holdsEnvelope(value));
}

/** The names of variables or of channels that a run's log writes, but for those that the node alone writes which calls the model: it may note more than its output. */
function namesBeside(run: RecordedRun, nodeId: string, part: 'variables' | 'channels'): ReadonlySet<string> {
  const others = eventsOf(run).filter((event) => nodeOf(event) !== nodeId);
  const places = others.flatMap((event) => placeOf(event) ?? []);
  return new Set(places.filter((place) => place.part === part).map(({ name }) => name));
}

/** Whether a value is one of the envelopes that the models give, or holds it. What tells of a failure may quote the model. */
function holdsEnvelope(value: unknown): boolean {
  const tellsOfFailure = ['error', 'code'].some((name) => member(value, name) !== undefined);
  if (tellsOfFailure) return false;
  const texts = typeof value === 'object' && value !== null ? Object.values(value) : [value];
  const isRefused = texts.some((text) => typeof text === 'string' && text.startsWith(REFUSAL_WORDS));
  return isRefused || [true, false].some((each) => saysValid(value, each));
}

/** What was written before the call is no envelope: where it differs, states do as such. */
export const STATES = 'sequence.state-equal';

/** A value in a state that is not the source's, and whether the source had one of that name before the call, by another node. */
interface OtherValue {
  readonly mismatch: Mismatch;
  readonly isOlder: boolean;
}

/**
 * Variables and channels of the workflow hold nothing that the source did not have before the call, and no others hold an envelope.
 * A variable that is null holds nothing.
 */
function wrongState({ source, replay, situation }: Met): OtherValue | undefined {
  const { nodeId, outputVariable } = situation.facts;
  const before = stateBefore(source.events, source.snapshot, startOf(source, nodeId));
  let older: OtherValue | undefined;
  for (const name of ['variables', 'channels'] as const) {
    const now = member(replay.snapshot, name);
    if (!isRecord(now)) continue;
    if (before === undefined) {
      const output = Object.hasOwn(now, outputVariable) ? (now[outputVariable] ?? null) : null;
      if (output === null) continue;
      const actual = `${shown(output)} in the snapshot of ${named(replay)}`;
      return { mismatch: { expected: `/${name}/${outputVariable}: absent`, actual }, isOlder: false };
    }
    const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
    // What is missing there is no envelope: other rows ask for equal state.
    const known = namesBeside(source, nodeId, name);
    const held = Object.entries(now).filter(
      ([key, value]) => (value ?? null) !== null && (key === outputVariable || known.has(key) || holdsEnvelope(value)),
    );
    const others = held.flatMap(([key, value]) =>
      diffValues(before[name].get(key), value, {
        pointer: `/${name}/${pointerToken(key)}`,
        ...ids,
      }).map((difference) => ({ ...difference, isOlder: key !== outputVariable && before[name].has(key) })),
    );
    const difference = others.find(({ isOlder }) => !isOlder) ?? others[0];
    if (difference === undefined) continue;
    const mismatch = {
      expected: `${difference.pointer}: ${shown(difference.source)} as in ${named(source)} before the call`,
      actual: `${difference.pointer}: ${shown(difference.replay)} in the snapshot of ${named(replay)}`,
    };
    if (!difference.isOlder) return { mismatch, isOlder: false };
    older ??= { mismatch, isOlder: true };
  }
  return older;
}

/** The envelope that the snapshot shows as the output of the node that was called: it did not complete. */
function nodeOutput({ replay, situation }: Met): OtherValue | undefined {
  const { nodeId } = situation.facts;
  const state = member(member(replay.snapshot, 'nodeStates'), nodeId);
  const name = OUTPUTS.find((each) => isEnvelope(member(state, each) ?? null));
  if (name === undefined) return undefined;
  const output = member(state, name);
  const pointer = `/nodeStates/${pointerToken(nodeId)}/${name}`;
  const actual = `${pointer}: ${shown(output)} in the snapshot of ${named(replay)}`;
  return { mismatch: { expected: `${pointer}: absent, as the node did not complete`, actual }, isOlder: false };
}

/** Whether what a node put out is an envelope that the models give, or a refused one. */
function isEnvelope(output: unknown): boolean {
  return member(output, 'error') === undefined && (holdsEnvelope(output) || isRefusedEnvelope(output));
}

/** The state that the source's log gives up to the call; undefined where the log does not explain the host's snapshots. */
function stateBefore(
  events: readonly unknown[],
  snapshot: unknown,
  callStart: number | undefined,
): LogState | undefined {
  const [whole, before] = [foldEvents(events), foldEvents(events, callStart)];
  if (callStart === undefined || !whole.ok || !before.ok) return undefined;
  const explained = (['variables', 'channels'] as const).every((name) => {
    const kept = member(snapshot, name);
    return kept === undefined || isDeepStrictEqual(kept, Object.fromEntries(whole.state[name]));
  });
  return explained ? before.state : undefined;
}
