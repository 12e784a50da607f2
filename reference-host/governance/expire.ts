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
import { invalid, type Answer } from '../types/answers.ts';
import { inUse } from './in-use.ts';

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
