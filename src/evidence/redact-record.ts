import { redactHeaders, redactJson, type Redactor } from './redact.ts';
import type { BodyRecord, EvidenceRecord, ExchangeRecord, Json, Observation } from './types.ts';
import { cut } from './cut.ts';

/** Characters of a body, and of a message, that are kept. */
export const KEPT_CHARACTERS = 16_384;

/** The same record without credentials: every text in it that a host may have chosen, and the credential headers. */
export function redactRecord<R extends EvidenceRecord>(record: R, redact: Redactor): R;
export function redactRecord(record: EvidenceRecord, redact: Redactor): EvidenceRecord {
  switch (record.kind) {
    case 'run': {
      const { baseUrl, baseUrlB } = record.target;
      const second = baseUrlB === undefined ? {} : { baseUrlB: redact(baseUrlB) };
      return { ...record, target: { ...record.target, baseUrl: redact(baseUrl), ...second } };
    }
    case 'plan':
      return { ...record, reason: redactMessage(record.reason, redact) };
    case 'driven':
      return record.message === undefined ? record : { ...record, message: redactMessage(record.message, redact) };
    case 'exchange':
      return redactExchange(record, redact);
    case 'observation':
      return { ...record, observation: redactObservation(record.observation, redact) };
    case 'end':
      return record;
  }
}

/** A message may quote a part of anything: it is bounded, and parts of credentials go too. */
function redactMessage(message: string, redact: Redactor): string {
  return redact(cut(message, KEPT_CHARACTERS), 'pieces');
}

/**
 * An observation as JSON and redacted, but for the members that are the harness's own. A `request` that is no JSON text
 * names a method and a path, and a host chooses the run's id in that.
 */
function redactObservation(observation: Observation, redact: Redactor): Observation {
  const { type, exchanges, ...rest } = observation as Observation & { [key: string]: Json };
  const { request } = rest;
  const kept = typeof request === 'string' && /^[[{]/u.test(request) ? { request } : undefined;
  const searched = kept === undefined ? rest : { ...rest, request: null };
  return { ...(redactJson(searched, redact) as typeof rest), ...kept, type, exchanges };
}

/**
 * A URL without credentials. Whatever stands behind its origin may be made of a host's text, such as an id that differs
 * from a real one in a few characters: parts of credentials go too.
 */
export function redactUrl(url: string, redact: Redactor): string {
  const whole = redact(url);
  const [origin = ''] = /^[a-z]+:\/\/[^/?#]*/iu.exec(whole) ?? [];
  return origin + redact(whole.slice(origin.length), 'pieces');
}

function redactExchange(record: ExchangeRecord, redact: Redactor): ExchangeRecord {
  const { request, answer } = record;
  const { body } = request;
  return {
    ...record,
    request: {
      ...request,
      url: redactUrl(request.url, redact),
      headers: redactHeaders(request.headers, redact),
      ...(body === undefined ? {} : { body: redactBody(body, redact) }),
    },
    answer:
      answer.kind === 'failure'
        ? { ...answer, message: redactMessage(answer.message, redact) }
        : { ...answer, headers: redactHeaders(answer.headers, redact), body: redactBody(answer.body, redact) },
  };
}

/**
 * The host may have ended a body in the middle of a credential, or a request may name what the host chose. It is cut after
 * it was searched; length and digest are always those of the whole.
 */
function redactBody(body: BodyRecord, redact: Redactor): BodyRecord {
  const text = redact(body.text, 'cut');
  if (text.length <= KEPT_CHARACTERS) return { ...body, text };
  return { ...body, text: cut(text, KEPT_CHARACTERS), truncated: true };
}
