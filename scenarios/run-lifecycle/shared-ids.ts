import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { Json } from '../../src/evidence/types.ts';
import { shown } from '../shared/compare-runs.ts';

/**
 * Looks at the events of one log in their order: an id that an earlier one of another number has names none of them (0037 §B and
 * replay.md, Run Timeline View: causes and pages are found by it). One that is shown twice is one event.
 */
export function sharedIdFaults(): (event: Json) => readonly Fault[] {
  const first = new Map<string, unknown>();
  return (event) => {
    const id = member(event, 'eventId');
    const sequence = member(event, 'sequence') ?? member(event, 'seq');
    if (typeof id !== 'string') return [];
    if (!first.has(id)) first.set(id, sequence);
    const known = first.get(id);
    return known === sequence
      ? []
      : [{ pointer: '/eventId', wrong: `is ${shown(id)}, that of sequence ${String(known)}` }];
  };
}
