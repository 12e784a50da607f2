import { member } from '../../src/contract/discovery.ts';
import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { isTerminal, sequenceOf, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Json } from '../../src/evidence/types.ts';
import { named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { readOver, type ReadingObservation } from '../shared/reading.ts';
import { wrong } from './diagnoses.ts';

/** Reads the log of a fork that was requested again, to its end: documents first, which show what stands behind that. */
export async function readRequestedAgain(
  probe: Probe,
  run: string,
  runId: string | null | undefined,
): Promise<readonly ReadingObservation[]> {
  if (typeof runId !== 'string') return [];
  const reading = await repeatPaced(
    () => readOver(probe, ['json', 'poll', 'sse'], { run, runId, how: 'again' }),
    (read) => read === undefined || read.events.some(isTerminal),
    { patienceMs: probe.timeoutMs, signal: probe.signal },
  );
  return reading === undefined ? [] : [reading];
}

/**
 * replay.md, Endpoint: judges the log of a fork that was requested again, beside a run that did the same once. Undefined where it starts,
 * starts its nodes and ends no more often, and where it was not read.
 */
export function executedAgain(recorded: Recordings, run: string, once: RecordedRun): Outcome | undefined {
  const reading = ofType<ReadingObservation>(recorded, 'reading').find((each) => each.run === run);
  if (reading === undefined) return undefined;
  const expected = countsOf(once.events.map(shownAs));
  const counts = countsOf(reading.events);
  const more = [...expected].filter(([what, times]) => (counts.get(what) ?? 0) > times);
  const [first] = [...more.filter(([what]) => what !== END), ...more];
  if (first === undefined) return undefined;
  const [what, times] = first;
  return fail(
    {
      expected: `${what} ${times} times in the log of the ${run} ${reading.runId}, as in that of ${named(once)}: a duplicate executes nothing`,
      actual: `${counts.get(what) ?? 0} times`,
      diagnosis: wrong('executed-again'),
      // One that ends twice and does nothing twice is a log with two ends.
      restsOn: what === END ? FOUNDATIONS.ends : undefined,
    },
    [reading, once],
  );
}

/**
 * How often a log shows that its run starts, that nodes do, and that the run ends; what it never shows is left out. An event that one
 * reading shows twice, as where pages overlap, is one.
 */
function countsOf(events: readonly Shown[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const counted = new Set<string>();
  for (const event of events) {
    const type = typeOf(event) ?? '';
    const what = isTerminal(event) ? END : BEGINS.has(type) ? type : undefined;
    const name = JSON.stringify([what, member(event.data, 'eventId'), sequenceOf(event)]);
    if (what === undefined || counted.has(name)) continue;
    counted.add(name);
    counts.set(what, (counts.get(what) ?? 0) + 1);
  }
  return counts;
}

const END = 'an end';
const BEGINS: ReadonlySet<string> = new Set(['run.started', 'node.started']);

function shownAs(data: Json): Shown {
  return { id: null, name: null, data };
}
