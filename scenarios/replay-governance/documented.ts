import { replaySupported } from '../../src/contract/gates.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { OPENAPI_PATH } from '../../src/protocol/paths.ts';
import { isAbsent } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { mentionsIn, type Mention } from './mentions.ts';

/** What one of the host's own documents says about how long things are kept. */
interface DocumentObservation extends Observation {
  readonly type: 'document';
  readonly name: string;
  readonly mentions: readonly Mention[];
  /** Why it could not be read; null where it was, and where the host has none. */
  readonly problem: string | null;
}

/** Mentions of one document that are kept. */
const KEPT = 20;

async function drive(probe: Probe): Promise<readonly DocumentObservation[]> {
  const openapi = await probe.host.exchange({ method: 'GET', path: OPENAPI_PATH, anonymous: true });
  return [observe('the discovery document', probe.discoveryExchange), observe('the OpenAPI document', openapi)];
}

function observe(name: string, exchange: Exchange): DocumentObservation {
  const base = { type: 'document', name, exchanges: [exchange.id] } as const;
  if (exchange.kind === 'failure') return { ...base, mentions: [], problem: exchange.reason };
  if (isAbsent(exchange.status)) return { ...base, mentions: [], problem: null };
  if (exchange.status !== 200) return { ...base, mentions: [], problem: `it was answered with ${exchange.status}` };
  if (!exchange.json.ok) return { ...base, mentions: [], problem: exchange.json.message };
  const mentions = mentionsIn(exchange.json.value);
  const order = [...mentions.filter(isDocumented), ...mentions.filter((each) => !isDocumented(each))];
  return { ...base, mentions: order.slice(0, KEPT), problem: null };
}

function isDocumented({ kind }: Mention): boolean {
  return kind === 'documented';
}

/** replay.md, Retention: documentation may stand where no machine reads it, so a link leaves the row open. */
export function judgeDocumented(documents: readonly Recorded<DocumentObservation>[]): Outcome {
  if (documents.length === 0) return undecided('no document was read', []);
  const placed = documents.flatMap(({ name, mentions }) => mentions.map((mention) => ({ name, ...mention })));
  const found = placed.find(isDocumented);
  if (found !== undefined) return pass(documents, `${found.name}, ${found.pointer}`);
  const unread = documents.find(({ problem }) => problem !== null);
  if (unread !== undefined) return undecided(`${unread.name} was not read: ${unread.problem ?? ''}`, documents);
  const [hint] = placed;
  if (hint !== undefined) {
    const where = `${hint.name}, ${hint.pointer}`;
    return undecided(`it may be documented where ${where} points to: name it in replay/retention`, documents);
  }
  return fail(
    {
      expected: 'a retention policy, such as replay/retention in the discovery document, or a link to documentation',
      actual: 'neither the discovery document nor /v1/openapi.json says anything of retention',
    },
    documents,
  );
}

/** replay.md, Retention and garbage collection. */
export const documented = defineScenario<DocumentObservation>({
  suite: 'replay-governance',
  id: 'retention.documented',
  title: 'A host that advertises replay says how long it keeps what a replay needs',
  gate: replaySupported,
  drive,
  checks: [
    {
      id: 'retention.documented',
      title: 'Retention is documented where replay is advertised',
      judge: judgeDocumented,
    },
  ],
});
