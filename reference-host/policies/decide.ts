/** How far a call's events are in the run's log: the last of them that is there (provable-semantics §3). */
export type StreamState = 'none' | 'started' | 'finished' | 'committed';

/** What the ledger knows of a call. RECOVERABLE: in flight under a worker whose lease has run out. */
export type LedgerState = 'NEW' | 'INFLIGHT' | 'COMMITTED' | 'RECOVERABLE';

/** Everything that a worker finds about a call when it comes to it. */
export interface Found {
  readonly stream: StreamState;
  readonly ledger: LedgerState;
  /** Whether the effect store holds the call's result. */
  readonly effect: boolean;
  /** Whether the record in flight is the asking worker's own. */
  readonly own: boolean;
  /** Whether the asking worker has begun to execute the call. */
  readonly begun: boolean;
}

export type Decision =
  /** Execute; `takeOver` where the record of a lost worker has to become the asking worker's first. */
  | { readonly kind: 'AllowExecute'; readonly takeOver: boolean }
  /** Inject what the first source in the order of authority holds, and write whatever is missing. */
  | { readonly kind: 'ReturnRecordedResult'; readonly from: 'stream' | 'ledger' | 'effect' }
  | { readonly kind: 'WaitOtherWorker' }
  /** In flight or lost: executing it might execute it twice (§2, window 2). */
  | { readonly kind: 'Rejected' };

/**
 * What happens with a tool call (provable-semantics §1, §2). The event stream is the authority, then the ledger, then the
 * effect store. The effect store also counts while a record is in flight: its owner may be gone (window 3). A call that
 * has been declared in the stream is executed only by the worker that declared it.
 */
export function decide({ stream, ledger, effect, own, begun }: Found): Decision {
  if (stream === 'finished' || stream === 'committed') return { kind: 'ReturnRecordedResult', from: 'stream' };
  if (ledger === 'COMMITTED') return { kind: 'ReturnRecordedResult', from: 'ledger' };
  if (ledger === 'INFLIGHT' && !own) return { kind: 'WaitOtherWorker' };
  if (effect) return { kind: 'ReturnRecordedResult', from: 'effect' };
  if (own) return begun ? { kind: 'Rejected' } : { kind: 'AllowExecute', takeOver: false };
  if (stream === 'started') return { kind: 'Rejected' };
  return { kind: 'AllowExecute', takeOver: ledger === 'RECOVERABLE' };
}
