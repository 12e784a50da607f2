import type { HostHandle } from '../../src/host/client.ts';
import { jsonIn } from '../../src/host/exchanged.ts';
import { DISCOVERY_PATH } from '../../src/protocol/paths.ts';

/** The discovery document of a second host; `unread` says why there is none. */
export async function readSecond(second: HostHandle) {
  const exchange = await second.exchange({ method: 'GET', path: DISCOVERY_PATH, anonymous: true });
  const document = jsonIn(exchange, 200);
  const unread = document === undefined ? 'the second host gave no discovery document' : null;
  return { document, unread, exchanges: [exchange.id] } as const;
}
