import { createReferenceHost, listen } from '../../reference-host/index.ts';
import type { HostParts } from '../../reference-host/index.ts';
import { serveHttp } from '../local-server.ts';
import type { LocalServer, Received } from '../local-server.ts';
import type { ServerResponse } from 'node:http';

/** One way of answering that does harm, behind a server of its own. */
export interface Behaviour {
  readonly id: string;
  /** What the host is driven with, beside the flags of every behaviour. */
  readonly flags: readonly string[];
  readonly start: () => Promise<LocalServer>;
  /** Which endings are right: 1, 2 or 3 where nothing is said, also 0 where a host may answer so. */
  readonly exitCodes?: readonly number[];
  /** How the credential is given: in OPENWOP_API_KEY where nothing is said. */
  readonly credential?: 'argument' | 'file';
}

/** The credential that every behaviour is driven with. */
export const CREDENTIAL = 'owk_secret-of-the-hostile-house';
export const SCOPES = ['manifest:read', 'runs:create', 'runs:read', 'runs:cancel', 'approvals:respond'];

/** The reference host, with its test seams, with some of its parts replaced. It is never killed at a failpoint. */
export function spoilt(parts: Partial<HostParts>): () => Promise<LocalServer> {
  return async () => {
    const credentials = [{ key: CREDENTIAL, tenant: 'a', scopes: SCOPES }];
    const host = createReferenceHost({ credentials, enableTestSeams: true, parts, die: () => undefined });
    const listening = await listen(host);
    return {
      baseUrl: listening.baseUrl,
      close: async () => {
        await listening.close();
        await host.close();
      },
    };
  };
}

/** A server that answers every request alike, whatever it asks for. */
export function always(answer: (response: ServerResponse, received: Received) => void): () => Promise<LocalServer> {
  return () =>
    serveHttp((received, response) => {
      response.on('error', () => undefined);
      answer(response, received);
    });
}
