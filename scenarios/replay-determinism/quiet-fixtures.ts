import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { eventsOf, isAboutReplay } from '../shared/compare-runs.ts';
import { fixtureOf, startSources } from '../shared/fixture-sources.ts';
import { isAsking } from '../shared/open-question.ts';
import { replayPastQuestion } from '../shared/past-question.ts';
import { replayOf } from '../shared/replays.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { INTERRUPT, SHORT, SWEPT } from '../shared/swept-fixtures.ts';

/** Of these, other situations of this suite replay sources that nothing changed. */
const ELSEWHERE: ReadonlySet<string> = new Set([
  'conformance-multi-node',
  'conformance-determinism-constant',
  'conformance-determinism-clock',
]);
const FIXTURES = SWEPT.filter(({ workflowId }) => !ELSEWHERE.has(workflowId));

/** One source, one full replay and one replay from the middle of each deterministic fixture; of fewer in a short sweep. */
export async function driveFixtures(probe: Probe, forks: number): Promise<readonly RunObservation[]> {
  const line = createSemaphore(probe.concurrency);
  const sources = await startSources({ probe, line, short: forks < SHORT }, FIXTURES);
  const driven = await Promise.all(
    sources.map(async (source) => [source, ...(await replayTwice({ probe, line }, source))]),
  );
  return driven.flat();
}

interface Driving {
  readonly probe: Probe;
  readonly line: Semaphore;
}

function replayTwice({ probe, line }: Driving, source: RunObservation): Promise<readonly RunObservation[]> {
  if (source.runId === null || source.problem !== null) return Promise.resolve([]);
  const role = `replay of ${fixtureOf(source)}`;
  const middle = middleOf(source);
  const full = line(() => replayWhole(probe, source, role));
  const part = line(() => replayOf(probe, source, middle, { role: `${role} from ${middle}` }));
  return Promise.all(middle === undefined ? [full] : [full, part]);
}

/** Replays a run from its beginning, without waiting for one that asks again. */
async function replayWhole(probe: Probe, source: RunObservation, role: string): Promise<RunObservation> {
  if (!asks(source)) return replayOf(probe, source, undefined, { role });
  const { replay, waits } = await replayPastQuestion(probe, source, { role, fromSeq: undefined });
  return waits ? { ...replay, problem: `it waits for ${INTERRUPT.nodeId} to be answered again` } : replay;
}

function asks(source: RunObservation): boolean {
  return eventsOf(source).some(isAsking);
}

/** A number in the middle of a log, behind all answers of people. */
function middleOf(source: RunObservation): number | undefined {
  const events = eventsOf(source).filter((event) => !isAboutReplay(event));
  const left = events.slice(events.findLastIndex(({ type }) => type === 'interrupt.resolved') + 1);
  return left[Math.floor(left.length / 2)]?.sequence;
}
