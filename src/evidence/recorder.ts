import { hash } from 'node:crypto';
import { boundExchange } from './bound-exchange.ts';
import { createEvidenceBudget } from './budget.ts';
import { createPacker } from './packed-observation.ts';
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
      const { record, inMemory } = boundExchange(exchangeRecord(`x${++exchanges}`, raw, redact), budget);
      return add(record, inMemory).id;
    },
    observation: (scenario, observation) => {
      const id = `o${++observations}`;
      const { record, bytes } = packer.pack({
        kind: 'observation',
        id,
        scenario,
        observation: stored(observation, redact),
      });
      budget.spendOnObservation(scenario, bytes);
      return add(record);
    },
  };
}

/** A plan's reason and a drive's message may quote the host. */
function redactRecord<R extends PlainRecord>(record: R, redact: Redactor): R {
  switch (record.kind) {
    case 'plan':
      return { ...record, reason: redactMessage(record.reason, redact) };
    case 'driven':
      return record.message === undefined ? record : { ...record, message: redactMessage(record.message, redact) };
    case 'run':
    case 'end':
      return record;
  }
}

/** A message may quote a part of anything: it is bounded, and parts of credentials go too. */
function redactMessage(message: string, redact: Redactor): string {
  return redact(message.slice(0, KEPT_BODY_CHARACTERS), 'pieces');
}

/**
 * An observation as JSON and redacted, but for the members that are the harness's own. A `request` that is no JSON text
 * names a method and a path, and a host chooses the run's id in that.
 */
function stored(observation: Observation, redact: Redactor): Observation {
  const { type, exchanges, ...rest } = JSON.parse(JSON.stringify(observation)) as Observation & { [key: string]: Json };
  const { request } = rest;
  const kept = typeof request === 'string' && /^[[{]/u.test(request) ? { request } : undefined;
  const searched = kept === undefined ? rest : { ...rest, request: null };
  return { ...(redactJson(searched, redact) as typeof rest), ...kept, type, exchanges };
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
      ...(raw.body === undefined ? {} : { body: requestBody(raw.body, redact) }),
    },
    answer:
      answer.kind === 'failure'
        ? { ...answer, message: redactMessage(answer.message, redact) }
        : {
            kind: 'response',
            status: answer.status,
            headers: redactHeaders(answer.headers, redact),
            body: boundBody(answer.bytes, answer.text, redact),
          },
    startedAt: raw.startedAt.toISOString(),
    durationMs: raw.durationMs,
  };
}

/** Bytes that are no UTF-8 are kept as replacement characters. */
function requestBody(body: string | Uint8Array, redact: Redactor): BodyRecord {
  return boundBody(body, typeof body === 'string' ? body : Buffer.from(body).toString('utf8'), redact);
}

/** The host may have ended a body in the middle of a credential, or a request may name what the host chose. */
function boundBody(bytes: string | Uint8Array, text: string, redact: Redactor): BodyRecord {
  const searched = text.slice(0, KEPT_BODY_CHARACTERS + SEARCHED_AHEAD);
  const safe = redact(searched, 'cut');
  const truncated = searched.length < text.length || safe.length > KEPT_BODY_CHARACTERS;
  return {
    text: truncated ? safe.slice(0, KEPT_BODY_CHARACTERS).replace(/[\ud800-\udbff]$/u, '') : safe,
    bytes: Buffer.byteLength(bytes),
    sha256: hash('sha256', bytes, 'hex'),
    truncated,
  };
}
