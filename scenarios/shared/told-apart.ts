import { fail, idsOf, type Outcome } from '../../src/contract/outcome.ts';
import { apartFrom } from './apart-from.ts';
import type { Difference } from './compared.ts';
import type { RecordedRun } from './need.ts';

/** What a replay does otherwise than its source. */
export interface Otherwise {
  readonly mismatch: Difference;
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
}

/** Workflows that are told beside the first. */
const MOST = 12;

/**
 * The failure of a row about many workflows, some of which show something, each with what has nothing to do with it: what another row
 * explains in one it need not explain in the next. What another check owns comes last; undefined where nothing was found.
 */
export function failByAll(found: readonly Otherwise[], volatile: readonly string[]): Outcome | undefined {
  const own = found.filter(({ mismatch }) => mismatch.restsOn === undefined);
  const [first, ...further] = (own.length > 0 ? own : found).slice(0, 1 + MOST).map(({ mismatch, source, replay }) => ({
    ...mismatch,
    ...apartFrom(source, replay, volatile),
    evidence: idsOf([source, replay]),
  }));
  if (first === undefined) return undefined;
  const { evidence, ...told } = first;
  return fail({ ...told, further: own.length > 1 ? further : undefined }, evidence);
}
