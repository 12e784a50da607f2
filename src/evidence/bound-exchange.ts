import type { EvidenceBudget } from './budget.ts';
import type { BodyRecord, ExchangeRecord } from './types.ts';

/**
 * Bounds an exchange by what is left of the evidence, and counts it. `inMemory` is what stays with the process: what is
 * judged does not look at the bodies of answers, so that these stay only while there is little of them.
 */
export function boundExchange(
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
