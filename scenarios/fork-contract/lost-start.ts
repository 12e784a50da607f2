import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { foldEvents, placeOf } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { isRun, sourceAmong } from '../shared/every-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';

const problem = 'it does not begin with the state that its source had at the fork point';

/** A fork that lost something of the state at its fork point, as one that was not seen: what it does from there on says nothing else. */
export function withoutLostStart(
  observation: Recorded<Observation>,
  beside: readonly Recorded<Observation>[],
): object | undefined {
  if (!isRun(observation) || observation.problem !== null || (observation.fork?.fromSeq ?? 0) === 0) return undefined;
  const source = sourceAmong(observation, beside);
  const isLost = source !== undefined && losesStart(source, observation, observation.fork?.fromSeq ?? 0);
  return isLost ? { problem, events: [], snapshot: null } : undefined;
}

/**
 * Whether the snapshot of a fork shows a value otherwise than its source's or its own history, or not at all, and nothing that happened
 * from the fork point on explains it: no event writes it there, and no node of its name is at work, as a host may write no event for what
 * nodes put out. So does one that is a value of that history: a node of the source took it from there.
 */
function losesStart(source: RunObservation, fork: RunObservation, fromSeq: number): boolean {
  const events = eventsOf(source);
  if (fromSeq <= (events[0]?.sequence ?? 0)) return false;
  const [recorded, history] = [foldEvents(source.events, fromSeq), foldEvents(fork.events, fromSeq)];
  return (['variables', 'channels'] as const).some((part) => {
    const [held, left] = [member(source.snapshot, part), member(fork.snapshot, part)];
    if (!isRecord(held) || !isRecord(left)) return false;
    const known = history.ok ? [...history.state[part]] : [];
    // What a history has otherwise, the row about histories says.
    if (recorded.ok && history.ok && !isDeepStrictEqual(recorded.state[part], history.state[part])) return false;
    const isAtWork = (name: string): boolean => {
      const all = [...events, ...eventsOf(fork)];
      const written = all.filter((event) => {
        const place = placeOf(event);
        return place?.part === part && place.name === name;
      });
      const telling = written.length > 0 ? written : all.filter(({ nodeId }) => nodeId === name);
      return telling.some(({ sequence }) => sequence >= fromSeq);
    };
    const isTaken = (value: unknown): boolean => known.some(([, each]) => isDeepStrictEqual(each, value));
    const isLost = (name: string, value: unknown): boolean =>
      (value ?? null) !== null && !isDeepStrictEqual(left[name], value) && !isAtWork(name);
    return (
      known.some(([name, value]) => isLost(name, value)) ||
      Object.entries(held).some(
        ([name, value]) => isLost(name, value) || (isTaken(value) && !isDeepStrictEqual(left[name], value)),
      )
    );
  });
}
