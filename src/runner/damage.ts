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
function faultIn(suite: string, observation: Observation): Fault {
  if (!isDefined(SCHEMA, suite)) return {};
  const known = faults.get(observation);
  if (known !== undefined) return known;
  const pointer = firstFault(`${SCHEMA}#${suite}`, unopened(observation));
  const fault = pointer === undefined ? takenOut(observation) : { pointer };
  faults.set(observation, fault);
  return fault;
}

interface Fault {
  readonly pointer?: string;
  /** It is as it was recorded, and the host showed the credential there. */
  readonly isTakenOut?: true;
}

/** A name or a status of a run that was taken out, as credentials are: nothing can be compared with it. */
function takenOut(observation: Observation): Fault {
  for (const document of ['snapshot', 'snapshotAgain']) {
    const name = NAMES.find((each) => member(member(observation, document), each) === MARK);
    if (name !== undefined) return { pointer: `/${document}/${name}`, isTakenOut: true };
  }
  return {};
}

const NAMES = ['status', 'runId', 'workflowId'];

/** Looked at once. */
const faults = new WeakMap<Observation, Fault>();

/** Whether an observation may be what a scenario of a suite recorded. */
export function isSound(suite: string, observation: Observation): boolean {
  return faultIn(suite, observation).pointer === undefined;
}

/** The outcome of evidence that is damaged, or lacks what was taken out: nothing is decided by it. Undefined where all observations may be what was recorded. */
export function damageIn(suite: string, recorded: readonly Recorded<Observation>[]): Undecided | undefined {
  for (const each of recorded) {
    const { pointer, isTakenOut = false } = faultIn(suite, each);
    if (pointer === undefined) continue;
    const why = isTakenOut
      ? `the host shows the credential in ${each.id}, at ${pointer}: it was taken out, and nothing can be compared with it`
      : `the evidence is damaged: ${each.id} is not as it is recorded, at ${pointer}`;
    return undecided(why, [each]);
  }
  return undefined;
}
