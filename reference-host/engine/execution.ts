import { setImmediate as nextTurn } from 'node:timers/promises';
import { member, objectMember, type JsonObject } from '../json.ts';
import { createWorker, type Worker } from '../ledger/worker.ts';
import type { Drafts } from '../policies/replay.ts';
import { isAboutReplay, type RunEvent } from '../store/event.ts';
import type { Expired } from '../store/expired.ts';
import { fold, type RunState } from '../store/fold.ts';
import { stateBefore } from '../store/packed-state.ts';
import type { RunRecord, RunIndex } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { Order } from '../types/order.ts';
import type { Workflow } from '../types/workflow.ts';
import { runDrafts } from './interpreter.ts';
import { asRecorded, asTheyCome } from './order.ts';
import { createWorld, type CarriedOut, type RecordedWorldParts } from './recorded-world.ts';
import { workersWriter, writer, type Write } from './writer.ts';

/** Run options that hold from a position of a log on, events about replays not counted. */
interface Overlay {
  readonly position: number;
  readonly overlay: JsonObject;
}

const MERGED = ['inputs', 'configurable', 'metadata'];

/** Options with others laid over them: objects member by member, `tags` as a whole. */
export function overlaid(options: JsonObject, overlay: JsonObject): JsonObject {
  const merged = MERGED.map((name) => [name, { ...objectMember(options, name), ...objectMember(overlay, name) }]);
  const tags = member(overlay, 'tags') ?? member(options, 'tags') ?? [];
  return { ...options, ...Object.fromEntries(merged), tags };
}

/**
 * The overlays that a run lives under, the earliest first: a branch has its own and those of its source that held where
 * it left the source; a replay has all of its source's, so that it repeats a branch as the branch was.
 */
function overlaysOf(runs: RunIndex, run: RunRecord): readonly Overlay[] {
  const branches: Overlay[] = [];
  for (let each: RunRecord | undefined = run; each !== undefined; each = runs.parent(each)) {
    if (each.fork?.mode === 'branch') branches.unshift(each.fork);
  }
  return branches.reduce<readonly Overlay[]>(
    (held, branch) => [...held.filter((each) => each.position <= branch.position), branch],
    [],
  );
}

/** The options that hold at a position of a log, given those of its run.started. */
function optionsAt(started: JsonObject, overlays: readonly Overlay[], position: number): JsonObject {
  return overlays
    .filter((each) => each.position <= position)
    .reduce((options, each) => overlaid(options, each.overlay), started);
}

/**
 * Executes from the fold of the log to the run's end, until the log takes no more (cancelled, timed out, closing), or until
 * all that is left waits for an answer. `news` says, once for each time, whether an answer has come meanwhile. One call is
 * one worker's attempt; where several carry out one run, each goes on from what the others have written.
 */
export async function execute(parts: RecordedWorldParts, run: RunRecord, news: () => boolean): Promise<void> {
  const { workflows } = parts;
  // The answer to the request that started the run goes out before the run takes the thread.
  await nextTurn();
  const workflow = workflows.get(run.workflowId, run.tenant);
  if (workflow === undefined) return;
  const timer = deadline(writer(parts, run), workflow);
  const worker = createWorker(() => parts.store.ledger.claim(run.runId));
  try {
    while (await stretch(parts, { run, workflow, worker, news }));
  } catch {
    const error = { code: 'internal_error', message: 'The host could not go on with this run.' };
    writer(parts, run)({ type: 'run.failed', payload: { error } });
  } finally {
    clearTimeout(timer);
  }
}

/** The state of a run: the fold of its log, with the options that hold at the log's end. */
export function stateOf(store: Store, run: RunRecord): RunState {
  const events = store.events.read(run.runId);
  const past = store.expired.get(run.runId);
  const state = fold(events, stateBefore(past));
  const position = positionAfter(events, past);
  return { ...state, options: optionsAt(state.options, overlaysOf(store.runs, run), position) };
}

interface Beginning extends Omit<CarriedOut, 'now'> {
  readonly state: RunState;
  readonly events: readonly RunEvent[];
}

/** What a run writes from where its log ends. */
function drafts(shared: RecordedWorldParts, { run, worker, workflow, state, events }: Beginning): Drafts {
  const { replay, endsRun } = shared.parts;
  const world = createWorld(shared, { run, worker, workflow, now: () => stateOf(shared.store, run) });
  if (run.fork?.mode !== 'replay') return runDrafts({ workflow, state, world, order: asTheyCome, endsRun });
  const source = shared.store.events.read(run.fork.parentRunId);
  const recorded = asRecorded(source, events);
  const order: Order = {
    choose: (beginning, going) => {
      const isChoice = beginning.length + going.length > 1;
      return (isChoice ? replay.order(recorded, workflow) : recorded).choose(beginning, going);
    },
  };
  return replay.carryOut({
    run,
    source,
    position: positionAfter(events),
    execute: () => runDrafts({ workflow, state, world, order, endsRun }),
  });
}

/** How many events a log has had with these, those about replays not counted; `past` is what has expired of it. */
export function positionAfter(events: readonly RunEvent[], past?: Expired): number {
  return (past?.events.length ?? 0) + events.filter((event) => !isAboutReplay(event.type)).length;
}

interface Execution {
  readonly run: RunRecord;
  readonly workflow: Workflow;
  readonly worker: Worker;
  readonly news: () => boolean;
}

/**
 * Executes up to news, to another worker's event, or to the next position where other run options begin to hold; false when
 * there is nothing more to do.
 */
async function stretch(parts: RecordedWorldParts, { run, workflow, worker, news }: Execution): Promise<boolean> {
  const { store } = parts;
  const state = stateOf(store, run);
  if (state.completedAt !== undefined) return false;
  const events = store.events.read(run.runId);
  let position = positionAfter(events, store.expired.get(run.runId));
  const end = overlaysOf(store.runs, run).find((overlay) => overlay.position > position)?.position;
  const write = workersWriter(parts, run);
  const beginning = { run, worker, workflow, state: parts.parts.replay.startsFrom(state, run), events };
  for await (const draft of drafts(parts, beginning)) {
    if (!write(draft)) return store.events.isOpen();
    if (!isAboutReplay(draft.type)) position += 1;
    if (position === end || news()) return true;
  }
  return news();
}

function deadline(write: Write, { settings }: Workflow): NodeJS.Timeout | undefined {
  if (settings.timeout === undefined) return undefined;
  const error = { code: 'run_timeout', message: `The run took longer than ${settings.timeout} ms.` };
  const fail = (): void => void write({ type: 'run.failed', payload: { error } });
  return setTimeout(fail, settings.timeout).unref();
}
