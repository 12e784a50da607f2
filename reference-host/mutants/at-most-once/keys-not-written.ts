import { isObject } from '../../json.ts';
import type { Mutant } from '../mutant.ts';

export const keysNotWritten: Mutant = {
  id: 'keys-not-written',
  breaks: 'The events of a tool call hold no idempotency key.',
  kills: ['once.idempotency-key', 'region.same-fork.log'],
  parts: () => ({
    eventOnWire: (event) => {
      if (!isObject(event.payload)) return event;
      const members = Object.entries(event.payload).filter(([name]) => name !== 'idempotency_key');
      return { ...event, payload: Object.fromEntries(members) };
    },
  }),
};
