import { randomUUID } from 'node:crypto';
import type { Variant } from './variant.ts';
import { around, rewritingText } from './wire.ts';

interface Renaming {
  /** The ids of the host that get another name. */
  readonly host: RegExp;
  /** What may be such a name in a request. */
  readonly wire: RegExp;
  /** The next name. */
  readonly name: () => string;
}

/** Ids get other names, one to one: in requests and answers, in spans and in whatever is computed of them. */
function renamedIds(renaming: () => Renaming): Variant['parts'] {
  return ({ ledger, llmCache, span }) => {
    const { host, wire, name } = renaming();
    const toWire = new Map<string, string>();
    const toHost = new Map<string, string>();
    const named = (id: string): string => {
      const known = toWire.get(id) ?? name();
      toWire.set(id, known);
      toHost.set(known, id);
      return known;
    };
    const inside = (text: string): string => text.replaceAll(wire, (id) => toHost.get(id) ?? id);
    const onWire = around(/^/, async (request, next) => {
      const { method, headers, signal } = request;
      const text = await request.text();
      const body = text === '' ? {} : { body: inside(text) };
      const response = await next(new Request(inside(request.url), { method, headers, signal, ...body }));
      return rewritingText(response, (answer) => answer.replaceAll(host, named));
    })();
    return {
      ...onWire,
      span: (attributes) =>
        Object.fromEntries(
          Object.entries(span(attributes)).map(([key, value]) => [
            key,
            typeof value === 'string' ? value.replaceAll(host, named) : value,
          ]),
        ),
      llmCache: {
        ...llmCache,
        invocationId: (call) => llmCache.invocationId({ ...call, runId: named(call.runId) }),
      },
      ledger: {
        ...ledger,
        idempotencyKey: (call, canonical) => ledger.idempotencyKey({ ...call, runId: named(call.runId) }, canonical),
        externalKey: (call) => ledger.externalKey({ ...call, runId: named(call.runId) }),
      },
    };
  };
}

/** Runs and events are called by UUIDs. */
export const uuidIds: Variant = {
  id: 'uuid-ids',
  parts: renamedIds(() => ({
    host: /(?:run|evt)_[0-9A-HJKMNP-TV-Z]{26}/g,
    wire: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    name: randomUUID,
  })),
};

/** Runs are counted: their ids are the numbers from 0 on. */
export const countedIds: Variant = {
  id: 'counted-ids',
  parts: renamedIds(() => {
    let next = 0;
    const name = (): string => {
      next += 1;
      return String(next - 1);
    };
    return {
      host: /run_[0-9A-HJKMNP-TV-Z]{26}/g,
      wire: /(?<=\/runs\/|against=|parentRunId=|[rR]unId":\s*")\d+/g,
      name,
    };
  }),
};
