import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { goesBeyond } from '../../src/host/exchanged.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { cut } from '../../src/evidence/cut.ts';

/** What the seam said to one request. */
export type KeyAnswered =
  | { readonly kind: 'key'; readonly key: string }
  /** A status outside 2xx; `key` where one came all the same. */
  | { readonly kind: 'refused'; readonly status: number; readonly key?: string }
  /** `characters` of a cacheKey that is longer than any key; absent in old evidence. */
  | { readonly kind: 'no-key'; readonly status: number; readonly why: string; readonly characters?: number }
  | { readonly kind: 'failure'; readonly reason: string };

/**
 * The part that a request plays in its row: `control` is plain and has nothing of the row's hazard, `probe` has, `either`
 * may be answered in several ways and is only reported; the others belong to the vectors: `shrunk` is the smallest wrong
 * request, `pair` one vector sent in another way, `alike` a request that has only its length in common with another. `again` repeats a request that got a wrong key.
 */
export type Part = 'control' | 'probe' | 'either' | 'golden' | 'generated' | 'shrunk' | 'pair' | 'alike' | 'again';

/** One request to the seam llm-cache-key and its answer. `request` is the exact text that was sent. */
export interface KeyObservation extends Observation {
  readonly type: 'key';
  readonly name: string;
  readonly part: Part;
  readonly request: string;
  /** What was different about the sending: a header, the connection, the credential. */
  readonly variation?: string;
  /** Sent to the second host. */
  readonly secondHost?: true;
  /** A refusal is as good as a key: the documents leave open whether the request has a form. */
  readonly mayRefuse?: true;
  /** The request that this one's key is compared with. */
  readonly like?: string;
  readonly answer: KeyAnswered;
}

/** The drive stopped before everything was sent. */
export interface CutShortObservation extends Observation {
  readonly type: 'cut-short';
  readonly part: Part;
  readonly asked: number;
  readonly planned: number;
  readonly reason: string;
}

export type CacheKeyObservation = KeyObservation | CutShortObservation;

export type RecordedKey = Recorded<KeyObservation>;

/** Longer strings are no digest in any notation; they are not carried into the evidence. */
const LONGEST = 1024;

/** Reads the seam's answer: any 2xx JSON object with a string `cacheKey` of bounded length is a key. */
export function readAnswer(exchange: Exchange): KeyAnswered {
  if (exchange.kind === 'failure') return { kind: 'failure', reason: exchange.reason };
  const { status, json } = exchange;
  if (goesBeyond(json)) return { kind: 'failure', reason: json.message };
  const body = json.ok && isRecord(json.value) ? json.value : undefined;
  const key = body !== undefined && Object.hasOwn(body, 'cacheKey') ? body['cacheKey'] : undefined;
  if (!isSuccess(status))
    return { kind: 'refused', status, ...(typeof key === 'string' ? { key: key.slice(0, LONGEST) } : {}) };
  if (typeof key === 'string' && key.length <= LONGEST) return { kind: 'key', key };
  if (typeof key === 'string') {
    const { length: characters } = key;
    return { kind: 'no-key', status, why: `a cacheKey of ${characters} characters`, characters };
  }
  if (!json.ok) return { kind: 'no-key', status, why: json.message };
  return { kind: 'no-key', status, why: 'the answer has no string cacheKey' };
}

/** Whether an answer neither gives a key nor says anything about the request. */
export function isUnobserved(answer: KeyAnswered): boolean {
  return answer.kind === 'failure' || (answer.kind === 'refused' && saysNothing(answer.status, 'body'));
}

/** An answer in a few words. */
export function shownAnswer(answer: KeyAnswered): string {
  switch (answer.kind) {
    case 'key':
      return shownKey(answer.key);
    case 'refused':
      return `refused with ${answer.status}${answer.key === undefined ? '' : `, and the key ${shownKey(answer.key)} beside it`}`;
    case 'no-key':
      return `${answer.status} without a key (${answer.why})`;
    case 'failure':
      return `no answer (${answer.reason})`;
  }
}

const SHOWN = 100;

/** A key as it came, shortened where it is longer than any digest. */
export function shownKey(key: string): string {
  return key.length > SHOWN ? `${JSON.stringify(cut(key, SHOWN))}…` : JSON.stringify(key);
}
