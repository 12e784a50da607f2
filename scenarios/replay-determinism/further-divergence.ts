import { fail, isOutcome, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { compareEvents, readVolatile } from '../../src/event-log/index.ts';
import type { Probe } from '../../src/host/probe.ts';
import { readRunEvent, type RunEvent } from '../../src/host/run-event.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { need, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { type DebugObservation, debugOf } from './debug-reading.ts';
import { wrong } from './diagnoses.ts';
import { diverged } from './judge-divergence.ts';
import { locate } from './locators.ts';

const TWO = 'conformance-determinism-two-constants';
const REVISION = '2.0.0';
/** Its nodes: the first and the last one have other values in the revision. */
const [BETWEEN, LAST] = ['between', 'other'] as const;
const REPORTED = 'replay.divergence-is-reported';
const ROW = 'replay.further-divergence';
const SOURCE = 'source';
const REPLAY = 'replay of changed code';

type FurtherObservation = RunObservation | RevisionObservation | DebugObservation;

async function drive(probe: Probe): Promise<readonly FurtherObservation[]> {
  const source = await startRun(probe, { workflowId: TWO, inputs: {} }, { role: SOURCE });
  if (source.problem !== null) return [source];
  const use = async (isChanged: boolean): Promise<readonly (RunObservation | DebugObservation)[]> => {
    if (!isChanged) return [];
    const replay = await replayOf(probe, source, undefined, { role: REPLAY });
    return [replay, ...(await debugOf(probe, replay))];
  };
  const changed = await withCodeChanges<RunObservation | DebugObservation>(probe, TWO, [{ revision: REVISION, use }]);
  return [source, ...changed];
}

/**
 * replay.md, Failure surfaces: the replay goes on "to completion or further divergence", and what differs later is a divergence
 * as well. That a host may report a fork once, and not each place, can be read there too, so it is advice.
 */
function judgeFurther(recorded: readonly Recorded<FurtherObservation>[], volatile: readonly string[]): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  const changed = revisionOf(recorded, REVISION);
  if (changed?.problem !== null) {
    return undecided(`the code could not be changed: ${changed?.problem ?? 'it was not tried'}`, [runs.source]);
  }
  const observed = diverged(recorded, [SOURCE, REPLAY], volatile);
  if (isOutcome(observed)) return observed;
  const { source, replay, reports, evidence } = observed;
  if (reports.length === 0) return rests(REPORTED, undecided(`${named(replay)} reports no divergence`, evidence));
  const parts = partsOf(source, replay, volatile);
  if (parts === undefined) return undecided('the logs do not show that both constants have other values', evidence);
  if (reports.some((report) => locate(report, parts, source.runId).isRight))
    return pass([...evidence, ...observed.debug]);
  const [first] = parts.source;
  return fail(
    {
      expected: `a second replay.diverged in ${named(replay)}, about node ${LAST}, from sequence ${first?.sequence ?? 0} of ${named(source)}`,
      actual: `${reports.length} in all, about what differs before`,
      diagnosis: wrong('further-divergence-silent'),
      // Reports that lead nowhere at all are the business of the row about one.
      restsOn: REPORTED,
    },
    evidence,
  );
}

/** Where the logs part for the second time; undefined where they do not show two places, and what is alike between them. */
function partsOf(
  source: RecordedRun,
  replay: RecordedRun,
  volatile: readonly string[],
): { readonly source: readonly RunEvent[]; readonly replay: readonly RunEvent[] } | undefined {
  const read = readVolatile(volatile);
  const executedFrom = replay.fork?.fromSeq ?? 0;
  const rules = { executedFrom, ...(read.ok && { volatile: read.places }) };
  const compared = compareEvents(source.events, replay.events, rules);
  if (!compared.ok) return undefined;
  const differing = compared.diff.eventDiffs.flatMap(({ aEvent, bEvent }) => readRunEvent(aEvent ?? bEvent) ?? []);
  const nodes = new Set(differing.map(nodeOf));
  const isApart = nodes.has(LAST) && nodes.size > 1 && !nodes.has(BETWEEN);
  const from = (run: RecordedRun): readonly RunEvent[] => {
    const events = eventsOf(run);
    const between = events.findLastIndex((event) => nodeOf(event) === BETWEEN);
    return between === -1 ? [] : events.slice(between + 1);
  };
  return isApart ? { source: from(source), replay: from(replay) } : undefined;
}

/** A replay that differs twice. */
export const furtherDivergence = defineScenario<FurtherObservation>({
  id: ROW,
  suite: 'replay-determinism',
  title: 'A replay of code that changed in two places',
  needs: [replays, { kind: 'fixture', workflowId: TWO }],
  exclusive: [`workflow:${TWO}`],
  drive,
  checks: [
    {
      id: ROW,
      title: 'What differs behind a divergence is reported as well',
      judge: (recorded, { options }) => judgeFurther(recorded, options.volatile),
    },
  ],
});
