import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { endOf, isEnded } from '../../src/protocol/run-status.ts';
import { isAboutCaller, isClientError, saysNothing } from '../../src/protocol/status.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** What is wrong with something beside its shape; `isStatus` where that is the status with which it came. */
export interface Beside extends Fault {
  readonly isStatus?: true;
}

/** The status of an answer that makes a run (wire, Endpoints). */
const CREATED = 201;

/** What is wrong with the answer that made a run beside its shape: its own status, and one that says another end than the run came to. */
export function answerFaults(run: RunObservation): readonly Beside[] {
  const faults = endFaults(run);
  if (run.fork !== null || run.answered === CREATED) return faults;
  return [{ pointer: '', wrong: `came with ${run.answered ?? 'nothing'}, not ${CREATED}`, isStatus: true }, ...faults];
}

/** A run that is said to have ended may not come to another end. */
function endFaults(run: RunObservation): readonly Fault[] {
  const [said, end] = [member(run.answer, 'status'), endOf(eventsOf(run))];
  if (!isEnded(said) || end === undefined || said === end) return [];
  return [{ pointer: '/status', wrong: `is ${shown(said)}, and the run came to ${shown(end)}` }];
}

/** A time that is none (wire, Documents): one that a clock could show, in whatever form, is one. */
export function timeFaults(event: Json): readonly Fault[] {
  const time = member(event, 'timestamp');
  if (typeof time !== 'string' || time === '') return [];
  if (!Number.isNaN(Date.parse(extended(time))) || Number.isFinite(Number(time))) return [];
  return [{ pointer: '/timestamp', wrong: `is ${shown(time)}, no time` }];
}

/** ISO 8601's basic form as the extended one, with a point before the fraction, and without the name of a zone. */
function extended(time: string): string {
  return time
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/u, '$1-$2-$3T$4:$5:$6')
    .replace(/\[[^\]]*\]$/u, '')
    .replace(',', '.');
}

/** The members of the answer that makes a run that name a place for it. */
export const URLS = ['eventsUrl', 'statusUrl'] as const;

/** A place that the answer which made a run names, and at which there is nothing. */
export function urlFaults(name: string, status: number): readonly Fault[] {
  const isNothing = isClientError(status) && !isAboutCaller(status) && !saysNothing(status, 'action');
  return isNothing ? [{ pointer: `/${name}`, wrong: `leads to ${status}` }] : [];
}
