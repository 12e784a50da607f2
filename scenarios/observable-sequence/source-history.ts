import type { Json } from '../../src/evidence/types.ts';
import { compareEvents, placeOf, type Divergence } from '../../src/event-log/index.ts';
import { eventsOf, isAboutReplay, prefixesOf, rawOf } from '../shared/compare-runs.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { namesIn, renamed } from '../shared/renamed.ts';

/**
 * A fork's events with its source's history in the place of its own, under the names that the fork gave them; undefined where the two
 * are alike, where events of it are missing or come in another order, and where what differs has a row of its own: values that runs
 * write, facts and times (sequence.state-equal, replay.recorded-facts-verbatim).
 */
export function withHistoryOf(source: RunObservation, fork: RunObservation): readonly Json[] | undefined {
  const { below, inherited } = prefixesOf(source, fork, fork.fork?.fromSeq ?? 0);
  if (below.length === 0 || inherited.length !== below.length) return undefined;
  const numbers = [...below, ...inherited].some(isAboutReplay) ? 'gaps' : 'exact';
  const compared = compareEvents(rawOf(below), rawOf(inherited), { numbers });
  const first = compared.ok ? compared.diff.first : undefined;
  if (first === undefined || !isAboutHistory(first)) return undefined;
  const names = namesIn([source, below], [fork, inherited]);
  return [...rawOf(below).map((event) => renamed(event, names)), ...rawOf(eventsOf(fork)).slice(inherited.length)];
}

function isAboutHistory({ class: name, event, pointer, alsoAt }: Divergence): boolean {
  if (name === 'type') return true;
  const isInEnvelope = ![pointer, ...alsoAt].some((place) => place.startsWith('/payload'));
  const isOfState = event.source !== undefined && placeOf(event.source)?.part !== 'status';
  return name === 'value' && (isInEnvelope || !isOfState);
}
