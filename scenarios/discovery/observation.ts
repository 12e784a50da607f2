import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import { goesBeyond } from '../../src/host/exchanged.ts';

/** The one answer that all rows of the suite are judged from. */
export interface DiscoveryObservation extends Observation {
  readonly type: 'discovery';
  readonly answer:
    | { readonly kind: 'document'; readonly status: number; readonly contentType: string; readonly document: Json }
    | {
        readonly kind: 'no-json';
        readonly status: number;
        readonly contentType: string;
        readonly why: string;
        readonly tooDeep: boolean;
      }
    | { readonly kind: 'no-answer'; readonly reason: string; readonly message: string };
}

/** Records an answer to GET /.well-known/openwop as it came. */
export function observeDiscovery(exchange: Exchange): DiscoveryObservation {
  const base = { type: 'discovery', exchanges: [exchange.id] } as const;
  if (exchange.kind === 'failure') {
    return { ...base, answer: { kind: 'no-answer', reason: exchange.reason, message: exchange.message } };
  }
  const { status, json } = exchange;
  const contentType = exchange.headers['content-type'] ?? '';
  if (json.ok) return { ...base, answer: { kind: 'document', status, contentType, document: json.value as Json } };
  return { ...base, answer: { kind: 'no-json', status, contentType, why: json.message, tooDeep: goesBeyond(json) } };
}
