import { cut } from '../../src/evidence/cut.ts';
import type { Discovery } from '../../src/contract/discovery.ts';
import type { Evidence } from '../../src/contract/outcome.ts';
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

/** A discovery document that is a JSON object, where its parts stand, and the observation to cite. */
export interface Advertised {
  readonly document: Readonly<Record<string, unknown>>;
  readonly discovery: Discovery;
  readonly evidence: Evidence;
}

/** A value for a message, short. */
export function shown(value: unknown): string {
  return value === undefined ? 'absent' : short(JSON.stringify(value));
}

/** A text that a host may have chosen, cut. */
export function short(text: string): string {
  return text.length > 200 ? `${cut(text, 200)}…` : text;
}
