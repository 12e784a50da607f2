import { undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { OPENAPI_PATH } from '../../src/protocol/paths.ts';
import { isAbsent } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { mentionsIn, type Mention } from './mentions.ts';
import { statementsAt, statementsOfDeletion, type Statement } from './statements.ts';

/** What one of the host's own documents says about what is kept, and about what is deleted. */
export interface DocumentObservation extends Observation {
  readonly type: 'document';
  readonly name: string;
  /** Places that speak of how long something is kept, and links to where they may. */
  readonly mentions: readonly Mention[];
  /** What stands there; absent in older evidence. */
  readonly retention?: readonly Statement[];
  /** What is said about deleted data and forks; absent in older evidence. */
  readonly deletion?: readonly Statement[];
  /** Why it could not be read; null where it was, and where the host has none. */
  readonly problem: string | null;
}

/** A document as judges see it. */
export type SeenDocument = Recorded<DocumentObservation>;

/** Mentions of one document that are kept. */
const KEPT = 20;

/** Reads the documents that a host publishes about itself. */
export async function readDocuments(probe: Probe): Promise<readonly DocumentObservation[]> {
  const openapi = await probe.host.exchange({ method: 'GET', path: OPENAPI_PATH, anonymous: true });
  return [observe('the discovery document', probe.discoveryExchange), observe('the OpenAPI document', openapi)];
}

function observe(name: string, exchange: Exchange): DocumentObservation {
  const nothing = { mentions: [], retention: [], deletion: [] };
  const base = { type: 'document', name, ...nothing, exchanges: [exchange.id] } as const;
  if (exchange.kind === 'failure') return { ...base, problem: exchange.reason };
  if (isAbsent(exchange.status)) return { ...base, problem: null };
  if (exchange.status !== 200) return { ...base, problem: `it was answered with ${exchange.status}` };
  if (!exchange.json.ok) return { ...base, problem: exchange.json.message };
  const { value } = exchange.json;
  const mentions = mentionsIn(value);
  const documented = mentions.filter(isDocumented);
  const order = [...documented, ...mentions.filter((each) => !isDocumented(each))];
  const pointers = documented.slice(0, KEPT).map(({ pointer }) => pointer);
  return {
    ...base,
    mentions: order.slice(0, KEPT),
    retention: statementsAt(value, pointers),
    deletion: statementsOfDeletion(value),
    problem: null,
  };
}

/** Whether a mention says what is kept. */
export function isDocumented({ kind }: Mention): boolean {
  return kind === 'documented';
}

/** Whether all that is said is where to read on. */
function isLink({ text }: Statement): boolean {
  return /^https?:\/\/\S+$/iu.test(text.trim());
}

/** The outcome of older evidence, which holds places alone; undefined where what stands there was recorded. */
export function leftUnrecorded(
  documents: readonly SeenDocument[],
  what: 'retention' | 'deletion',
): Outcome | undefined {
  if (documents.every((each) => each[what] !== undefined)) return undefined;
  return undecided(
    `what the documents say of ${what} was not recorded, as older versions did not: run it again`,
    documents,
  );
}

/** The outcome that is left where a document could not be read, or points elsewhere; undefined where all was seen. */
export function leftUnread(documents: readonly SeenDocument[], what: string): Outcome | undefined {
  const unread = documents.find(({ problem }) => problem !== null);
  if (unread !== undefined) {
    return undecidedUntil(
      'answer the request for it with 200 and JSON, or with 404',
      `${unread.name} was not read: ${unread.problem ?? ''}`,
      documents,
    );
  }
  const [hint] = documents.flatMap(({ name, mentions, retention = [] }) =>
    [...mentions.filter((each) => !isDocumented(each)), ...retention.filter(isLink)].map(
      ({ pointer }) => `${name}, ${pointer}`,
    ),
  );
  if (hint === undefined) return undefined;
  return undecidedUntil(`name ${what} in replay/retention`, `it may be documented where ${hint} points to`, documents);
}
