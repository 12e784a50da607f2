import { type TenantLimits, tooMany } from './limits.ts';
import type { Store } from '../store/store.ts';
import type { Answer } from '../types/answers.ts';

/** Runs are kept, so that waiting makes room only where somebody clears the data file. */
const RETRY_SECONDS = 3600;

/** The refusal of one more run; undefined where the tenant may have it. */
export function runsUsedUp(
  store: Pick<Store, 'runs'>,
  tenant: string,
  { runs }: Pick<TenantLimits, 'runs'>,
): Answer | undefined {
  if (store.runs.count(tenant) < runs) return undefined;
  return tooMany('run_limit_reached', `A tenant may have ${runs} runs.`, RETRY_SECONDS);
}
