import { randomUUID } from 'node:crypto';
import type { Variant } from './variant.ts';
import { around, rewritingText } from './wire.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HOST_ID = /(?:run|evt)_[0-9A-HJKMNP-TV-Z]{26}/g;

/** Runs and events are called by UUIDs. */
export const uuidIds: Variant = {
  id: 'uuid-ids',
  parts: ({ ledger, llmCache, span }) => {
    const toWire = new Map<string, string>();
    const toHost = new Map<string, string>();
    const named = (id: string): string => {
      const known = toWire.get(id) ?? randomUUID();
      toWire.set(id, known);
      toHost.set(known, id);
      return known;
    };
    const inside = (text: string): string => text.replaceAll(UUID, (id) => toHost.get(id) ?? id);
    const wire = around(/^/, async (request, next) => {
      const { method, headers, signal } = request;
      const text = await request.text();
      const body = text === '' ? {} : { body: inside(text) };
      const response = await next(new Request(inside(request.url), { method, headers, signal, ...body }));
      return rewritingText(response, (answer) => answer.replaceAll(HOST_ID, named));
    })();
    return {
      ...wire,
      span: (attributes) =>
        Object.fromEntries(
          Object.entries(span(attributes)).map(([name, value]) => [
            name,
            typeof value === 'string' ? value.replaceAll(HOST_ID, named) : value,
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
  },
};
