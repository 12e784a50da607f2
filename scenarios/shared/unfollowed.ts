import { member } from '../../src/contract/discovery.ts';
import { isMisnumbered, isUnnamed } from '../../src/host/run-event.ts';
import { endsRun, isEnded } from '../../src/protocol/run-status.ts';
import { FOUNDATIONS } from './foundations.ts';
import type { RunObservation } from './run-observation.ts';

/**
 * The check that owns why a run could not be followed to its end: an event in its log has no number, id or type, or its log has no
 * event, or no terminal one, while its snapshot says that it has ended. Undefined where nobody can say whose fault it is.
 */
export function foundationBrokenBy({
  problem,
  events,
  snapshot,
}: Pick<RunObservation, 'problem' | 'events' | 'snapshot'>): string | undefined {
  if (problem === null) return undefined;
  if (events.some(isMisnumbered)) return FOUNDATIONS.numbers;
  if (events.some(isUnnamed)) return FOUNDATIONS.events;
  const isOver = isEnded(member(snapshot, 'status'));
  if (events.length === 0) return isOver ? FOUNDATIONS.runs : undefined;
  return isOver && !events.some(isEnd) ? FOUNDATIONS.ends : undefined;
}

function isEnd(event: unknown): boolean {
  const type = member(event, 'type');
  return typeof type === 'string' && endsRun({ type });
}
