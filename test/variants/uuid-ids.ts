import { randomUUID } from 'node:crypto';
import { renamedIds } from './renamed-ids.ts';
import type { Variant } from './variant.ts';

/** Runs and events are called by UUIDs. */
export const uuidIds: Variant = {
  id: 'uuid-ids',
  parts: renamedIds(() => ({
    host: /(?:run|evt)_[0-9A-HJKMNP-TV-Z]{26}/g,
    wire: /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g,
    name: randomUUID,
  })),
};
