import { randomUUID } from 'node:crypto';
import type { Variant } from './variant.ts';
import { around, rewritingText } from './wire.ts';

const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const HOST_ID = /(?:run|evt)_[0-9A-HJKMNP-TV-Z]{26}/g;

/** Runs and events are called by UUIDs. */
export const uuidIds: Variant = {
  id: 'uuid-ids',
  parts: () => {
    const toWire = new Map<string, string>();
    const toHost = new Map<string, string>();
    const named = (id: string): string => {
      const known = toWire.get(id) ?? randomUUID();
      toWire.set(id, known);
      toHost.set(known, id);
      return known;
    };
    return around(/^/, async (request, next) => {
      const url = request.url.replaceAll(UUID, (id) => toHost.get(id) ?? id);
      const response = await next(url === request.url ? request : new Request(url, request));
      return rewritingText(response, (text) => text.replaceAll(HOST_ID, named));
    })();
  },
};
