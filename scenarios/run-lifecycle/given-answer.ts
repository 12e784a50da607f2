import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import { readJsonText } from '../../src/host/json.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { shown } from '../shared/compare-runs.ts';
import { isHidden } from '../shared/hidden-value.ts';
import { nodeOf } from '../shared/read-event.ts';
import { accepted, type RequestedObservation } from '../shared/requested.ts';

/** The row of the answer to the question of a run; it was given once. */
export const ANSWER_ROW = 'interrupt-answer';

/** An answer that a run took, as it was given. */
export interface GivenAnswer {
  readonly sent: string;
  readonly resumeValue: unknown;
}

/** The answer that a request gave; undefined where the host did not take it. */
export function givenIn(requested: RequestedObservation): GivenAnswer | undefined {
  const { row, sent = '', request } = requested;
  const read = row === ANSWER_ROW && accepted(requested) ? readJsonText(request) : undefined;
  return read?.ok === true ? { sent, resumeValue: member(read.value, 'resumeValue') } : undefined;
}

/**
 * What is wrong with the resumeValue of an answered question beside the answer that its node was given (wire, Documents): it is not
 * there, or says something else. A host may keep a part of an answer or a form of its own, and hide values.
 */
export function givenFaults(event: RunEvent, runId: string, given: GivenAnswer): readonly Fault[] {
  const node = nodeOf(event);
  if (event.type !== 'interrupt.resolved' || node === undefined) return [];
  if (given.sent !== `POST ${interruptPath(runId, node)}` || !isRecord(event.payload)) return [];
  const is = member(event.payload, 'resumeValue');
  const wanted = `it was answered with ${shown(given.resumeValue)}`;
  if (is === undefined) return [{ pointer: '/resumeValue', wrong: `is missing: ${wanted}` }];
  if (!isRecord(given.resumeValue)) return [];
  if (is === null || (isRecord(is) && Object.keys(is).length === 0)) {
    return [{ pointer: '/resumeValue', wrong: `is ${shown(is)}: ${wanted}` }];
  }
  const other = Object.entries(given.resumeValue).find(([name, value]) => saysOther(member(is, name), value));
  return other === undefined
    ? []
    : [{ pointer: `/resumeValue/${other[0]}`, wrong: `is ${shown(member(is, other[0]))}: ${wanted}` }];
}

/** Whether a plain value is another one than was given, of the same type; what is hidden says nothing. */
function saysOther(is: unknown, given: unknown): boolean {
  if (typeof is === 'boolean') return typeof given === 'boolean' && is !== given;
  if (typeof is !== 'string' || typeof given !== 'string' || is === '' || isHidden(is)) return false;
  return is.trim().toLowerCase() !== given.trim().toLowerCase();
}
