import type { Observation } from '../../src/evidence/types.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { addedInAll, withoutAdded } from '../shared/added-in-replays.ts';
import { compareLogs, eventsOf } from '../shared/compare-runs.ts';
import { isRun, sourceAmong } from '../shared/every-run.ts';
import { leavingOut, lostInAll, replayedIn, withoutLost } from '../shared/lost-in-replays.ts';
import { asInSource, type Otherwise, otherwiseIn } from '../shared/otherwise-in-replays.ts';
import type { RunObservation } from '../shared/run-observation.ts';

type Shown = readonly Recorded<Observation>[];

const DIVERGED = 'replay.diverged';

interface Changed {
  /** Whether one of them differs and says so. */
  readonly isReported: boolean;
  readonly added: ReturnType<typeof addedInAll>;
  readonly lost: ReturnType<typeof lostInAll>;
  readonly otherwise: readonly Otherwise[];
}

/** What a replay of unchanged code writes more often, less often or otherwise than its source, and says so, replays of other workflows do, too. */
function changedIn(shown: Shown): Changed {
  const reported = replayedIn(shown).filter(({ replay }) => reports(replay, DIVERGED));
  const [added, lost] = [addedInAll(reported, 1), lostInAll(reported, [], 1)];
  const isSameEvents = added.length === 0 && lost === undefined;
  const otherwise = isSameEvents ? reported.flatMap(otherwiseIn) : [];
  return { isReported: reported.length > 0, added, lost, otherwise };
}

/** It is asked of each run, and looked for once. */
const known = new WeakMap<Shown, Changed>();

/**
 * A run without what replays of unchanged code write otherwise and report, where these observations show one that does: what they add or
 * lose is taken out, and what they change is as in the source, without the reports where nothing else is left to be reported. Before a refusal that has a report of its own, others are
 * of what came before it. Undefined where nothing changes.
 */
export function withoutReported(run: Recorded<Observation>, shown: Shown, beside: Shown): object | undefined {
  if (!isRun(run)) return undefined;
  const { isReported, added, lost, otherwise } = changedOnce(shown);
  if (!isReported) return undefined;
  const less = added.length === 0 ? undefined : withoutAdded(run, added, beside);
  const left =
    asInSource(run, otherwise, beside) ?? (lost && withoutLost({ ...run, ...less }, lost, leavingOut)) ?? less;
  const source = sourceAmong(run, beside);
  if (source === undefined || !reports(run, DIVERGED)) return left;
  const before = (lost && withoutLost(source, lost, leavingOut)) ?? source;
  const isSame = compareLogs({ ...source, ...before }, { ...run, ...left }).kind === 'same';
  const refused = eventsOf(run).find(({ type }) => type === 'replay.divergedAtRefusal')?.sequence ?? -Infinity;
  const events = (left ?? run).events.filter((raw) => {
    const event = readRunEvent(raw);
    return event?.type !== DIVERGED || (!isSame && event.sequence > refused);
  });
  return events.length === run.events.length ? left : { ...left, events };
}

function changedOnce(shown: Shown): Changed {
  const changed = known.get(shown) ?? changedIn(shown);
  known.set(shown, changed);
  return changed;
}

function reports(run: Pick<RunObservation, 'events'>, name: string): boolean {
  return eventsOf(run).some(({ type }) => type === name);
}
