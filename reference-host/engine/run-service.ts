import { newId } from '../ids.ts';
import { member, type JsonObject } from '../json.ts';
import { regionOf } from '../region.ts';
import { fold, type RunState } from '../store/fold.ts';
import { stateBefore } from '../store/packed-state.ts';
import type { ForkMode, RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Workflow } from '../types/workflow.ts';
import { execute, positionAfter, stateOf, overlaid } from './execution.ts';
import type { RecordedWorldParts } from './recorded-world.ts';
import { answeredElsewhere, resolveInterrupt, type Answer, type Resolution } from './resolve.ts';
import { writer } from './writer.ts';

/** A run as one look sees it: its index entry and the fold of its log. */
export interface RunView {
  readonly run: RunRecord;
  readonly state: RunState;
}

/** Creates, forks, executes and cancels runs. Only the log says what happened; this service only makes it grow. */
export interface RunService {
  /** Starts a run of a known workflow. `options` becomes the payload of run.started. */
  create(tenant: string, workflow: Workflow, options: JsonObject): RunRecord;
  /** Starts a fork of `source` that keeps the source's events below `fromSeq` as fixed history. */
  fork(source: RunRecord, request: ForkRequest): RunRecord;
  /** The run, where it exists and belongs to the tenant. */
  find(tenant: string, runId: string): RunRecord | undefined;
  view(run: RunRecord): RunView;
  /** Ends a run that has not ended yet, and the children that it has dispatched. */
  cancel(run: RunRecord): void;
  /** Takes the first answer to a question that a node of the run has asked, and lets the run go on. */
  resolve(answer: Answer): Promise<Resolution>;
  /** Goes on with every run whose log has no end, after a restart. */
  resume(): void;
  /** Resolves when no run executes any more. The log must have been closed before. */
  idle(): Promise<void>;
}

export interface ForkRequest {
  readonly mode: ForkMode;
  readonly fromSeq: number;
  /** Run options that are laid over the source's; empty for a replay. */
  readonly overlay: JsonObject;
}

