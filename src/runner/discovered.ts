import type { Exchange, HostClient } from '../host/client.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import { isAboutCaller } from '../protocol/status.ts';
import { PLAN } from './plan.ts';
import { type Target, variableOf } from './target.ts';

/** The answers to the requests for the discovery document: without a credential, and with it where that was refused. */
export interface Discovered {
  readonly first: Exchange;
  readonly again?: Exchange | undefined;
}

/**
 * Asks for the discovery document, which is for everybody. A host that wants a credential for it all the same gets one, so that the rest
 * of it can be judged.
 */
export async function discover(target: Target, client: HostClient, signal: AbortSignal): Promise<Discovered> {
  const { baseUrl, apiKey } = target;
  const ask = (credential: string | undefined): Promise<Exchange> =>
    client
      .handle({ baseUrl, credential, variable: variableOf(target, 'apiKey'), scenario: PLAN, signal })
      .exchange({ method: 'GET', path: DISCOVERY_PATH, anonymous: credential === undefined });
  const first = await ask(undefined);
  if (apiKey === undefined || first.kind === 'failure' || !isAboutCaller(first.status)) return { first };
  const again = await ask(apiKey);
  return documentOf(again) === undefined ? { first } : { first, again };
}

/** The answer that shows what the host advertises, where one does. */
export function shownIn({ first, again }: Discovered): Exchange {
  return again ?? first;
}

/** The JSON of a 200 answer, or undefined. */
export function documentOf(exchange: Exchange): unknown {
  if (exchange.kind === 'failure' || exchange.status !== 200 || !exchange.json.ok) return undefined;
  return exchange.json.value;
}
