import { hash } from 'node:crypto';
import { createEvidenceBudget, type EvidenceBudget } from './budget.ts';
import { copyPacked } from './pack.ts';
import { createPacker } from './packed-observation.ts';
import { KEPT_CHARACTERS, redactRecord, redactUrl } from './redact-record.ts';
import type { Redactor } from './redact.ts';
import type {
  BodyRecord,
  EvidenceRecord,
  ExchangeAnswerRecord,
  ExchangeRecord,
  Observation,
  ObservationRecord,
} from './types.ts';

export interface RawExchange {
  readonly scenario: string;
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  readonly answer: RawAnswer;
  readonly startedAt: Date;
  readonly durationMs: number;
}

/** The length of a body, and its SHA-256 in hexadecimal. */
export type Whole = Pick<BodyRecord, 'bytes' | 'sha256'>;

export type RawAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Uint8Array;
      readonly text: string;
      /** What the body was as a whole, where `bytes` and `text` are only its beginning. */
      readonly whole?: Whole;
    }
  | Extract<ExchangeAnswerRecord, { kind: 'failure' }>;

/** The records that come complete. */
type PlainRecord = Exclude<EvidenceRecord, { kind: 'exchange' | 'observation' }>;

/** Characters behind the kept ones that are searched with them, so that no credential is met by the cut. */
const SEARCHED_AHEAD = 4096;

/** Collects a run's evidence: redacts, bounds, numbers and hands each line on. */
export interface Recorder {
  exchange(raw: RawExchange): string;
  /** Throws EvidenceFull where the observation is too large to be kept. */
  observation(scenario: string, observation: Observation): ObservationRecord;
  add(record: PlainRecord): void;
  readonly records: readonly EvidenceRecord[];
  /** Aborts with EvidenceFull when nothing more is to be driven. */
  readonly full: AbortSignal;
  /** The run's redactor, for texts that reach a report by another way. */
  readonly redact: Redactor;
}

/** Makes a recorder; `sink` gets each record as soon as it is complete. */
export function createRecorder(redact: Redactor, sink?: (record: EvidenceRecord) => void): Recorder {
  const records: EvidenceRecord[] = [];
  const budget = createEvidenceBudget();
  const packer = createPacker();
  let exchanges = 0;
  let observations = 0;
  const redactorOf = searchWhatIsDerived(redact);
  const add = <R extends EvidenceRecord>(record: R, inMemory: R = record): R => {
    records.push(inMemory);
    sink?.(record);
    return record;
  };
  return {
    records,
    redact,
    full: budget.full,
    add: (record) => add(redactRecord(record, redact)),
    exchange: (raw) => {
      const searched = exchangeRecord(`x${++exchanges}`, raw);
      const { record, inMemory } = boundExchange(redactRecord(searched, redactorOf(searched)), budget);
      return add(record, inMemory).id;
    },
    observation: (scenario, observation) => {
      const id = `o${observations + 1}`;
      const stored: ObservationRecord = { kind: 'observation', id, scenario, observation: named(asJson(observation)) };
      const record = packer.pack(redactRecord(stored, redactorOf(stored)), (bytes) =>
        budget.spendOnObservation(scenario, bytes),
      );
      observations += 1;
      return add(record);
    },
  };
}

/** An observation that names each of its exchanges once. */
function named<T extends Observation>(observation: T): T {
  const exchanges = [...new Set(observation.exchanges)];
  return exchanges.length === observation.exchanges.length ? observation : copyPacked(observation, { exchanges });
}

/**
 * Chooses how a record is searched. Once a host has put a credential into an id of its own, a request may name an id that
 * was made from that one: such an exchange and what was observed in it lose parts of credentials wherever they stand. No
 * others do: a credential may share a word with a fixture, and verdicts are made from that.
 */