/** The run service of a host. */
export function createRunService(given: Omit<RecordedWorldParts, 'children'>): RunService {
  const { store, workflows } = given;
  const executing = new Map<string, Set<Promise<void>>>();
  const news = new Set<string>();
  /** The runs that go on when another one has ended, by the id of that one. */
  const awaited = new Map<string, Map<string, RunRecord>>();
  const heard = new Set<string>();

  const isOver = ({ runId }: RunRecord): boolean => store.events.hasEnded(runId);
  /** What follows from the end of a run: its children end with it, and whoever has waited for it goes on. */
  const ended = (run: RunRecord): void => {
    for (const child of store.runs.children(run.runId)) if (!isOver(child)) cancel(child);
    goOn(run);
  };
  const goOn = ({ runId }: RunRecord): void => {
    const waiting = awaited.get(runId) ?? new Map<string, RunRecord>();
    awaited.delete(runId);
    for (const each of waiting.values()) launch(each);
  };
  const cancel = (run: RunRecord): void => {
    writer(parts, run)({ type: 'run.cancelled', payload: {} });
    if (isOver(run)) ended(run);
  };
  const carryOut = async (run: RunRecord): Promise<void> => {
    try {
      await execute(parts, run, () => news.delete(run.runId));
      if (isOver(run)) ended(run);
    } catch {
      // The store takes no writes: the run stays unfinished and goes on at the next start.
    }
  };
  /** Waits for the end of a run that another region carries out. */
  const endedElsewhere = async (run: RunRecord): Promise<void> => {
    const { signal } = new AbortController();
    while (store.events.isOpen() && !isOver(run)) {
      await store.events.changed(run.runId, store.events.last(run.runId)?.sequence, signal);
    }
    if (store.events.isOpen()) goOn(run);
  };
  const addWorker = (run: RunRecord): void => {
    const workers = executing.get(run.runId) ?? new Set();
    executing.set(run.runId, workers);
    const work = carryOut(run).finally(() => {
      workers.delete(work);
      if (workers.size > 0) return;
      executing.delete(run.runId);
      // An answer may have come when nothing looked for one any more.
      if (news.delete(run.runId)) launch(run);
      else if (store.region !== undefined) void attend(run).catch(giveUp);
    });
    workers.add(work);
  };
  /** A run that waits hears of an answer that another region has taken. */
  const attend = async (run: RunRecord): Promise<void> => {
    const isIdle = (): boolean => !executing.has(run.runId);
    if (!store.events.isOpen()) return;
    if (!isOver(run) && (await answeredElsewhere(store, run, { isIdle, heard }))) launch(run);
    else if (store.events.isOpen() && isOver(run)) ended(run);
  };
  /** Lets a run go on. One of another region is that region's to carry out: it hears of what is written. */
  const launch = (run: RunRecord): void => {
    if (!isOwn(store, run)) return store.events.wake(run.runId);
    if (executing.has(run.runId)) news.add(run.runId);
    else addWorker(run);
  };
  const addWorkers = (run: RunRecord): void => {
    const workers = parts.outbound ? workersAsked(fold(store.events.read(run.runId, -1, 1)).options) : 1;
    for (let worker = 0; worker < workers; worker += 1) addWorker(run);
  };
  const parts: RecordedWorldParts = {
    ...given,
    children: {
      launch: addWorkers,
      await: (childRunId, by) => {
        const waiting = awaited.get(childRunId) ?? new Map<string, RunRecord>();
        awaited.set(childRunId, waiting.set(by.runId, by));
        const child = store.runs.get(childRunId);
        if (waiting.size === 1 && child !== undefined && !isOwn(store, child)) void endedElsewhere(child).catch(giveUp);
      },
    },
  };

  return {
    create(tenant, workflow, options) {
      const run: RunRecord = {
        runId: newId('run', store.now()),
        tenant,
        workflowId: workflow.id,
        ...regionIn(store),
      };
      store.runs.insert(run);
      writer(parts, run)({ type: 'run.started', payload: options });
      addWorkers(run);
      return run;
    },
    fork(source, { mode, fromSeq, overlay }) {
      const history = store.events.read(source.runId);
      const fixed = history.filter((event) => event.sequence < fromSeq);
      const expired = store.expired.get(source.runId);
      const past = expired !== undefined && expired.beforeSeq <= fromSeq ? expired : undefined;
      const run: RunRecord = {
        runId: newId('run', store.now()),
        tenant: source.tenant,
        workflowId: source.workflowId,
        fork: { parentRunId: source.runId, mode, fromSeq, position: positionAfter(fixed, past), overlay },
        ...regionIn(store),
      };
      store.runs.insert(run);
      if (past !== undefined) store.expired.put(run.runId, past);
      for (const path of store.deletions.of(source.runId)) store.deletions.record(run.runId, path);
      const inherited = parts.parts.replay.inherited(fixed, { mode, source: history });
      store.events.inherit(run.runId, inherited);
      if (inherited.length === 0 && past === undefined) {
        const { options } = stateBefore(expired) ?? fold(history);
        const payload = mode === 'branch' ? overlaid(options, overlay) : options;
        writer(parts, run)({ type: 'run.started', payload });
      }
      launch(run);
      return run;
    },
    find(tenant, runId) {
      const run = store.runs.get(runId);
      return run?.tenant === tenant ? run : undefined;
    },
    view: (run) => ({ run, state: stateOf(store, run) }),
    cancel,
    // Whoever asks may be as patient as this host: the answer comes well before.
    resolve: (answer) => resolveInterrupt({ store, patienceMs: given.patienceMs / 2 }, answer, launch),
    resume() {
      for (const run of store.runs.unfinished()) {
        if (!isOwn(store, run)) continue;
        const parent = run.dispatchedBy === undefined ? undefined : store.runs.get(run.dispatchedBy.runId);
        if (parent !== undefined && isOver(parent)) cancel(run);
        else if (workflows.get(run.workflowId, run.tenant) !== undefined) launch(run);
      }
    },
    async idle() {
      while (executing.size > 0) await Promise.all([...executing.values()].flatMap((workers) => [...workers]));
    },
  };
}

/** The store cannot be read any more: the run goes on at the next start. */
function giveUp(): void {}

function regionIn({ region }: Store): Pick<RunRecord, 'region'> {
  return region === undefined ? {} : { region };
}

/** Whether this process carries the run out: a host without regions does so for every run. */
function isOwn({ region }: Store, run: RunRecord): boolean {
  return region === undefined || region === regionOf(run);
}

const MOST_WORKERS = 8;

/** The run option of tests that lets several workers carry out one run at the same time; 1 where nothing is asked. */
function workersAsked(options: JsonObject): number {
  const workers = member(member(options, 'configurable'), 'workers');
  return Number.isInteger(workers) ? Math.min(Math.max(Number(workers), 1), MOST_WORKERS) : 1;
}
