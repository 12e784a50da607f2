import { member } from '../../reference-host/json.ts';
import type { Variant } from './variant.ts';

const TIME = /^(?<seconds>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d+Z$/;

/** The clocks of nodes count whole seconds. */
export const clockInSeconds: Variant = {
  id: 'clock-in-seconds',
  parts: ({ written }) => ({
    written: (draft, writing) => {
      const name = draft.type === 'variable.changed' ? 'value' : draft.type === 'node.completed' ? 'output' : undefined;
      const value = name === undefined ? undefined : member(draft.payload, name);
      const seconds = typeof value === 'string' ? TIME.exec(value)?.groups?.['seconds'] : undefined;
      if (name === undefined || seconds === undefined || typeof draft.payload !== 'object')
        return written(draft, writing);
      return written({ ...draft, payload: { ...draft.payload, [name]: `${seconds}Z` } }, writing);
    },
  }),
};
