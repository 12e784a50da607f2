import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { countsOf, type Gathered, partedOf, type Reported, reportedValue } from './score-pairs.ts';

/** What is wrong with a report, in the words of a judgement. */
interface Wrong {
  readonly expected: string;
  readonly actual: string;
  readonly diagnosis?: Diagnosis;
}

/** Judges every report by one rule; what could not be read leaves the check undecided where nothing is wrong. */
function judgeEach<R extends Reported>(
  check: string,
  { reported, lacking }: { readonly reported: readonly R[]; readonly lacking: readonly string[] },
  wrongIn: (each: R) => Wrong | undefined,
): Judgement {
  for (const each of reported) {
    const wrong = wrongIn(each);
    if (wrong === undefined) continue;
    const { replay, report } = each;
    const actual = `${wrong.actual} in the report of ${named(replay)} (${report.where})`;
    return failing(check, { ...wrong, actual }, each.evidence);
  }
  const evidence = reported.flatMap((each) => each.evidence);
  if (lacking.length > 0) return undecided(check, lacking.join('; '), evidence);
  if (reported.length === 0) return undecided(check, 'no replay was reported on', evidence);
  return passing(check, evidence);
}

/** Judges which runs the reports name (replay.md, Determinism scoring). */
export function judgeRuns(check: string, gathered: Gathered): Judgement {
  return judgeEach(check, gathered, (each) => {
    const { source, replay } = each;
    const asked = replay.fork?.fromSeq ?? null;
    // A host that began elsewhere, and said so when it forked, reports what it did.
    const answered = member(replay.answer, 'fromSeq');
    const starts = [...(asked === null ? [0, eventsOf(source)[0]?.sequence ?? 0] : [asked]), answered];
    const wanted: readonly (readonly [string, readonly unknown[]])[] = [
      ['sourceRunId', [source.runId]],
      ['replayRunId', [replay.runId]],
      ['fromSeq', starts],
    ];
    const wrong = wanted.find(([name, values]) => {
      const value = reportedValue(each, name);
      return value === undefined || !values.includes(value);
    });
    if (wrong === undefined) return undefined;
    const [name, values] = wrong;
    return { expected: `${name}: ${values.map(shown).join(' or ')}`, actual: shown(reportedValue(each, name)) };
  });
}

/** Judges the counts: whole, in order, and no more than the logs hold. What is comparable is the host's. */
export function judgeCounts(check: string, gathered: Gathered): Judgement {
  return judgeEach(check, gathered, (each) => {
    const [before, after] = [eventsOf(each.source).length, eventsOf(each.replay).length];
    const counts = countsOf(each);
    const told = `matchedEvents ${shown(reportedValue(each, 'matchedEvents'))}, comparedEvents ${shown(reportedValue(each, 'comparedEvents'))}`;
    const isWhole = counts !== undefined && Number.isInteger(counts.matched) && Number.isInteger(counts.compared);
    if (!isWhole) return { expected: 'two whole numbers', actual: told };
    const { matched, compared } = counts;
    if (matched < 0 || matched > compared || compared === 0) {
      return { expected: '0 ≤ matchedEvents ≤ comparedEvents, and something compared', actual: told };
    }
    if (compared > before + after || matched > Math.min(before, after)) {
      return {
        expected: `no more than there are: ${before} events in the source, ${after} in the replay`,
        actual: told,
      };
    }
    return undefined;
  });
}

/** A host may round, or cut, to two digits or more. */
const ROUNDING = 0.01;

/** Judges that the score is what the counts say. */
export function judgeScore(check: string, gathered: Gathered): Judgement {
  return judgeEach(check, gathered, (each) => {
    const [score, counts] = [reportedValue(each, 'score'), countsOf(each)];
    if (typeof score !== 'number' || score < 0 || score > 1) {
      return { expected: 'a score from 0 to 1', actual: `score ${shown(score)}` };
    }
    if (counts === undefined || counts.compared === 0) return undefined;
    const { matched, compared } = counts;
    if (Math.abs(score - matched / compared) <= ROUNDING) return undefined;
    return { expected: `matchedEvents / comparedEvents, ${matched} / ${compared}`, actual: `score ${score}` };
  });
}

