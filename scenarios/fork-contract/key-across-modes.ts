import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { accepted, bodyOf, namedRun, requestsOf } from '../shared/requested.ts';

/** The row of the request for a branch under the key of a replay of the same run. */
export const OTHER_MODE = 'branch under the key of a replay';

/**
 * The failure of a branch that was requested under the key of a replay, and is that replay by its answer (replay.md, Response: the answer
 * names the mode that was requested; wire-contract, Endpoints: another body under the same key is 409). Undefined where there is none.
 */
export function judgeOtherMode(recorded: Recordings, control: RecordedRun): Outcome | undefined {
  const [requested] = requestsOf(recorded, OTHER_MODE);
  if (requested === undefined || !accepted(requested) || namedRun(requested) !== control.runId) return undefined;
  return fail(
    {
      expected: `409, or a branch of its own, for a branch under the Idempotency-Key of ${named(control)}: its body is another one`,
      actual: `${named(control)}, with mode ${shown(member(bodyOf(requested), 'mode'))}`,
    },
    [requested, control],
  );
}
