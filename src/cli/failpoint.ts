import type { Failpoint } from '../../reference-host/index.ts';
import { UsageError } from '../contract/usage-error.ts';

/**
 * The failpoint that the environment arms from the start on, `FAILPOINT=name@hit`; undefined where it arms none. Throws
 * UsageError for anything else than one of the `known` names and a whole number from 1 up.
 */
export function armedFailpoint(
  { FAILPOINT: text = '' }: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): Failpoint | undefined {
  if (text === '') return undefined;
  const { name = '', hit = '' } = /^(?<name>[^@]+)@(?<hit>[1-9]\d{0,14})$/u.exec(text)?.groups ?? {};
  if (name === '') throw new UsageError(`FAILPOINT takes name@hit, hit from 1 up, not ${JSON.stringify(text)}`);
  if (!known.includes(name)) {
    throw new UsageError(`FAILPOINT: no failpoint is called ${JSON.stringify(name)}: ${known.join(', ')}`);
  }
  return { name, hit: Number(hit) };
}
