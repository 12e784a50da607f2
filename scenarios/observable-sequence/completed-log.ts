import type { Json } from '../../src/evidence/types.ts';
import { member } from '../../src/contract/discovery.ts';
import { endOf, endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, isAboutReplay } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { asksStill } from '../shared/open-question.ts';
import { namesIn, renamed } from '../shared/renamed.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { foundationBrokenBy } from '../shared/unfollowed.ts';

/**
 * A replay whose log has no end, as it would be had it gone on as its source did, or ended at once as its source did in the end: what
 * is wrong with both is so in the events that it shows. Undefined where its log has an end, or waits for somebody, or one of the two did not complete. An event more where the end should stand is taken for it, in a form of the host's own.
 */
export function completedLog(
  source: RunObservation,
  replay: RunObservation,
  how: 'as its source' | 'at once',
): Pick<RunObservation, 'problem' | 'events'> | undefined {
  if (replay.fork?.mode !== 'replay' || foundationBrokenBy(replay) !== FOUNDATIONS.ends) return undefined;
  const before = eventsOf(source).filter((event) => !isAboutReplay(event));
  const after = eventsOf(replay);
  // An end that is a failure says of which kind: nobody knows that of one that was not seen.
  const isWhole = source.problem === null && endOf(before) === 'completed';
  if (!isWhole || member(replay.snapshot, 'status') !== 'completed' || asksStill(after)) return undefined;
  const own = after.filter((event) => !isAboutReplay(event));
  const kept = own.length < before.length ? after : after.slice(0, -1);
  const rest = how === 'at once' ? [] : before.slice(own.length);
  const missing = rest.length > 0 ? rest : before.filter(endsRun);
  const names = namesIn([source, before], [replay, own]);
  const added = missing.map(({ raw }, index): Json => ({
    ...Object(renamed(raw as Json, names)),
    sequence: (kept.at(-1)?.sequence ?? -1) + 1 + index,
    timestamp: member(after.at(-1)?.raw, 'timestamp') ?? null,
  }));
  return { problem: null, events: [...kept.map(({ raw }) => raw as Json), ...added] };
}
