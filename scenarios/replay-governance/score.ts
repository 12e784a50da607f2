import { member } from '../../src/contract/discovery.ts';
import { determinismReport } from '../../src/contract/gates.ts';
import { fail, type Mismatch, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { withCodeChanges } from '../shared/code-change.ts';
import { bounds, eventsOf, isAboutReplay, named, shown } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { forkPoints, replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { failureOf } from '../shared/settle.ts';
import { driveUnsteady, HOW_TO_DIVERGE, STAGED_NODES } from '../shared/unsteady-source.ts';
import { wrong } from './diagnoses.ts';
import {
  type Gathered,
  type Parted,
  readReport,
  type Reported,
  type ReportObservation,
  type Reports,
  seeReports,
} from './score-report.ts';

/** Judges every report by one rule; what could not be read leaves the check undecided where nothing is wrong. */
function judgeEach<R extends Reported>(
  { reported, lacking }: Gathered<R>,
  wrongIn: (each: R) => Mismatch | undefined,
  nothing = 'no replay was reported on',
): Outcome {
  for (const each of reported) {
    const mismatch = wrongIn(each);
    if (mismatch === undefined) continue;
    const actual = `${mismatch.actual} in the report of ${named(each.replay)} (${each.where})`;
    return fail({ diagnosis: wrong('score-contradicts'), ...mismatch, actual }, each.evidence);
  }
  const evidence = reported.flatMap((each) => each.evidence);
  if (lacking.length > 0) return undecided(lacking.join('; '), evidence);
  return reported.length === 0 ? undecided(nothing, evidence) : pass(evidence);
}

/** Which runs the reports name (replay.md, Determinism scoring). */
function wrongRun({ source, replay, value }: Reported): Mismatch | undefined {
  const fromSeq = replay.fork?.fromSeq ?? null;
  // A host that began elsewhere, and said so when it forked, reports what it did.
  const answered = member(replay.answer, 'fromSeq');
  const wanted: readonly (readonly [string, readonly unknown[]])[] = [
    ['sourceRunId', [source.runId]],
    ['replayRunId', [replay.runId]],
    ['fromSeq', [...(fromSeq === null ? [0, bounds(source).first] : [fromSeq]), answered]],
  ];
  const found = wanted.find(([name, values]) => value(name) === undefined || !values.includes(value(name)));
  if (found === undefined) return undefined;
  const [name, values] = found;
  const wantedTexts = [...new Set(values.filter((each) => each !== undefined).map(shown))];
  return { expected: `${name}: ${wantedTexts.join(' or ')}`, actual: shown(value(name)) };
}

/** The counts: whole, in order, and no more than the logs hold. What is comparable is the host's. */
function wrongCounts({ source, replay, value, counts }: Reported): Mismatch | undefined {
  const [before, after] = [eventsOf(source).length, eventsOf(replay).length];
  const actual = `matchedEvents ${shown(value('matchedEvents'))}, comparedEvents ${shown(value('comparedEvents'))}`;
  const isWhole = counts !== undefined && Number.isInteger(counts.matched) && Number.isInteger(counts.compared);
  if (!isWhole) return { expected: 'two whole numbers', actual };
  const { matched, compared } = counts;
  if (matched < 0 || matched > compared || compared === 0) {
    return { expected: '0 ≤ matchedEvents ≤ comparedEvents, and something compared', actual };
  }
  if (compared <= before + after && matched <= Math.min(before, after)) return undefined;
  return { expected: `no more than there are: ${before} events in the source, ${after} in the replay`, actual };
}

/**
 * More compared events than matched and both logs hold from the first divergence on: all that was compared before it matched.
 * A host may count events that stand in one place apart, and name the place in either log.
 */
function tooFewMatched({ source, replay, value, counts, partings }: Parted): Mismatch | undefined {
  const first = value('firstDivergenceSeq');
  if (counts === undefined || typeof first !== 'number') return undefined;
  const from = Math.min(first, ...partings.first);
  const behind = [source, replay].flatMap(eventsOf).filter((each) => each.sequence >= from && !isAboutReplay(each));
  const { matched, compared } = counts;
  if (matched + behind.length >= compared) return undefined;
  return {
    expected: `${compared - behind.length} events matched at least: no more than ${behind.length} stand from sequence ${from} on, in both logs`,
    actual: countsText(counts),
  };
}

/** The same, and counts that part where the two logs do not, and nothing else of the report says so. */
function judgeCounts({ all, matching, differing }: Reports): Outcome {
  const outcome = judgeEach(all, wrongCounts);
  const odd = judgeEach(matching, ({ value, counts }) => {
    const isFull = value('score') === 1 && (value('firstDivergenceSeq') ?? null) === null;
    if (!isFull || counts === undefined || counts.matched === counts.compared) return undefined;
    return {
      expected: 'as many events matched as were compared, as the two logs are alike and the score is 1',
      actual: countsText(counts),
    };
  });
  return failureOf([outcome, odd, judgeEach(differing, tooFewMatched)]) ?? outcome;
}

/** A host may round, or cut, to two digits or more. */
const ROUNDING = 0.01;

/** The score is what the counts say. */
function wrongScore({ value, counts }: Reported): Mismatch | undefined {
  const score = value('score');
  if (typeof score !== 'number' || score < 0 || score > 1) {
    return { expected: 'a score from 0 to 1', actual: `score ${shown(score)}` };
  }
  if (counts === undefined || counts.compared === 0) return undefined;
  const { matched, compared } = counts;
  if (Math.abs(score - matched / compared) <= ROUNDING) return undefined;
  return { expected: `matchedEvents / comparedEvents, ${matched} / ${compared}`, actual: `score ${score}` };
}

const NOT_SEEN = `no replay that differs from its source could be made: ${HOW_TO_DIVERGE}`;

/** Judges the first divergence: there exactly where the counts part, and at a place where the logs do. */
function judgeFirst({ all, differing }: Reports): Outcome {
  const byAddition = new Set(
    differing.reported.flatMap(({ replay, partings }) => (partings.isByAddition ? [replay] : [])),
  );
  const coherent = judgeEach(all, ({ replay, value, counts }) => {
    const first = value('firstDivergenceSeq') ?? null;
    // Which events are comparable is the host's to say: those that one log alone has may not be.
    if (first !== null && byAddition.has(replay)) return undefined;
    if (counts === undefined || (first === null) === (counts.matched === counts.compared)) return undefined;
    return {
      expected: 'a first divergence exactly where fewer events matched than were compared',
      actual: `firstDivergenceSeq ${shown(first)} beside matchedEvents ${counts.matched} of comparedEvents ${counts.compared}`,
    };
  });
  return coherent.kind === 'fail' ? coherent : judgeEach(differing, wrongPlace, NOT_SEEN);
}

function wrongPlace({ value, counts, partings }: Parted): Mismatch | undefined {
  const first = value('firstDivergenceSeq') ?? null;
  if (first === null || (typeof first === 'number' && partings.first.has(first))) return undefined;
  // A host that leaves events out of its comparison may pass over the first parting, but not name a place where nothing parts.
  const leavesOut = (counts?.compared ?? 0) < Math.min(partings.counts.source, partings.counts.replay);
  const parts = typeof first === 'number' && (partings.all?.has(first) ?? true);
  if (leavesOut && parts) return undefined;
  return {
    expected: `the first place where the two logs part, sequence ${[...partings.first].join(' or ')}`,
    actual: `firstDivergenceSeq ${shown(first)}`,
    diagnosis: wrong('wrong-first-divergence'),
  };
}

/** Judges that a replay whose log is its source's has a full score. */
function judgeExact({ matching: { reported, lacking } }: Reports): Outcome {
  const quiet = reported.filter(({ replay }) => !eventsOf(replay).some(({ type }) => type === 'replay.diverged'));
  return judgeEach(
    { reported: quiet, lacking },
    ({ value, counts }) => {
      const [score, first] = [value('score'), value('firstDivergenceSeq') ?? null];
      const isFull = counts === undefined || counts.matched === counts.compared;
      if (score === 1 && first === null && isFull) return undefined;
      return {
        expected: 'score 1 and no first divergence, as the two logs are alike and no replay.diverged was written',
        actual: `score ${shown(score)}, firstDivergenceSeq ${shown(first)}, ${countsText(counts)}`,
      };
    },
    'no replay of unchanged code matched its source',
  );
}

/** Judges that a replay whose log is another one has less than a full score. */
function judgeDiverging({ differing }: Reports): Outcome {
  return judgeEach(
    differing,
    ({ value, counts, partings }) => {
      const score = value('score');
      // A host that counts no events of one log alone names the place where they stand.
      const isNamed = partings.isByAddition && (value('firstDivergenceSeq') ?? null) !== null;
      if (isNamed && counts !== undefined && counts.matched === counts.compared) return undefined;
      const isRounded = counts !== undefined && counts.matched / counts.compared >= 1 - ROUNDING;
      const isLess = typeof score === 'number' && (score < 1 || isRounded);
      if (isLess && (counts === undefined || counts.matched < counts.compared)) return undefined;
      return {
        expected: 'a score below 1, as the two logs part',
        actual: `score ${shown(score)}, ${countsText(counts)}`,
      };
    },
    NOT_SEEN,
  );
}

function countsText(counts: Reported['counts']): string {
  return counts === undefined ? 'no counts' : `${counts.matched} of ${counts.compared} events matched`;
}

const CONSTANT = 'conformance-determinism-constant';
/** The revisions of the constant with another value and with one node more. */
const REVISIONS = ['2.0.0', '3.0.0'];

type ScoreObservation = RunObservation | ReportObservation;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const [middle] = forkPoints(source, [], 2);
  const full = await withReport(probe, replayOf(probe, source, undefined));
  const part = middle === undefined ? [] : await withReport(probe, replayOf(probe, source, middle));
  const changed = await driveChanges(probe);
  const isChanged = changed.some((each) => each.type === 'report');
  return [source, ...full, ...part, ...changed, ...(isChanged ? [] : await driveUnchanged(probe))];
}

/** A replay and its report. */
async function withReport(probe: Probe, replaying: Promise<RunObservation>): Promise<readonly ScoreObservation[]> {
  const replay = await replaying;
  return [replay, await readReport(probe, replay)];
}

async function driveChanges(probe: Probe): Promise<readonly Observation[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source of a constant' });
  if (source.problem !== null) return [];
  const replayUnder = (revision: string) => ({
    revision,
    use: async (isChanged: boolean): Promise<readonly ScoreObservation[]> =>
      isChanged ? withReport(probe, replayOf(probe, source, undefined, { role: `replay under ${revision}` })) : [],
  });
  return [source, ...(await withCodeChanges<ScoreObservation>(probe, CONSTANT, REVISIONS.map(replayUnder)))];
}

/** For hosts whose code no test can change. */
async function driveUnchanged(probe: Probe): Promise<readonly Observation[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  if (source === undefined) return runs;
  return [...runs, ...(await withReport(probe, replayOf(probe, source, undefined, { role: 'unsteady replay' })))];
}

const id = 'score.consistent';

/** A failure of what follows from members of a report that contradict each other rests on the row about those. */
function following(outcome: Outcome, recorded: Reports): Outcome {
  if (outcome.kind !== 'fail') return outcome;
  if (judgeEach(recorded.all, wrongScore).kind === 'fail') return rests(`${id}.score`, outcome);
  return judgeFirst(recorded).kind === 'fail' ? rests(`${id}.first-divergence`, outcome) : outcome;
}

const CHECKS: readonly (readonly [name: string, title: string, judge: (recorded: Reports) => Outcome])[] = [
  [
    'runs',
    'A determinism report names its source, its replay and where that began',
    ({ all }) => judgeEach(all, wrongRun),
  ],
  ['counts', 'Its counts are whole numbers that fit together and the two logs', judgeCounts],
  ['score', 'Its score is matchedEvents / comparedEvents', ({ all }) => judgeEach(all, wrongScore)],
  [
    'first-divergence',
    'It names a first divergence exactly where there is one, at the place where the logs part',
    judgeFirst,
  ],
  [
    'exact-replay',
    'A replay that matches its source has the score 1',
    (observed) => following(judgeExact(observed), observed),
  ],
  [
    'diverging-replay',
    'A replay that differs from its source has a lower score',
    (given) => following(judgeDiverging(given), given),
  ],
];

/** replay.md, Determinism scoring: the reports of replays that match and of replays that do not. */
export const score = defineScenario({
  suite: 'replay-governance',
  id,
  title: "A determinism report's counts, first divergence and score agree with the two logs",
  gate: determinismReport,
  needs: [replays],
  exclusive: [`workflow:${CONSTANT}`, ...STAGED_NODES],
  patience: () => 60,
  drive,
  see: seeReports,
  checks: CHECKS.map(([name, title, judge]) => ({ id: `${id}.${name}`, title, judge })),
});
