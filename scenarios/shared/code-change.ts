import { type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isUnknown } from './first-run.ts';
import { runOf } from './need.ts';
import { ofType, type Recordings } from './of-type.ts';
import { revise } from './seams.ts';

/** Whether a fixture's code was changed. */
export interface RevisionObservation extends Observation {
  readonly type: 'revision';
  readonly revision: string;
  /** Why the code is as it was; null where it was changed. */
  readonly problem: string | null;
}

/** The version of all fixtures as they ship. */
const ORIGINAL = '1.0.0';

/** One change of a fixture's code, and what is driven while it holds; `isChanged` is false where there is no such seam. */
export interface CodeChange<O> {
  readonly revision: string;
  readonly use: (isChanged: boolean) => Promise<readonly O[]>;
}

/** Makes one change of the code after the other; whatever happens, the original is put back in the end. */
export async function withCodeChanges<O extends Observation>(
  probe: Probe,
  workflowId: string,
  changes: readonly CodeChange<O>[],
): Promise<readonly (O | RevisionObservation)[]> {
  const observations: (O | RevisionObservation)[] = [];
  try {
    for (const { revision, use } of changes) {
      const { problem, exchange } = await revise(probe.host, workflowId, revision);
      observations.push({ type: 'revision', revision, problem, exchanges: [exchange] });
      observations.push(...(await use(problem === null)));
    }
  } finally {
    await revise(probe.host, workflowId, ORIGINAL);
  }
  return observations;
}

/** What came of a change of the code, where it was tried: of the change to a revision, or of the first one. */
export function revisionOf(recorded: Recordings, revision?: string): Recorded<RevisionObservation> | undefined {
  const all = ofType<RevisionObservation>(recorded, 'revision');
  return all.find((each) => revision === undefined || each.revision === revision);
}

/** What is left where the code of a fixture was not changed: because the host did not, or because the run was not made that it is seen by. */
export function leftAsItWas(recorded: Recordings, workflowId: string, or = ''): Outcome {
  const source = runOf(recorded, 'source');
  const refused = revisionOf(recorded)?.problem;
  const isUnseeded = refused === undefined && source !== undefined && isUnknown(source);
  const step = isUnseeded
    ? `seed ${workflowId}, with the seam workflow-revision`
    : `expose the seam workflow-revision with ${workflowId}`;
  const why = refused ?? `${workflowId} could not be run (${source?.problem ?? 'not driven'})`;
  return undecidedUntil(step + or, why, []);
}
