import { member } from '../contract/discovery.ts';
import { firstFault, isDefined } from '../contract/validate.ts';
import { undecided, type Undecided } from '../contract/outcome.ts';
import { unopened } from '../evidence/pack.ts';
import { MARK } from '../evidence/redact.ts';
import type { Observation } from '../evidence/types.ts';
import type { Recorded } from './scenario.ts';

const SCHEMA = 'observations';

/**
 * Where an observation is not what scenarios of a suite record (schemas/observations.schema.json; `plan` is the planner),
 * as a JSON pointer; undefined where it is. It may have been edited, or written by a version that recorded other things.
 */
function faultIn(suite: string, observation: Observation): string | undefined {
  if (!isDefined(SCHEMA, suite)) return undefined;
  const known = faults.get(observation);
  if (known !== undefined) return known.pointer;
  const pointer = firstFault(`${SCHEMA}#${suite}`, unopened(observation)) ?? takenOut(observation);
  faults.set(observation, { pointer });
  return pointer;
}

/** A name or a status of a run that was taken out, as credentials are: nothing can be compared with it. */
function takenOut(observation: Observation): string | undefined {
  for (const document of ['snapshot', 'snapshotAgain']) {
    const name = NAMES.find((each) => member(member(observation, document), each) === MARK);
    if (name !== undefined) return `/${document}/${name}`;
  }
  return undefined;
}

const NAMES = ['status', 'runId', 'workflowId'];

/** Looked at once. */
const faults = new WeakMap<Observation, { readonly pointer: string | undefined }>();

/** Whether an observation may be what a scenario of a suite recorded. */
export function isSound(suite: string, observation: Observation): boolean {
  return faultIn(suite, observation) === undefined;
}

/** The outcome of damaged evidence: nothing is decided by it. Undefined where all observations may be what was recorded. */
export function damageIn(suite: string, recorded: readonly Recorded<Observation>[]): Undecided | undefined {
  for (const each of recorded) {
    const pointer = faultIn(suite, each);
    if (pointer === undefined) continue;
    return undecided(`the evidence is damaged: ${each.id} is not as it is recorded, at ${pointer}`, [each]);
  }
  return undefined;
}
