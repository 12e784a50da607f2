import type { Json } from '../../src/evidence/types.ts';
import { member } from '../../src/contract/discovery.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, isAboutReplay } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { namesIn, renamed } from '../shared/renamed.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { foundationBrokenBy } from '../shared/unfollowed.ts';

/**
 * A replay whose log has no end, as it would be had it gone on as its source's did: what differs then does so in the events that it shows.
 * Undefined where its log has an end, or its snapshot shows another one than its source came to. An event more where the end should stand is
 * taken for it, in a form of the host's own.
 */
export function completedLog(
  source: RunObservation,
  replay: RunObservation,
): Pick<RunObservation, 'problem' | 'events'> | undefined {
  if (replay.fork?.mode !== 'replay' || foundationBrokenBy(replay) !== FOUNDATIONS.ends) return undefined;
  const before = eventsOf(source).filter((event) => !isAboutReplay(event));
  if (source.problem !== null || endOf(before) !== member(replay.snapshot, 'status')) return undefined;
  const after = eventsOf(replay);
  const own = after.filter((event) => !isAboutReplay(event));
  const kept = own.length < before.length ? after : after.slice(0, -1);
  const rest = before.slice(own.length);
  const missing = rest.length > 0 ? rest : before.filter(endsRun);
  const last = after.at(-1);
  const names = namesIn([source, before], [replay, own]);
  const added = missing.map(({ raw }, index): Json => ({
    ...Object(renamed(raw as Json, names)),
    sequence: (kept.at(-1)?.sequence ?? -1) + 1 + index,
    timestamp: member(last?.raw, 'timestamp') ?? null,
  }));
  return { problem: null, events: [...kept.map(({ raw }) => raw as Json), ...added] };
}
