import { isGatewayError, isInFlight } from '../protocol/status.ts';
import type { TransportFailure } from '../evidence/types.ts';
import type { Exchange, HostHandle } from './client.ts';

/** Failed requests in a row after which it is worth a question whether anybody is there. */
export const ENOUGH_FAILED = 3;

/** Failures that leave open whether there is a host: of any other, somebody has answered something. */
const UNANSWERED: ReadonlySet<TransportFailure> = new Set(['refused', 'unresolvable', 'timeout', 'reset', 'tls']);

/** Whether a host can be reached, as the requests of many runs show. */
export interface Reach {
  /** Aborts when so many requests in a row were not answered, and one more was not. */
  readonly gone: AbortSignal;
  /** The handle for one run, and whether the last of its requests got no answer of the host, or one that puts it off. */
  lend(handle: HostHandle): { readonly handle: HostHandle; readonly isUnreached: () => boolean };
}

/** Watches what becomes of requests; `ask` sends one more where it seems that nobody is there. */
export function createReach(ask: () => Promise<Exchange>): Reach {
  const gone = new AbortController();
  let failed = 0;
  let isAsking = false;
  const look = async (): Promise<void> => {
    isAsking = true;
    if (isUnanswered(await ask())) gone.abort();
    [failed, isAsking] = [0, false];
  };
  const note = (exchange: Exchange): void => {
    if (!isUnanswered(exchange)) failed = 0;
    else if ((failed += 1) >= ENOUGH_FAILED && !isAsking && !gone.signal.aborted) void look();
  };
  return {
    gone: gone.signal,
    lend: (handle) => {
      let last: Exchange | undefined;
      const noted = (exchange: Exchange): Exchange => {
        last = exchange;
        note(exchange);
        return exchange;
      };
      return {
        handle: {
          baseUrl: handle.baseUrl,
          exchange: async (request) => noted(await handle.exchange(request)),
          stream: async (request, reader) => noted(await handle.stream(request, reader)),
        },
        isUnreached: () => last !== undefined && (isUnanswered(last) || isPutOff(last)),
      };
    },
  };
}

function isUnanswered(exchange: Exchange): boolean {
  return exchange.kind === 'failure' && UNANSWERED.has(exchange.reason);
}

function isPutOff(exchange: Exchange): boolean {
  return exchange.kind === 'response' && (isGatewayError(exchange.status) || isInFlight(exchange.status));
}
