import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { annotationsPath, runPath } from '../../src/protocol/paths.ts';
import { endOf, isEnded } from '../../src/protocol/run-status.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { bodyOf, type RequestedObservation, statusOf } from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { showsRunAlone } from '../shared/snapshot.ts';

/**
 * What is wrong with something beside its shape; `isStatus` where that is the status with which it came, `isOfWire` where the wire alone
 * says it of a member that the documents define.
 */
export interface Beside extends Fault {
  readonly isStatus?: true;
  readonly isOfWire?: true;
}

/** The status of an answer that makes something (wire, Endpoints). */
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
  if (time.length > LONGEST_TIME) return [{ pointer: '/timestamp', wrong: `has ${time.length} characters, no time` }];
  if (!Number.isNaN(Date.parse(extended(time))) || Number.isFinite(Number(time)) || OTHER_DAYS.test(time)) return [];
  return [{ pointer: '/timestamp', wrong: `is ${shown(time)}, no time` }];
}

/** Characters of a time, at most: with nanoseconds, an offset and the name of a zone it has less than half of them. */
const LONGEST_TIME = 128;

/** A time on a day by its number in the year, or in the week of a year (ISO 8601). */
const OTHER_DAYS = /^\d{4}-?(?:W(?:0[1-9]|[1-4]\d|5[0-3])-?[1-7]|(?:[0-2]\d\d|3[0-6]\d))T\d\d(?::?\d\d){0,2}/u;

/**
 * ISO 8601's basic form as the extended one, with a point before the fraction, without a leap second or the name of a zone, and with the
 * minutes of an offset.
 */
function extended(time: string): string {
  return time
    .replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)/u, '$1-$2-$3T$4:$5:$6')
    .replace(/\[[^\]]*\]$/u, '')
    .replace(',', '.')
    .replace(/^([^T]*T\d\d:\d\d):60/u, '$1:59')
    .replace(/(T.*[+-]\d\d)$/u, '$1:00');
}

/** The members of the answer that makes a run that name a place for it. */
export const URLS = ['eventsUrl', 'statusUrl'] as const;

/** What a place showed that the answer which made a run names. */
export interface UrlObservation extends RequestedObservation {
  /** The run that was made; absent in old evidence. */
  readonly runId?: string;
  /** The event ids that the answer holds, the first few of them; empty where it holds none, and absent in old evidence. */
  readonly eventIds?: readonly string[];
}

/** Another run than this one, in whose log alone some of these events stand; undefined where there is none. */
export type OtherRunWith = (eventIds: readonly string[], runId: string) => string | undefined;

/** A place that the answer which made a run names, and at which there is nothing, another run, or events and a snapshot in each other's place. */
export function urlFaults(url: UrlObservation, otherRunWith: OtherRunWith): readonly Fault[] {
  const { name, runId, eventIds = [] } = url;
  const status = statusOf(url);
  const fault = (wrong: string): readonly Fault[] => [{ pointer: `/${name}`, wrong }];
  if (status === 0 || saysNothing(status, 'action')) return [];
  if (!isSuccess(status)) {
    // There the snapshot was read before: that it is not any more is no matter of the answer.
    const wasRead = name === 'statusUrl' && runId !== undefined && url.sent === `GET ${runPath(runId)}`;
    return wasRead ? [] : fault(`leads to ${status}`);
  }
  if (name === 'eventsUrl' && showsRunAlone(bodyOf(url))) return fault('leads to a snapshot, not to events');
  const isStatus = typeof member(bodyOf(url), 'status') === 'string';
  if (name === 'statusUrl' && eventIds.length > 0 && !isStatus) return fault('leads to events, not to a snapshot');
  if (runId === undefined) return [];
  const other = name === 'statusUrl' ? member(bodyOf(url), 'runId') : otherRunWith(eventIds, runId);
  return typeof other === 'string' && other !== runId
    ? fault(`leads to the run ${shown(other)}, not ${shown(runId)}`)
    : [];
}

/**
 * What the answer to an annotation says beside its shape that is not so, or a list of annotations of its entries: another run than
 * the one that was annotated; and another status than that of something made (wire, Endpoints).
 */
export function annotationFaults(requested: RequestedObservation): readonly Beside[] {
  const { row, sent = '' } = requested;
  const [, path = ''] = sent.split(' ');
  const about = (value: unknown, pointer: string): readonly Fault[] => {
    const named = member(member(value, 'target'), 'runId');
    if (path === '' || typeof named !== 'string' || annotationsPath(named) === path) return [];
    return [{ pointer: `${pointer}/target/runId`, wrong: `is ${shown(named)}, not the run of ${path}` }];
  };
  const body = bodyOf(requested);
  const entries = member(body, 'annotations');
  if (Array.isArray(entries)) return entries.flatMap((entry, index) => about(entry, `/annotations/${index}`));
  const faults = about(body, '');
  const status = statusOf(requested);
  if (row !== 'annotate' || status === CREATED) return faults;
  return [...faults, { pointer: '', wrong: `came with ${status}, not ${CREATED}`, isStatus: true }];
}
