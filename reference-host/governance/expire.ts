import { positionAfter } from '../engine/execution.ts';
import { fold } from '../engine/fold.ts';
import { packState, unpackState } from '../engine/packed-state.ts';
import type { Answer } from '../http/answers.ts';
import { invalid } from '../http/answers.ts';
import type { RunSecrets } from '../privacy/run-secrets.ts';
import { member } from '../json.ts';
import type { RunEvent } from '../store/event.ts';
import type { Expired } from '../store/expired.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Store } from '../store/store.ts';
import { inUse } from './in-use.ts';

export interface GovernedStore {
  readonly store: Store;
  readonly secrets: RunSecrets;
}

/**
 * Lets the events of a run below a sequence number expire: they are deleted for good, and what is left can still be shown
 * and forked. Nothing expires while the run, or one that may need its events, has not ended.
 */
export function expireEvents(parts: GovernedStore, run: RunRecord, beforeSeq: unknown): Answer {
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
  store.shedLog();
  return { status: 200, body: { runId, boundary: beforeSeq } };
}

function whatIsKept({ store, secrets }: GovernedStore, run: RunRecord, beforeSeq: number): Expired {
  const before = store.expired.get(run.runId);
  const gone = store.events.read(run.runId).filter(({ sequence }) => sequence < beforeSeq);
  const own = secrets.own(run);
  return {
    beforeSeq,
    state: packState(fold(gone, before === undefined ? undefined : unpackState(before.state))),
    position: positionAfter(gone, before),
    shown: shownBy(gone, before),
    secrets: [...own.secrets],
    children: [...own.children],
  };
}

/** One of each kind is enough, but for those that say which act of the node they are about. */
function shownBy(gone: readonly RunEvent[], before: Expired | undefined): Expired['shown'] {
  const shown = gone.flatMap(({ nodeId, type, payload }) => {
    const named = NAMES.filter((name) => typeof member(payload, name) === 'string');
    if (nodeId === undefined) return [];
    if (named.length === 0) return [{ nodeId, type }];
    return [{ nodeId, type, payload: Object.fromEntries(named.map((name) => [name, member(payload, name)])) }];
  });
  const all = [...(before?.shown ?? []), ...shown];
  return [...new Map(all.map((each) => [JSON.stringify(each), each])).values()];
}

const NAMES = ['phase', 'childRunId', 'key'] as const;
