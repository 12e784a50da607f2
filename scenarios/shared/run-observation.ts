import { member, readPart } from '../../src/contract/discovery.ts';
import { copyPacked, keepMember } from '../../src/evidence/pack.ts';
import { answeredBy } from '../../src/contract/remedy.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { LATEST_START } from '../../src/host/log/event-log.ts';
import { untilCaughtUp } from '../../src/host/late.ts';
import { sequenceOf } from '../../src/host/log/shown.ts';
import { readWhole } from '../../src/host/log/whole.ts';
import { followUntil } from '../../src/host/log/follow.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath, RUNS_PATH } from '../../src/protocol/paths.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { isExpired, isMalformed, isSuccess } from '../../src/protocol/status.ts';
import type { ForkFacts, RunObservation } from './observed-run.ts';
import { readSnapshot, type Snapshot } from './snapshot.ts';
import { mayLag } from './snapshot-fault.ts';
import { lacksNodeKind } from '../../src/protocol/node-kinds.ts';
import { codeInEvent } from './read-event.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { createRun, forkRun, type RunRequest, type StartedRun } from '../../src/host/runs.ts';

export type { ForkFacts, RunObservation } from './observed-run.ts';

/** Whether a run was made and seen to its end. */
export function isObserved<Run extends Pick<RunObservation, 'runId' | 'problem'>>(
  run: Run,
): run is Run & { readonly runId: string; readonly problem: null } {
  return run.runId !== null && run.problem === null;
}

