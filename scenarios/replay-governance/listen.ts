import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { spellingsIn, type Canary } from './canary.ts';

/** A canary in an answer: its number, from 1, and one spelling. */
export interface Shown {
  readonly canary: number;
  readonly spelling: string;
}

/** One answer, searched: nothing of it is kept but where it came from and what it showed. */
export interface Heard {
  readonly surface: Surface;
  /** Method and path. */
  readonly request: string;
  readonly status: number;
  readonly shows: readonly Shown[];
  /** Whether it showed the harmless text beside the canaries. */
  readonly marker: boolean;
  readonly exchange: string;
}

/** Everything that was received about one run, in the order of the requests. */
export interface HeardObservation extends Observation {
  readonly type: 'heard';
  readonly role: string;
  readonly answers: readonly Heard[];
}

/** Surfaces that show the same of every run; the others show what the request was about. */
export const ALIKE = [
  'snapshot',
  'log',
  'log in debug mode',
  'poll',
  'stream',
  'stream in another mode',
  'page',
] as const;

/** Where an answer shows a run. */
export type Surface = (typeof ALIKE)[number] | 'diff' | 'refusal' | 'answer' | 'span';

/** What is listened for. */
export interface Planted {
  readonly canaries: readonly Canary[];
  readonly marker: string;
}

/** Handles whose answers are all searched, one set of answers for each role. */
export interface Listener {
  /** The same host, its answers heard as being about the run of this role. */
  as(role: string, handle: HostHandle): HostHandle;
  /** What was heard about a role so far. */
  heard(role: string): HeardObservation;
}

export function createListener(planted: Planted): Listener {
  const all = new Map<string, Heard[]>();
  const hear = (role: string, request: HostRequest, exchange: Exchange): Exchange => {
    if (exchange.kind === 'failure') return exchange;
    const answers = all.get(role) ?? [];
    all.set(role, answers);
    const { method, path } = request;
    const surface = surfaceOf(request, exchange.status);
    const found = search(planted, `${headerText(exchange.headers)}\n${exchange.text}`);
    const from = { request: `${method} ${path}`, status: exchange.status, exchange: exchange.id };
    answers.push({ surface, ...from, ...found });
    return exchange;
  };
  return {
    as: (role, handle) => ({
      baseUrl: handle.baseUrl,
      exchange: async (request) => hear(role, request, await handle.exchange(request)),
      stream: async (request, reader) => hear(role, request, await handle.stream(request, reader)),
    }),
    heard(role) {
      const answers = all.get(role) ?? [];
      return { type: 'heard', role, answers: [...answers], exchanges: answers.map(({ exchange }) => exchange) };
    },
  };
}

/** What of the planted texts a received text shows. */
export function search({ canaries, marker }: Planted, text: string): Pick<Heard, 'shows' | 'marker'> {
  const shows = canaries.flatMap((canary, index) =>
    spellingsIn(text, canary).map((spelling) => ({ canary: index + 1, spelling })),
  );
  return { shows, marker: text.includes(marker) };
}

function headerText(headers: Readonly<Record<string, string>>): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function surfaceOf({ method, path, headers }: HostRequest, status: number): Surface {
  if (status >= 400) return 'refusal';
  if (headers?.['accept'] === 'text/html') return 'page';
  const [bare = '', query = ''] = path.split('?', 2);
  // A report about a replay compares it with its source.
  if (bare.endsWith(':diff') || bare.endsWith('/determinism')) return 'diff';
  if (method === 'POST') return 'answer';
  if (bare.endsWith('/events/poll')) return 'poll';
  if (!bare.endsWith('/events')) return 'snapshot';
  const isStream = headers?.['accept'] === 'text/event-stream';
  if (query.includes('streamMode=')) return isStream ? 'stream in another mode' : 'log in debug mode';
  return isStream ? 'stream' : 'log';
}

/** What was heard about the run of a role. */
export function heardOf(recorded: Recordings, role: string): Recorded<HeardObservation> | undefined {
  return ofType<HeardObservation>(recorded, 'heard').find((each) => each.role === role);
}
