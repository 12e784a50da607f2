import type { JsonObject } from '../json.ts';
import { newId } from '../ids.ts';
import type { RunEvent } from '../store/event.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import type { RunState } from './fold.ts';
import { fold } from './fold.ts';
import { runDrafts } from './interpreter.ts';
import type { WorldParts } from './llm-world.ts';
import { createWorld } from './llm-world.ts';
import type { Workflow } from './workflow.ts';
import type { World } from './world.ts';

/** A run as one look sees it: its index entry and the fold of its log. */
export interface RunView {
  readonly run: RunRecord;
  readonly state: RunState;
}

/** Creates, forks, executes and cancels runs. Only the log says what happened; this service only makes it grow. */
export interface RunService {
  /** Starts a run of a known workflow. `options` becomes the payload of run.started. */
  create(tenant: string, workflow: Workflow, options: JsonObject): RunRecord;
  /** Starts a replay of `source` that keeps the source's events below `fromSeq` as fixed history. */
  replay(source: RunRecord, fromSeq: number): RunRecord;
  /** The run, where it exists and belongs to the tenant. */
  find(tenant: string, runId: string): RunRecord | undefined;
  view(run: RunRecord): RunView;
  /** Ends a run that has not ended yet. */
  cancel(run: RunRecord): void;
  /** Goes on with every run whose log has no end, after a restart. */
  resume(): void;
  /** Resolves when no run executes any more. The log must have been closed before. */
  idle(): Promise<void>;
}

export interface RunServiceParts extends WorldParts {
  readonly store: Store;
  readonly workflows: ReadonlyMap<string, Workflow>;
}

/** The run service of a host. */
export function createRunService(parts: RunServiceParts): RunService {
  const { store, workflows } = parts;
  const executing = new Map<string, Promise<void>>();

  const carryOut = async (run: RunRecord): Promise<void> => {
    try {
      await execute(parts, run);
    } catch {
      // The store takes no writes: the run stays unfinished and goes on at the next start.
    } finally {
      executing.delete(run.runId);
    }
  };
  const launch = (run: RunRecord): void => void executing.set(run.runId, carryOut(run));

  return {
    create(tenant, workflow, options) {
      const run: RunRecord = { runId: newId('run'), tenant, workflowId: workflow.id };
      store.runs.insert(run);
      store.events.append(run.runId, { type: 'run.started', payload: options });
      launch(run);
      return run;
    },
    replay(source, fromSeq) {
      const history = store.events.read(source.runId);
      const run: RunRecord = {
        runId: newId('run'),
        tenant: source.tenant,
        workflowId: source.workflowId,
        fork: { parentRunId: source.runId, mode: 'replay' },
      };
      store.runs.insert(run);
      const fixed = history.filter((event) => event.sequence < fromSeq);
      store.events.inherit(run.runId, fixed);
      if (fixed.length === 0) {
        store.events.append(run.runId, { type: 'run.started', payload: fold(history).options });
      }
      launch(run);
      return run;
    },
    find(tenant, runId) {
      const run = store.runs.get(runId);
      return run?.tenant === tenant ? run : undefined;
    },
    view: (run) => ({ run, state: fold(store.events.read(run.runId)) }),
    cancel(run) {
      store.events.append(run.runId, { type: 'run.cancelled', payload: {} });
    },
    resume() {
      for (const run of store.runs.unfinished()) if (workflows.has(run.workflowId)) launch(run);
    },
    async idle() {
      while (executing.size > 0) await Promise.all(executing.values());
    },
  };
}

/** Executes from the fold of the log to the run's end, or until the log takes no more (cancelled, timed out, closing). */
async function execute(parts: RunServiceParts, run: RunRecord): Promise<void> {
  const { store, workflows } = parts;
  await nextTurn();
  const workflow = workflows.get(run.workflowId);
  if (workflow === undefined) return;
  const timer = deadline(parts, run, workflow);
  try {
    const state = fold(store.events.read(run.runId));
    for await (const draft of runDrafts(workflow, state, worldOf(parts, run))) {
      if (store.events.append(run.runId, draft) === undefined) return;
    }
  } catch {
    const error = { code: 'internal_error', message: 'The host could not go on with this run.' };
    store.events.append(run.runId, { type: 'run.failed', payload: { error } });
  } finally {
    clearTimeout(timer);
  }
}

function worldOf(parts: RunServiceParts, run: RunRecord): World {
  const { store } = parts;
  if (run.fork === undefined) return createWorld(parts, run);
  const { parentRunId } = run.fork;
  const events: readonly RunEvent[] = store.events.read(parentRunId);
  return createWorld(parts, run, { runId: parentRunId, events, lineage: store.runs.lineage(parentRunId) });
}

function deadline(parts: RunServiceParts, run: RunRecord, { settings }: Workflow): NodeJS.Timeout | undefined {
  if (settings.timeout === undefined) return undefined;
  const error = { code: 'run_timeout', message: `The run took longer than ${settings.timeout} ms.` };
  const fail = (): void => void parts.store.events.append(run.runId, { type: 'run.failed', payload: { error } });
  return setTimeout(fail, settings.timeout).unref();
}

/** Lets the answer to the request that started a run go out before the run takes the thread. */
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