const NOT_SEEN =
  'no replay that differs from its source could be made: expose workflow-revision, seed conformance-determinism-wall-clock, or seed conformance-phase4-replay-divergence and expose mock-ai/program';

/** Judges the first divergence: there exactly where the counts part, and at a place where the logs do. */
export function judgeFirst(check: string, gathered: Gathered, volatile: readonly string[]): Judgement {
  const coherent = judgeEach(check, gathered, (each) => {
    const [first, counts] = [reportedValue(each, 'firstDivergenceSeq') ?? null, countsOf(each)];
    if (counts === undefined || (first === null) === (counts.matched === counts.compared)) return undefined;
    const told = `firstDivergenceSeq ${shown(first)} beside matchedEvents ${counts.matched} of comparedEvents ${counts.compared}`;
    return { expected: 'a first divergence exactly where fewer events matched than were compared', actual: told };
  });
  if (coherent.verdict === 'fail') return coherent;
  const { parted, lacking } = partedOf(gathered, false, volatile);
  const placed = judgeEach(check, { reported: parted, lacking }, (each) => wrongPlace(each));
  if (placed.verdict === 'fail') return placed;
  return parted.length === 0 && lacking.length === 0 ? undecided(check, NOT_SEEN, []) : placed;
}

type Parted = ReturnType<typeof partedOf>['parted'][number];

function wrongPlace(each: Parted): Wrong | undefined {
  const first = reportedValue(each, 'firstDivergenceSeq') ?? null;
  const { partings } = each;
  if (first === null || (typeof first === 'number' && partings.first.has(first))) return undefined;
  // A host that leaves events out of its comparison may pass over the first parting, but not name a place where nothing parts.
  const leavesOut = (countsOf(each)?.compared ?? 0) < Math.min(partings.counts.source, partings.counts.replay);
  const parts = typeof first === 'number' && (partings.all?.has(first) ?? true);
  if (leavesOut && parts) return undefined;
  return {
    expected: `the first place where the two logs part, sequence ${[...partings.first].join(' or ')}`,
    actual: `firstDivergenceSeq ${shown(first)}`,
    diagnosis: {
      code: 'wrong-first-divergence',
      message: 'the report names a place that is not where the logs first part',
    },
  };
}

/** Judges that a replay whose log is its source's has a full score. */
export function judgeExact(check: string, gathered: Gathered, volatile: readonly string[]): Judgement {
  const { parted, lacking } = partedOf(gathered, true, volatile);
  const quiet = parted.filter(({ replay }) => !eventsOf(replay).some(({ type }) => type === 'replay.diverged'));
  const reason = 'no replay of unchanged code matched its source';
  if (quiet.length === 0 && lacking.length === 0) return undecided(check, reason, []);
  return judgeEach(check, { reported: quiet, lacking }, (each) => {
    const [score, counts] = [reportedValue(each, 'score'), countsOf(each)];
    const first = reportedValue(each, 'firstDivergenceSeq') ?? null;
    if (score === 1 && first === null && (counts === undefined || counts.matched === counts.compared)) return undefined;
    const told = counts === undefined ? 'without counts' : `${counts.matched} of ${counts.compared} events matched`;
    return {
      expected: 'score 1 and no first divergence, as the two logs tell the same and no replay.diverged was written',
      actual: `score ${shown(score)}, firstDivergenceSeq ${shown(first)}, ${told}`,
    };
  });
}

/** Judges that a replay whose log is another one has less than a full score. */
export function judgeDiverging(check: string, gathered: Gathered, volatile: readonly string[]): Judgement {
  const { parted, lacking } = partedOf(gathered, false, volatile);
  if (parted.length === 0 && lacking.length === 0) return undecided(check, NOT_SEEN, []);
  return judgeEach(check, { reported: parted, lacking }, (each) => {
    const [score, counts] = [reportedValue(each, 'score'), countsOf(each)];
    const rounded = counts !== undefined && counts.matched / counts.compared >= 1 - ROUNDING;
    const isLess = typeof score === 'number' && (score < 1 || rounded);
    if (isLess && (counts === undefined || counts.matched < counts.compared)) return undefined;
    const told = counts === undefined ? 'no counts' : `${counts.matched} of ${counts.compared} events matched`;
    return { expected: 'a score below 1, as the two logs part', actual: `score ${shown(score)}, ${told}` };
  });
}
