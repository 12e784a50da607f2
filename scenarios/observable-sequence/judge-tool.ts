import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  type Fail,
  isOutcome,
  type Outcome,
  pass,
  rests,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import { diffValues } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { pointerToken } from '../../src/protocol/json-pointer.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { revisionOf } from '../shared/code-change.ts';
import { compareLogs, eventsOf, isAboutReplay, named, rawOf, shown } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import type { Compared, Difference } from '../shared/compared.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, need, needForks, runOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { withoutMakingIn } from '../shared/telemetry.ts';
import { type CallsObservation, callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';

/** The node that calls the tool, and the one that copies its result. */
const TOOL = 'call-tool';
const COPY = 'after';

/** A source whose tool answered with a value that no other run has, with the replays of it. */
export interface ToolRuns {
  readonly source: RecordedRun;
  readonly fresh: RecordedRun;
  readonly replays: readonly RecordedRun[];
  /** A replay by code with one node more, where it could be made; else why not. */
  readonly revised: RecordedRun | undefined;
  readonly notRevised: string | null;
  readonly nonce: string;
  /** What the witness answered after the source run, to the fresh run and to replays, and to the revised replay too. */
  readonly later: readonly string[];
  readonly laterRevised: readonly string[];
  readonly evidence: readonly Recorded<RecordedRun | CallsObservation>[];
}

/**
 * The runs of the tool, or the outcome that is left where they prove nothing: the witness was not called, the result is
 * nowhere in the log, or a fresh run shows the same.
 */
export function toolRuns(recorded: Recordings): ToolRuns | Outcome {
  const begun = need(recorded, 'source');
  if (isOutcome(begun)) return begun;
  const calls = callsOf(recorded, 'source');
  if (calls === undefined) return undecided('no call was counted', [begun.source]);
  if (calls.calls.length === 0) return undecided(notCalled(calls, begun.source), [calls]);
  const runs = need(recorded, 'source', 'fresh run');
  if (isOutcome(runs)) return runs;
  const forked = needForks(recorded, ({ role }) => role.startsWith('replay from'));
  if (isOutcome(forked)) return forked;
  const { source, 'fresh run': fresh } = runs;
  const { replays } = forked;
  const nonce = noncesIn(calls).at(-1);
  const evidence = [...replays, source, fresh, calls];
  if (nonce === undefined || !says(source, nonce)) {
    return undecidedUntil(
      "record a tool's result in the log, in node.completed or variable.changed",
      `the source's log shows nowhere what the tool answered (${nonce ?? 'nothing'})`,
      evidence,
    );
  }
  if (says(fresh, nonce)) {
    return undecidedUntil(
      'call the tool anew in every run',
      'a fresh run shows the same result: the tool is not nondeterministic here',
      evidence,
    );
  }
  const [later = [], laterRevised = []] = ['replays', 'revised replay'].map((after) => {
    const counted = callsOf(recorded, after);
    return counted === undefined ? [] : noncesIn(counted).slice(noncesIn(calls).length);
  });
  return {
    source,
    fresh,
    replays,
    revised: runOf(recorded, 'revised replay'),
    notRevised: revisionOf(recorded)?.problem ?? null,
    nonce,
    later,
    laterRevised,
    evidence,
  };
}

/** Whether a text occurs in a run's log. */
function says({ events }: Pick<RecordedRun, 'events'>, text: string): boolean {
  return JSON.stringify(events).includes(text);
}

/** Judges the result: what the tool returned, the variables, and what was computed from them (0041 §C.3). */
export function judgeResult(runs: ToolRuns, volatile: readonly string[]): Outcome {
  const { source } = runs;
  return judgeReplays(runs, volatile, (replay) => {
    const [before, after] = [aroundTool(source), aroundTool(replay)];
    const compareResults = (part: 'earlier' | 'since'): Compared =>
      compareContent({ source: before[part], replay: after[part], wanted: isResult, volatile });
    const compared = firstDifference([
      () => compareResults('since'),
      ...stateComparisons(withVariables(source, volatile), withVariables(replay, volatile)),
      () => restingOn(FOUNDATIONS.histories, compareResults('earlier')),
    ]);
    // Beside the result itself, what differs inside the tool's node is for the row about that.
    const isInside =
      compareContent({ source, replay, wanted: isToolResult, volatile }).kind === 'same' &&
      compareLogs(inside(source), inside(replay), volatile).kind === 'different';
    return isInside ? restingOn(CACHED, compared) : compared;
  });
}

/** Judges everything that happened inside the tool's node, and the channels (0041 §C; replay.md, Phase 4 §C). */
export function judgeSideEffects(runs: ToolRuns, volatile: readonly string[]): Outcome {
  const { source, evidence } = runs;
  if (insideTool(source).every(({ type }) => type.startsWith('node.'))) {
    return undecidedUntil(
      'write what a tool changes into the log, between node.started and node.completed',
      'inside its tool node the source wrote no state and no event',
      evidence,
    );
  }
  return judgeReplays(runs, volatile, (replay) => {
    return firstDifference([
      () => compareLogs(inside(source), inside(replay), volatile),
      ...stateComparisons(withoutVolatile(source, volatile), withoutVolatile(replay, volatile)),
    ]);
  });
}

/** The row about what happens inside the tool's node. */
const CACHED = 'sequence.side-effects-cached';

/** A run with what happens inside the tool's node alone. */
function inside(run: RecordedRun): RecordedRun {
  return { ...run, events: rawOf(insideTool(run)) };
}

/** The first comparison that finds something. */
function firstDifference(comparisons: readonly (() => Compared)[]): Compared {
  for (const compare of comparisons) {
    const compared = compare();
    if (compared.kind !== 'same') return compared;
  }
  return { kind: 'same' };
}

/** Compares what the tool may have changed, and then the rest: what was written before the tool alone is no result of it. */
function stateComparisons(source: RecordedRun, replay: RecordedRun): readonly (() => Compared)[] {
  const { earlier, since } = aroundTool(source);
  const younger = writtenIn(since);
  const older = new Set([...writtenIn(earlier)].filter((each) => !younger.has(each)));
  return [
    () => compareStates(withoutWritten(source, older), withoutWritten(replay, older)),
    () => restingOn('sequence.state-equal', compareStates(source, replay)),
  ];
}

function restingOn(restsOn: string, compared: Compared): Compared {
  return compared.kind === 'different' ? { ...compared, mismatch: { ...compared.mismatch, restsOn } } : compared;
}

/** A run's log before the tool's node starts, and from there on; all of it where that does not show. */
function aroundTool(run: RecordedRun): { readonly earlier: RecordedRun; readonly since: RecordedRun } {
  const events = eventsOf(run);
  const start = Math.max(0, events.findIndex(startsTool));
  return {
    earlier: { ...run, events: rawOf(events.slice(0, start)) },
    since: { ...run, events: rawOf(events.slice(start)) },
  };
}

/** The variables and channels that a log writes, as pointers into a snapshot. */
function writtenIn(run: RecordedRun): ReadonlySet<string> {
  const written = eventsOf(run).flatMap(({ type, payload }) => {
    const part = type === 'variable.changed' ? 'variables' : type === 'channel.written' ? 'channels' : undefined;
    const name = member(payload, 'name');
    return part === undefined || typeof name !== 'string' ? [] : [writtenAt(part, name)];
  });
  return new Set(written);
}

function writtenAt(part: string, name: string): string {
  return `/${part}/${pointerToken(name)}`;
}

/** The run with a snapshot that lacks some variables and channels. */
function withoutWritten(run: RecordedRun, pointers: ReadonlySet<string>): RecordedRun {
  const { snapshot } = run;
  if (!isRecord(snapshot) || pointers.size === 0) return run;
  const left = ['variables', 'channels'].flatMap((part) => {
    const held = snapshot[part];
    if (!isRecord(held)) return [];
    return [[part, Object.fromEntries(Object.entries(held).filter(([name]) => !pointers.has(writtenAt(part, name))))]];
  });
  return { ...run, snapshot: { ...snapshot, ...Object.fromEntries(left) } };
}

/** The first difference that one of the replays shows is the failure. */
function judgeReplays(
  runs: ToolRuns,
  volatile: readonly string[],
  compare: (replay: RecordedRun) => Compared,
): Outcome {
  const { evidence, replays } = runs;
  for (const replay of replays) {
    const compared = compare(replay);
    if (compared.kind === 'unreadable') return undecided(compared.reason, evidence);
    if (compared.kind === 'different') {
      const cause =
        causeIn(runs, replays, runs.later) ?? addedIn(runs.source, replay, volatile) ?? lostIn(runs, replays);
      const failed = fail({ ...compared.mismatch, ...cause }, evidence);
      return failed.kind === 'fail' && failed.diagnosis?.code === ANOTHER ? rests(FOUND, failed) : failed;
    }
  }
  return declaring(pass(evidence, `${replays.length} replays`), volatile);
}

const ANOTHER = 'another-record';
/** The row about how a recorded call is found. */
const FOUND = 'sequence.content-addressed-tools';

/** What is said of a failure beside its mismatch. */
type Cause = Partial<Pick<Fail, 'diagnosis'>> & { readonly restsOn?: string };

/** Names the cause where it shows: the tool was called again, or another run's record was taken. */
function causeIn({ fresh }: ToolRuns, replays: readonly RecordedRun[], later: readonly string[]): Cause | undefined {
  const shownLater = later.filter((each) => replays.some((replay) => says(replay, each)));
  if (shownLater.some((each) => !says(fresh, each))) return { diagnosis: sharedCause('second-call') };
  return shownLater.length > 0 ? { diagnosis: wrong(ANOTHER) } : undefined;
}

/** The cause where the result is there, also in the end of the tool's node where the source shows it. */
function lostIn({ nonce, source }: ToolRuns, replays: readonly RecordedRun[]): Cause {
  const returns = (run: RecordedRun): boolean => says({ events: rawOf(eventsOf(run).filter(isToolResult)) }, nonce);
  const isThere = returns(source) ? returns : (run: RecordedRun): boolean => says(run, nonce);
  return replays.every(isThere) ? { diagnosis: wrong('return-value-only') } : {};
}

/** The cause where a replay shows all that its source does, and more: the rows about what replays show, and their states, say so. */
function addedIn(source: RecordedRun, replay: RecordedRun, volatile: readonly string[]): Cause | undefined {
  const told = eventsOf(replay).filter((event) => !isAboutReplay(event));
  const wanted = eventsOf(source)
    .filter((event) => !isAboutReplay(event))
    .values();
  let next = wanted.next().value;
  const kept = told.filter(({ type, nodeId }) => {
    const isKept = type === next?.type && nodeId === next.nodeId;
    if (isKept) next = wanted.next().value;
    return isKept;
  });
  const held = compareLogs(uncaused(source), uncaused({ ...replay, events: rawOf(kept) }), volatile);
  if (held.kind !== 'same') return undefined;
  const ids = { pointer: '', sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  const [before, after] = [source, replay].map((run) => statesOf(withoutVolatile(run, volatile)));
  const states = diffValues(before, after, ids);
  // A value with more in it is another one.
  if (states.some((each) => 'source' in each || each.pointer.split('/').length > 3)) return undefined;
  if (kept.length < told.length) return { diagnosis: sharedCause('extra'), restsOn: FOUNDATIONS.sameAgain };
  return states.length === 0 ? undefined : { restsOn: FOUNDATIONS.sameStates };
}

/** A run whose events do not say what caused them: that may be an event more. */
function uncaused(run: RecordedRun): RecordedRun {
  return { ...run, events: run.events.map((event) => ({ ...Object(event), causationId: null }) as Json) };
}

/** The status, and each variable and channel, of a snapshot. */
function statesOf({ snapshot }: RecordedRun): unknown {
  const part = (name: string): unknown => member(snapshot, name) ?? {};
  return { status: member(snapshot, 'status'), variables: part('variables'), channels: part('channels') };
}

function isResult({ type, nodeId }: RunEvent): boolean {
  return type === 'variable.changed' || (type === 'node.completed' && (nodeId === TOOL || nodeId === COPY));
}

/** The run with the variables of its snapshot alone. */
function withVariables(run: RecordedRun, volatile: readonly string[]): RecordedRun {
  const { snapshot } = withoutVolatile(run, volatile);
  return isRecord(snapshot) ? { ...run, snapshot: { variables: snapshot['variables'] ?? null } } : run;
}

function startsTool({ type, nodeId }: RunEvent): boolean {
  return type === 'node.started' && nodeId === TOOL;
}

/** The events from the tool node's start to its end; those of the node alone where the log does not show both. */
function insideTool(run: RecordedRun): readonly RunEvent[] {
  const events = eventsOf(run);
  const start = events.findIndex(startsTool);
  const end = events.findIndex(({ type, nodeId }) => type === 'node.completed' && nodeId === TOOL);
  if (start === -1 || end < start) return events.filter(({ nodeId }) => nodeId === TOOL);
  return events.slice(start, end + 1);
}

/**
 * Judges whether the recorded call is found again when counters and clocks have moved: after an unrelated run, and by
 * code in which a node stands before the call (replay.md, Phase 4 §C).
 */
export function judgeContentAddressed(runs: ToolRuns, volatile: readonly string[]): Outcome {
  const { source, replays, revised, evidence } = runs;
  const left = revised === undefined ? undefined : leftWithout([revised]);
  if (left !== undefined) return left;
  const changedIn = (replay: RecordedRun): Difference | undefined => {
    // What a log tells of how it was made is no part of what is recorded of a call.
    const sides = { source: withoutMakingIn(source, 1), replay: withoutMakingIn(replay, 1) };
    const compared = compareContent({ ...sides, wanted: isToolResult, volatile });
    return compared.kind === 'different' ? compared.mismatch : undefined;
  };
  const failing = (replay: RecordedRun, mismatch: Difference, when: string): Outcome => {
    const isRevised = replay === revised;
    const [like, later] = isRevised ? [[replay], runs.laterRevised] : [replays, runs.later];
    // Changed code shows more, which is its own.
    const added = isRevised ? undefined : addedIn(source, replay, volatile);
    const cause = causeIn(runs, like, later) ?? added ?? lostIn(runs, like);
    const reason = says(replay, runs.nonce) ? {} : { reason: `the recorded call was not found again ${when}` };
    return fail({ ...mismatch, ...reason, ...cause }, [replay, ...evidence]);
  };
  for (const replay of replays) {
    const mismatch = changedIn(replay);
    if (mismatch !== undefined) return failing(replay, mismatch, 'after another run');
  }
  // What the seam that revises the workflow would have shown besides is mentioned, not demanded.
  const events = revised === undefined ? [] : eventsOf(revised);
  if (revised === undefined || !events.some(({ nodeId }) => nodeId === 'inserted') || !events.some(isToolResult)) {
    const why = runs.notRevised ?? 'the replay does not show the revised code and the tool’s result';
    return declaring(pass(evidence, `after another run only; by revised code it was not seen: ${why}`), volatile);
  }
  const mismatch = changedIn(revised);
  return mismatch === undefined
    ? declaring(pass([revised, ...evidence], 'after another run, and by revised code'), volatile)
    : failing(revised, mismatch, 'by code with a node more before it');
}

function isToolResult({ type, nodeId }: RunEvent): boolean {
  return type === 'node.completed' && nodeId === TOOL;
}

interface Picked {
  readonly source: RunObservation;
  readonly replay: RunObservation;
  /** Which events count. */
  readonly wanted: (event: RunEvent) => boolean;
  readonly volatile: readonly string[];
}

/**
 * Compares what some events of two runs say, in their order: type, node and payload. For events that are picked out of
 * their logs, where numbers and causes mean nothing.
 */
function compareContent({ source, replay, wanted, volatile }: Picked): Compared {
  const pickedFrom = (run: RunObservation) => eventsOf(withoutVolatile(run, volatile)).filter(wanted);
  const [before, after] = [pickedFrom(source), pickedFrom(replay)];
  const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  for (let index = 0; index < Math.max(before.length, after.length); index += 1) {
    const [a, b] = [before[index], after[index]];
    const [difference] = diffValues(contentOf(a), contentOf(b), { pointer: '', ...ids });
    if (difference === undefined) continue;
    const { pointer } = difference;
    return {
      kind: 'different',
      mismatch: {
        diagnosis: sharedCause('recorded-answer-lost'),
        expected: `${placeOf(a, source)} ${pointer}: ${shown(difference.source)}`,
        actual: `${placeOf(b, replay)} ${pointer}: ${shown(difference.replay)}`,
      },
    };
  }
  return { kind: 'same' };
}

function contentOf(event: RunEvent | undefined): unknown {
  if (event === undefined) return null;
  return { type: event.type, nodeId: event.nodeId ?? null, payload: event.payload };
}

function placeOf(event: RunEvent | undefined, run: RunObservation): string {
  if (event === undefined) return `no event there in ${named(run)}`;
  return `sequence ${event.sequence}, ${event.type}, in ${named(run)}`;
}
