import type { LocalServer } from '../local-server.ts';
import { around, isEventStream } from '../variants/wire.ts';
import { spoilt } from './behaviour.ts';

/** A route of a host, and scenarios that ask it. */
export interface RouteUnderFire {
  readonly name: string;
  readonly path: RegExp;
  /** Which of the answers there is meant; all where absent. */
  readonly only?: (request: Request, response: Response) => boolean;
  readonly scenarios: readonly string[];
}

const LOGS = ['sequence.side-effects', 'sequence.readings', 'fork.full-replay'];
const KEYS = ['cache-key.reproducible-offline', 'cache-key.lowercase-hex'];
const events = /^\/v1\/runs\/[^/]+\/events$/;

/** The routes by which a host can send too much. */
export const ROUTES: readonly RouteUnderFire[] = [
  { name: 'discovery', path: /^\/\.well-known\/openwop$/, scenarios: ['discovery.document'] },
  { name: 'run-create', path: /^\/v1\/runs$/, scenarios: LOGS },
  { name: 'snapshot', path: /^\/v1\/runs\/[^/:]+$/, scenarios: LOGS },
  { name: 'events-json', path: events, scenarios: LOGS },
  { name: 'events-stream', path: events, only: (_, response) => isEventStream(response), scenarios: LOGS },
  { name: 'poll', path: /^\/v1\/runs\/[^/]+\/events\/poll$/, scenarios: LOGS },
  { name: 'fork', path: /:fork$/, only: ({ method }) => method === 'POST', scenarios: LOGS },
  { name: 'seam', path: /^\/v1\/host\/sample\/test\//, scenarios: KEYS },
];

/** Spoils the host's own answer at a route. */
export function at(
  { path, only = () => true }: RouteUnderFire,
  spoil: (response: Response) => Response | Promise<Response>,
): () => Promise<LocalServer> {
  return spoilt(
    around(path, async (request, next) => {
      const response = await next(request);
      return only(request, response) ? spoil(response) : response;
    })(),
  );
}