interface Seeing {
  readonly role: string;
  /** The credential and host to drive with; the first tenant's where absent. */
  readonly handle?: HostHandle;
  /** Leave the run when such an event came, for a run that waits for something; `problem` stays null. */
  readonly until?: (event: RunEvent) => boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Creates a run and follows it to its end; a request that is a text is sent as it is. A log that tells of a success and of
 * nothing that was done for it shows no run: replays of it would be equal to anything. Nor does one that failed because the
 * host lacks a kind of the workflow's nodes.
 */
export async function startRun(probe: Probe, request: RunRequest | string, seeing: Seeing): Promise<RunObservation> {
  const made = madeBy(RUNS_PATH, await createRun(seeing.handle ?? probe.host, request, seeing.headers));
  const begun = await seen(probe, made, { ...seeing, fork: null });
  return thatWorked(typeof request === 'string' ? begun : ofWorkflow(request, begun));
}

/** Creates a run that is not followed yet. */
export async function createOnly(probe: Probe, request: RunRequest, role: string): Promise<RunObservation> {
  const made = madeBy(RUNS_PATH, await createRun(probe.host, request));
  return ofWorkflow(request, copyPacked(made, { type: 'run', role, fork: null, events: [], snapshot: null } as const));
}

/** A run as `startRun` gives it: one that shows no work of its workflow has a problem. */
export function thatWorked(run: RunObservation): RunObservation {
  const isIdle = run.workflowId === undefined || run.workflowId === IDLE;
  const { events } = run;
  const problem = notExecuted(events) ?? (showsNoWork(events, isIdle) ? NO_WORK : undefined);
  return problem === undefined ? run : copyPacked(run, { problem });
}

/** A run with the workflow that it is of, where somebody named one. */
function ofWorkflow({ workflowId }: Pick<RunObservation, 'workflowId'>, run: RunObservation): RunObservation {
  return workflowId === undefined ? run : copyPacked(run, { workflowId });
}

const NO_WORK = 'its log shows nothing but that it completed';

/** Why the workflow was not executed, where a node of a kind that the host lacks ended its run (readings); else undefined. */
export function notExecuted(events: readonly Json[]): string | undefined {
  const failed = readRunEvent(events.at(-1));
  const code = failed?.type === 'run.failed' ? codeInEvent(failed) : undefined;
  return code !== undefined && lacksNodeKind(code)
    ? `the fixture was not executed: the host lacks a kind of its nodes (${code})`
    : undefined;
}

/** The one workflow that has nothing to do: its log must show more than its end all the same. */
const IDLE = 'conformance-noop';

function showsNoWork(events: readonly Json[], isIdle: boolean): boolean {
  const types = events.map((event) => readRunEvent(event)?.type ?? '');
  return (
    types.includes('run.completed') && types.every((type) => (isIdle ? endsRun({ type }) : type.startsWith('run.')))
  );
}

/** The body of a fork request as scenarios send it. */
export interface ForkBody {
  readonly mode: 'replay' | 'branch';
  readonly fromSeq?: number;
  readonly runOptionsOverlay?: Readonly<Record<string, unknown>>;
}

/**
 * The body of a request for a fork. An overlay is required of branches (replay.md, Endpoint table): an empty one changes nothing,
 * and whoever needs none takes it.
 */
export function forkRequest(body: ForkBody): string {
  return JSON.stringify(withOverlay(body));
}

function withOverlay(body: ForkBody): ForkBody {
  return body.mode === 'branch' ? { ...body, runOptionsOverlay: body.runOptionsOverlay ?? {} } : body;
}

/**
 * Forks a run and follows the fork to its end. A source that was not seen gives a fork that was not seen either. Where a
 * replay without `fromSeq` is refused as malformed or begins elsewhere, which another row says, it is requested from 0.
 */
export async function startFork(
  probe: Probe,
  source: Pick<RunObservation, 'runId' | 'workflowId' | 'problem' | 'exchanges'> &
    Partial<Pick<RunObservation, 'events'>>,
  body: ForkBody,
  seeing: Seeing,
): Promise<RunObservation> {
  const { runId: sourceRunId } = source;
  const notDriven = isObserved(source) ? waitedInVain(probe) : `its source was not seen: ${source.problem ?? 'no run'}`;
  const advertised = offersMode(probe.discovery, body.mode);
  const facts = { sourceRunId, mode: body.mode, fromSeq: body.fromSeq ?? null, advertised };
  const isPlain = body.mode === 'branch' && Object.keys(body.runOptionsOverlay ?? {}).length === 0;
  let fork: ForkFacts = isPlain ? { ...facts, isPlain } : facts;
  if (sourceRunId === null || notDriven !== undefined) {
    const nothing = { answered: null, answer: null, runId: null, events: [], snapshot: null };
    const problem = notDriven ?? null;
    return { type: 'run', role: seeing.role, fork, ...nothing, problem, exchanges: source.exchanges };
  }
  const handle = seeing.handle ?? probe.host;
  const request = async (requested: ForkBody): Promise<Made> =>
    madeBy(forkPath(sourceRunId), await forkRun(handle, sourceRunId, { ...withOverlay(requested) }, seeing.headers));
  let made = await request(body);
  if (hasOtherDefault(body, made, readRunEvent(source.events?.[0])?.sequence)) {
    const fromStart = await request({ ...body, fromSeq: START });
    const exchanges = [...made.exchanges, ...fromStart.exchanges];
    if (fromStart.runId !== null)
      [made, fork] = [
        { ...fromStart, exchanges },
        { ...fork, fromSeq: START },
      ];
  }
  return ofWorkflow(
    source,
    await withSourceStart({ ...probe, host: handle }, await seen(probe, made, { ...seeing, fork })),
  );
}

/** A fork that was refused as one whose source's events have expired, with the least number that the log of its source shows since. */
export async function withSourceStart(probe: Probe, run: RunObservation): Promise<RunObservation> {
  const runId = run.fork?.sourceRunId ?? null;
  if (runId === null || !isExpired(run.answered ?? 0)) return run;
  for (const transport of ['json', 'poll'] as const) {
    const read = await readWhole(probe, transport, { runId, goesOn: true });
    if (read === undefined || (read.events.length === 0 && read.cut === true)) continue;
    // A log may hold more events than a call takes arguments.
    const least = read.events.reduce((low, event) => Math.min(low, sequenceOf(event) ?? low), Number.POSITIVE_INFINITY);
    const sourceStart = Number.isFinite(least) ? least : null;
    return { ...run, sourceStart, exchanges: [...run.exchanges, ...read.exchanges] };
  }
  return run;
}

/** What a replay without `fromSeq` starts at (replay.md, Replay-mode defaults). */
const START = 0;

/**
 * Whether a replay that leaves its start to the default was refused as a malformed request is, or begins, by its answer, behind the
 * first event of its source, or behind where logs begin at the latest, where nobody has read that.
 */
export function hasOtherDefault(
  { mode, fromSeq }: ForkBody,
  { answered, answer }: Pick<RunObservation, 'answered' | 'answer'>,
  first = LATEST_START,
): boolean {
  if (mode !== 'replay' || fromSeq !== undefined) return false;
  const start = member(answer, 'fromSeq');
  return isMalformed(answered) || (isSuccess(answered) && typeof start === 'number' && start > first);
}

/** Whether a fork is one of the whole run, by its request. */
export function replaysAll({ fork }: Pick<RunObservation, 'fork'>): boolean {
  return fork !== null && (fork.fromSeq ?? START) === START;
}

/** The body of a request for a replay like the one that worked on this host. */
export function replayBody(control: Pick<RunObservation, 'fork'>): ForkBody {
  const fromSeq = control.fork?.fromSeq ?? undefined;
  return fromSeq === undefined ? { mode: 'replay' } : { mode: 'replay', fromSeq };
}

/** Runs that were waited for in vain, for each scenario: each takes three time-outs, so a few are enough. */
const unobservedRuns = new WeakMap<AbortSignal, number>();
const ENOUGH = 2;

function waitedInVain({ signal }: Probe): string | undefined {
  return (unobservedRuns.get(signal) ?? 0) < ENOUGH
    ? undefined
    : `not driven: ${ENOUGH} runs before it were not seen to end`;
}

/** Reads a run that exists once more: its log and its snapshot as they are now, and this twice: what differs then differs by itself. */
export async function readAgain(probe: Probe, run: RunObservation, seeing: Seeing): Promise<RunObservation> {
  if (run.runId === null) return copyPacked(run, { role: seeing.role });
  const read = await readRun(probe, run.runId, seeing);
  const again = copyPacked(copyPacked(run, read), { role: seeing.role });
  return withSnapshotAgain(probe, again, seeing.handle);
}

/** A run that was read after its forks, with its snapshot read once more. */
export async function withSnapshotAgain(
  probe: Probe,
  run: RunObservation,
  handle = probe.host,
): Promise<RunObservation> {
  if (run.runId === null || run.snapshot === null) return run;
  const { runId } = run;
  const first = await readSnapshot(probe, handle, { runId, ended: undefined });
  const { snapshot, exchanges, late } = await withItsValues(probe, handle, { runId, read: run, first });
  const whole = copyPacked(run, { exchanges: [...run.exchanges, ...exchanges], ...late });
  keepMember(whole, 'snapshotAgain', snapshot);
  return whole;
}

type Made = Pick<RunObservation, 'answered' | 'answer' | 'runId' | 'problem' | 'refusal' | 'exchanges'>;

/** Characters of what a refusal says that are kept. */
const QUOTED = 200;

/** What came of the request for a run. The answer is packed where it is large: nothing else holds on to it. */
function madeBy(path: string, started: StartedRun): Made {
  const nothing = { answered: null, answer: null, runId: null, exchanges: [started.exchange] };
  if (started.kind === 'failed') {
    return { ...nothing, answered: started.status ?? null, problem: `no run was made: ${started.reason}` };
  }
  const { status } = started;
  if (started.kind === 'refused') {
    const said = [started.code, started.message].filter(Boolean).join(': ').slice(0, QUOTED);
    const problem = answeredBy(`POST ${path}`, status, started.location);
    return { ...nothing, answered: status, problem, ...(said !== '' && { refusal: said }) };
  }
  const made: Made = { ...nothing, answered: status, runId: started.runId, problem: null };
  keepMember(made, 'answer', started.body);
  return made;
}

async function seen(probe: Probe, made: Made, seeing: Seeing & Pick<RunObservation, 'fork'>): Promise<RunObservation> {
  const { role, fork } = seeing;
  const common = { type: 'run', role, fork } as const;
  if (made.runId === null) return { ...made, ...common, events: [], snapshot: null };
  const read = await readRun(probe, made.runId, seeing);
  const exchanges = [...made.exchanges, ...read.exchanges];
  return copyPacked(copyPacked(made, read), { ...common, exchanges });
}

async function readRun(
  probe: Probe,
  runId: string,
  { handle = probe.host, until = () => false }: Seeing,
): Promise<Read> {
  const { ended, read } = await readLog(probe, handle, { runId, until });
  if (read.problem !== null) return read;
  const first = await readSnapshot(probe, handle, { runId, ended });
  const { snapshot, exchanges, isEmpty, late } =
    ended === undefined ? { ...first, late: {} } : await withItsValues(probe, handle, { runId, read, first });
  const whole = copyPacked(read, {
    exchanges: [...read.exchanges, ...exchanges],
    ...late,
    ...(isEmpty === true ? { snapshotIsEmpty: true as const } : {}),
    // The host was not waited for: it hides nothing.
    ...(snapshot === null && probe.signal.aborted ? { problem: 'there was no time to read its snapshot' } : {}),
  });
  keepMember(whole, 'snapshot', snapshot);
  return whole;
}

/** A snapshot that shows the end and not yet what the log ends with is read again for a while: the values may be written later. */
async function withItsValues(
  probe: Probe,
  handle: HostHandle,
  { runId, read, first }: { readonly runId: string; readonly read: Read; readonly first: Snapshot },
): Promise<Snapshot & { readonly late: Pick<RunObservation, 'valuesLate'> }> {
  const all: Snapshot[] = [];
  const lags = ({ snapshot }: Snapshot): boolean =>
    mayLag({ role: '', runId, problem: null, events: read.events, snapshot });
  const last = await untilCaughtUp(probe, 'values', {
    read: async () => {
      const next = all.length === 0 ? first : await readSnapshot(probe, handle, { runId, ended: undefined });
      all.push(next);
      return next;
    },
    isBehind: lags,
  });
  const late = all.length > 1 && !lags(last) ? ({ valuesLate: true } as const) : {};
  return { ...last, exchanges: all.flatMap(({ exchanges }) => exchanges), late };
}

type Read = Pick<RunObservation, 'problem' | 'events' | 'snapshot' | 'snapshotIsEmpty' | 'exchanges'>;

/** Follows a run and keeps its log, packed where it is long: nothing else holds on to it. */
async function readLog(
  probe: Probe,
  handle: HostHandle,
  { runId, until }: { readonly runId: string; readonly until: (event: RunEvent) => boolean },
): Promise<{ readonly ended: string | undefined; readonly read: Read }> {
  const followed = await followUntil(probe, handle, { runId, until });
  const { exchanges } = followed;
  if (followed.kind === 'unfinished') {
    unobservedRuns.set(probe.signal, (unobservedRuns.get(probe.signal) ?? 0) + 1);
    const { events = [], snapshot = null } = followed.left ?? {};
    const left: Read = { problem: followed.reason, events: [], snapshot: snapshot as Json, exchanges };
    keepMember(left, 'events', events);
    return { ended: undefined, read: left };
  }
  const read: Read = { problem: null, events: [], snapshot: null, exchanges };
  followed.log.keepIn(read, 'events');
  return { ended: followed.kind === 'ended' ? followed.status : undefined, read };
}

/** Whether a replay block offers a mode; one without a list of modes offers both of replay.md. */
export function offersMode(document: unknown, mode: string): boolean {
  const replay = readPart(document, 'replay')?.value;
  if (member(replay, 'supported') !== true) return false;
  const modes = member(replay, 'modes');
  return Array.isArray(modes) ? modes.includes(mode) : true;
}