function searchWhatIsDerived(redact: Redactor): (record: ExchangeRecord | ObservationRecord) => Redactor {
  const inPieces: Redactor = (text) => redact(text, 'pieces');
  const derived = new Set<string>();
  let isInIds = false;
  return (record) => {
    if (record.kind === 'observation') {
      return record.observation.exchanges.some((id) => derived.has(id)) ? inPieces : redact;
    }
    const { url } = record.request;
    const whole = redact(url);
    isInIds ||= whole !== url;
    if (!isInIds || redactUrl(whole, redact) === whole) return redact;
    derived.add(record.id);
    return inPieces;
  };
}

/** An observation as it can be stored. */
function asJson(observation: Observation): Observation {
  return JSON.parse(JSON.stringify(observation)) as Observation;
}

function exchangeRecord(id: string, raw: RawExchange): ExchangeRecord {
  const { answer, method, url, headers } = raw;
  return {
    kind: 'exchange',
    id,
    scenario: raw.scenario,
    request: { method, url, headers, ...(raw.body === undefined ? {} : { body: requestBody(raw.body) }) },
    answer:
      answer.kind === 'failure'
        ? answer
        : {
            kind: 'response',
            status: answer.status,
            headers: answer.headers,
            body: searchedBody(answer.bytes, answer.text, answer.whole),
          },
    startedAt: raw.startedAt.toISOString(),
    durationMs: raw.durationMs,
  };
}

/** Bytes that are no UTF-8 are kept as replacement characters. */
function requestBody(body: string | Uint8Array): BodyRecord {
  return searchedBody(body, typeof body === 'string' ? body : Buffer.from(body).toString('utf8'));
}

/** A body as far as it is searched for credentials, which is further than it is kept. */
function searchedBody(bytes: string | Uint8Array, text: string, whole?: Whole): BodyRecord {
  const searched = text.slice(0, KEPT_CHARACTERS + SEARCHED_AHEAD);
  return {
    text: searched,
    bytes: whole?.bytes ?? Buffer.byteLength(bytes),
    sha256: whole?.sha256 ?? hash('sha256', bytes, 'hex'),
    truncated: searched.length < text.length,
  };
}

/**
 * Bounds an exchange by what is left of the evidence, and counts it. `inMemory` is what stays with the process: what is
 * judged does not look at the bodies of answers, so that these stay only while there is little of them.
 */
function boundExchange(
  exchange: ExchangeRecord,
  budget: EvidenceBudget,
): { readonly record: ExchangeRecord; readonly inMemory: ExchangeRecord } {
  const cut = (body: BodyRecord): BodyRecord => boundText(body, budget.keptOfBody(body.text.length));
  const { request, answer } = exchange;
  const record: ExchangeRecord = {
    ...exchange,
    request: request.body === undefined ? request : { ...request, body: cut(request.body) },
    answer:
      answer.kind === 'failure'
        ? answer
        : { ...answer, headers: budget.keepsHeaders() ? answer.headers : {}, body: cut(answer.body) },
  };
  budget.spend(Buffer.byteLength(JSON.stringify(record)));
  if (record.answer.kind === 'failure' || budget.keepsInMemory()) return { record, inMemory: record };
  return { record, inMemory: { ...record, answer: { ...record.answer, body: boundText(record.answer.body, 0) } } };
}

/** A cut text is a copy: a part of a text keeps the whole of it in memory. */
function boundText(body: BodyRecord, characters: number): BodyRecord {
  const truncated = body.truncated || body.text.length > characters;
  if (!truncated) return body;
  const text = body.text.slice(0, characters).replace(/[\ud800-\udbff]$/u, '');
  return { ...body, text: Buffer.from(text, 'utf16le').toString('utf16le'), truncated };
}

/** A recorder for work without end whose exchanges nobody looks at again: it numbers them and keeps nothing. */
export function createUnkeptRecorder(redact: Redactor): Recorder {
  let exchanges = 0;
  return {
    exchange: () => `x${++exchanges}`,
    observation: (scenario, observation) => ({ kind: 'observation', id: 'o0', scenario, observation }),
    add: () => undefined,
    records: [],
    full: new AbortController().signal,
    redact,
  };
}
