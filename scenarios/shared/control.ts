import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { runOf, unseen } from './judge-run.ts';

interface TwinRow {
  readonly check: string;
  /** The role of the valid fork. */
  readonly twin: string;
}

/** The verdict that is left where no valid fork of the source was carried out; undefined where one was. */
export function withoutTwin(
  observations: readonly Recorded<Observation>[],
  { check, twin }: TwinRow,
): Judgement | undefined {
  const source = unseen(check, [runOf(observations, 'source')]);
  if (source !== undefined) return source;
  const fork = runOf(observations, twin);
  return fork !== undefined && fork.runId !== null ? undefined : unseen(check, [fork]);
}
