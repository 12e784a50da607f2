import type { RunService } from '../engine/run-service.ts';
import { stringMember } from '../json.ts';
import type { HostParts } from '../parts.ts';
import type { RunSecrets } from '../privacy/run-secrets.ts';
import { isAboutReplay, type RunEvent } from '../store/event.ts';
import type { Expired, ExpiredEvent } from '../store/expired.ts';
import { fold } from '../store/fold.ts';
import { packState, stateBefore } from '../store/packed-state.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { invalid, type Answer, refusal } from '../types/answers.ts';

/** What retention, deletion and audit work with. */
export interface Governed {
  readonly store: Store;
  readonly secrets: RunSecrets;
  readonly runs: RunService;
  readonly parts: HostParts;
}

/**
 * Lets the events of a run below a sequence number expire: they are deleted for good, and what is left can still be shown
 * and forked. Nothing expires while the run, or one that may need its events, has not ended.
 */
export function expireEvents(parts: Governed, run: RunRecord, beforeSeq: unknown): Answer {
  const { store } = parts;
  const { runId } = run;
  const [first] = store.events.read(runId, undefined, 1);
  const last = store.events.last(runId);
  if (typeof beforeSeq !== 'number' || !Number.isSafeInteger(beforeSeq) || beforeSeq < 0) {
    return invalid('beforeSeq must be a non-negative integer.');
  }
  const busy = inUse(store, run, [run]);
  if (first === undefined || last === undefined || busy !== undefined) return busy ?? invalid('The run has no events.');
  if (beforeSeq > last.sequence) return invalid('beforeSeq lies beyond the last event.');
  if (beforeSeq <= first.sequence) return { status: 200, body: { runId, boundary: first.sequence } };
  store.atomically(() => {
    store.expired.put(runId, whatIsKept(parts, run, beforeSeq));
    store.events.expire(runId, beforeSeq);
  });
  store.shed();
  return { status: 200, body: { runId, boundary: beforeSeq } };
}

function whatIsKept({ store, secrets }: Governed, run: RunRecord, beforeSeq: number): Expired {
  const before = store.expired.get(run.runId);
  const gone = store.events.read(run.runId).filter(({ sequence }) => sequence < beforeSeq);
  const own = secrets.own(run);
  return {
    beforeSeq,
    state: packState(fold(gone, stateBefore(before))),
    events: [...(before?.events ?? []), ...gone.filter(({ type }) => !isAboutReplay(type)).map(inShort)],
    secrets: [...own.secrets],
    children: [...own.children],
  };
}

/** The members of payloads by which a fixed history shows what a node has done: children, and answered questions. */
const REPORTED = ['childRunId', 'phase', 'key'] as const;

function inShort({ nodeId, type, payload }: RunEvent): ExpiredEvent {
  const reported = REPORTED.flatMap((name) => {
    const value = stringMember(payload, name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { type, payload: Object.fromEntries(reported), ...(nodeId === undefined ? {} : { nodeId }) };
}

/** A run with everything that was forked from it or dispatched by it, near or far. */
export function descendants({ runs }: Pick<Store, 'runs'>, run: RunRecord): readonly RunRecord[] {
  const found = new Map([[run.runId, run]]);
  for (const { runId } of found.values()) {
    for (const each of [...runs.forks(runId), ...runs.children(runId)]) found.set(each.runId, each);
  }
  return [...found.values()];
}

/**
 * 409 as long as one of these runs, or one that the run was dispatched by, or a descendant of it, is not over: it may still
 * need what is to go.
 */
export function inUse(store: Store, run: RunRecord, runs: readonly RunRecord[]): Answer | undefined {
  const dispatcher = run.dispatchedBy === undefined ? undefined : store.runs.get(run.dispatchedBy.runId);
  const concerned = [...runs, ...descendants(store, run), ...(dispatcher === undefined ? [] : [dispatcher])];
  const open = concerned.find(({ runId }) => !store.events.hasEnded(runId));
  if (open === undefined) return undefined;
  return refusal(409, 'run_in_use', 'A run that may need this data is not over.', { runId: open.runId });
}

/**
 * The runs of a host whose events expire by the clock, this many seconds after they were written (replay.md, Retention):
 * whoever looks for a run finds only what is left of it. A run's last event stays, and nothing expires that may still be
 * needed.
 */
export function expiringRuns(governed: Governed, seconds: number): RunService {
  return {
    ...governed.runs,
    find(tenant, runId) {
      const run = governed.runs.find(tenant, runId);
      if (run !== undefined) expireOld(governed, run, governed.store.now() - seconds * 1000);
      return run;
    },
  };
}

function expireOld(governed: Governed, run: RunRecord, before: number): void {
  const { events } = governed.store;
  const isOld = ({ timestamp }: { readonly timestamp: string }): boolean => Date.parse(timestamp) < before;
  if (!events.hasEnded(run.runId) || !events.read(run.runId, undefined, 1).some(isOld)) return;
  const left = events.read(run.runId).find((event) => !isOld(event)) ?? events.last(run.runId);
  // What is refused here is still in use: it expires when it is looked for later.
  expireEvents(governed, run, left?.sequence);
}
