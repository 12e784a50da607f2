import { renamedIds } from './renamed-ids.ts';
import type { Variant } from './variant.ts';

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
