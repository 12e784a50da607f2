import type { EventDraft, RunEvent } from '../store/event.ts';
import { isAboutReplay } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { WorkflowCatalogue } from './catalogue.ts';
import { divergenceFinder } from './divergence.ts';
import type { RunState } from './fold.ts';
import { fold } from './fold.ts';
import { runDrafts } from './interpreter.ts';
import { asRecorded, asTheyCome } from './order.ts';
import type { RecordedWorldParts } from './recorded-world.ts';
import { createWorld } from './recorded-world.ts';
import { optionsAt, overlaysOf } from './run-options.ts';
import type { Workflow } from './workflow.ts';

export interface ExecutionParts extends RecordedWorldParts {
  readonly workflows: WorkflowCatalogue;
}

/**
 * Executes from the fold of the log to the run's end, until the log takes no more (cancelled, timed out, closing), or until
 * all that is left waits for an answer. `news` says, once for each time, whether an answer has come meanwhile.
 */
export async function execute(parts: ExecutionParts, run: RunRecord, news: () => boolean): Promise<void> {
  const { store, workflows } = parts;
  await nextTurn();
  const workflow = workflows.get(run.workflowId);
  if (workflow === undefined) return;
  const timer = deadline(store, run, workflow);
  try {
    const write = writer(store, run);
    while (await stretch(parts, { run, workflow, write, news }));
  } catch {
    const error = { code: 'internal_error', message: 'The host could not go on with this run.' };
    store.events.append(run.runId, { type: 'run.failed', payload: { error } });
  } finally {
    clearTimeout(timer);
  }
}

/** The state of a run: the fold of its log, with the options that hold at the log's end. */
export function stateOf(store: Store, run: RunRecord): RunState {
  const events = store.events.read(run.runId);
  const state = fold(events);
  return { ...state, options: optionsAt(state.options, overlaysOf(store.runs, run), positionAfter(events)) };
}

/** How many events a log has, those about replays not counted. */
export function positionAfter(events: readonly RunEvent[]): number {
  return events.filter((event) => !isAboutReplay(event.type)).length;
}

interface Execution {
  readonly run: RunRecord;
  readonly workflow: Workflow;
  readonly write: Write;
  readonly news: () => boolean;
}

/** Writes one event; false when the log takes no more. */
type Write = (draft: EventDraft) => boolean;

/** Executes up to news, or to the next position where other run options begin to hold; false when there is nothing more to do. */
async function stretch(parts: ExecutionParts, { run, workflow, write, news }: Execution): Promise<boolean> {
  const { store } = parts;
  const state = stateOf(store, run);
  if (state.completedAt !== undefined) return false;
  const events = store.events.read(run.runId);
  const order = run.fork?.mode === 'replay' ? asRecorded(store.events.read(run.fork.parentRunId), events) : asTheyCome;
  let position = positionAfter(events);
  const end = overlaysOf(store.runs, run).find((overlay) => overlay.position > position)?.position;
  for await (const draft of runDrafts({ workflow, state, world: createWorld(parts, run), order })) {
    if (!write(draft)) return false;
    if (!isAboutReplay(draft.type)) position += 1;
    if (position === end || news()) return true;
  }
  return news();
}

/** A replay is compared with its source as it is written; what its log already holds has been compared before. */
function writer(store: Store, run: RunRecord): Write {
  const { events } = store;
  if (run.fork?.mode !== 'replay') return (draft) => events.append(run.runId, draft) !== undefined;
  const find = divergenceFinder(events.read(run.fork.parentRunId), run.runId);
  for (const event of events.read(run.runId)) find(event);
  return (draft) => {
    const report = find(draft);
    if (report === undefined) return events.append(run.runId, draft) !== undefined;
    return store.atomically(() => events.appendReported(run.runId, draft, report)) !== undefined;
  };
}

function deadline({ events }: Store, run: RunRecord, { settings }: Workflow): NodeJS.Timeout | undefined {
  if (settings.timeout === undefined) return undefined;
  const error = { code: 'run_timeout', message: `The run took longer than ${settings.timeout} ms.` };
  const fail = (): void => void events.append(run.runId, { type: 'run.failed', payload: { error } });
  return setTimeout(fail, settings.timeout).unref();
}

/** Lets the answer to the request that started a run go out before the run takes the thread. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
