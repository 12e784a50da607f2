import { hash } from 'node:crypto';
import { redactHeaders, redactJson, type Redactor } from './redact.ts';
import type {
  BodyRecord,
  EvidenceRecord,
  ExchangeAnswerRecord,
  ExchangeRecord,
  Json,
  Observation,
  ObservationRecord,
} from './types.ts';

/** Characters of a body that are kept; length and digest are always those of the whole. */
export const KEPT_BODY_CHARACTERS = 16_384;

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

export type RawAnswer =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly bytes: Uint8Array;
      readonly text: string;
    }
  | Extract<ExchangeAnswerRecord, { kind: 'failure' }>;

/** The records that come complete. */
type PlainRecord = Exclude<EvidenceRecord, { kind: 'exchange' | 'observation' }>;

/** Collects a run's evidence: redacts, bounds, numbers and hands each line on. */
export interface Recorder {
  exchange(raw: RawExchange): string;
  observation(scenario: string, observation: Observation): ObservationRecord;
  add(record: PlainRecord): void;
  readonly records: readonly EvidenceRecord[];
  /** The run's redactor, for texts that reach a report by another way. */
  readonly redact: Redactor;
}

/** Makes a recorder; `sink` gets each record as soon as it is complete. */
export function createRecorder(redact: Redactor, sink?: (record: EvidenceRecord) => void): Recorder {
  const records: EvidenceRecord[] = [];
  let exchanges = 0;
  let observations = 0;
  const add = <R extends EvidenceRecord>(record: R): R => {
    records.push(record);
    sink?.(record);
    return record;
  };
  return {
    records,
    redact,
    add: (record) => add(redactRecord(record, redact)),
    exchange: (raw) => add(exchangeRecord(`x${++exchanges}`, raw, redact)).id,
    observation: (scenario, observation) =>
      add({ kind: 'observation', id: `o${++observations}`, scenario, observation: stored(observation, redact) }),
  };
}

/** A plan's reason and a drive's message may quote the host. */
function redactRecord<R extends PlainRecord>(record: R, redact: Redactor): R {
  switch (record.kind) {
    case 'plan':
      return { ...record, reason: redact(record.reason) };
    case 'driven':
      return record.message === undefined ? record : { ...record, message: redact(record.message) };
    case 'run':
    case 'end':
      return record;
  }
}

/** An observation as JSON and redacted, but for the members that are the harness's own. */
function stored(observation: Observation, redact: Redactor): Observation {
  const { type, exchanges, ...rest } = JSON.parse(JSON.stringify(observation)) as Observation & { [key: string]: Json };
  const kept = typeof rest['request'] === 'string' ? { request: rest['request'] } : {};
  return { ...(redactJson(rest, redact) as typeof rest), ...kept, type, exchanges };
}

function exchangeRecord(id: string, raw: RawExchange, redact: Redactor): ExchangeRecord {
  const { answer } = raw;
  return {
    kind: 'exchange',
    id,
    scenario: raw.scenario,
    request: {
      method: raw.method,
      url: redact(raw.url),
      headers: redactHeaders(raw.headers, redact),
      ...(raw.body === undefined ? {} : { body: requestBody(raw.body) }),
    },
    answer:
      answer.kind === 'failure'
        ? { ...answer, message: redact(answer.message) }
        : {
            kind: 'response',
            status: answer.status,
            headers: redactHeaders(answer.headers, redact),
            body: boundBody(answer.bytes, redact(answer.text)),
          },
    startedAt: raw.startedAt.toISOString(),
    durationMs: raw.durationMs,
  };
}

/** Bytes that are no UTF-8 are kept as replacement characters. */
function requestBody(body: string | Uint8Array): BodyRecord {
  const bytes = Buffer.from(body);
  return boundBody(bytes, typeof body === 'string' ? body : bytes.toString('utf8'));
}

function boundBody(bytes: Uint8Array, text: string): BodyRecord {
  const truncated = text.length > KEPT_BODY_CHARACTERS;
  return {
    text: truncated ? text.slice(0, KEPT_BODY_CHARACTERS).replace(/[\ud800-\udbff]$/u, '') : text,
    bytes: bytes.byteLength,
    sha256: hash('sha256', bytes, 'hex'),
    truncated,
  };
}
