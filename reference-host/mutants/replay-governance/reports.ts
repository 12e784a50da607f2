import type { DeterminismReport } from '../../policies/side-resources.ts';
import { type Defect, type Defects, within } from '../mutant.ts';

/** A defect of determinism reports: some members say something else. */
function reporting(breaks: string, kills: readonly string[], members: (report: DeterminismReport) => object): Defect {
  const report = (made: DeterminismReport): object => ({ ...made, ...members(made) });
  return { breaks, kills, parts: within('sideResources', () => ({ report })) };
}

/** Determinism reports. */
export const defects: Defects = {
  'report-about-the-source': reporting(
    'A determinism report names the source as the replay.',
    ['score.consistent.runs'],
    (report) => ({ replayRunId: report.sourceRunId }),
  ),
  'report-about-itself': reporting(
    'A determinism report names the replay as its own source.',
    ['score.consistent.runs'],
    (report) => ({ sourceRunId: report.replayRunId }),
  ),
  'report-from-zero': reporting(
    'A determinism report says of every replay that it began at zero.',
    ['score.consistent.runs'],
    () => ({ fromSeq: 0 }),
  ),
  'report-without-from-seq': reporting(
    'A determinism report does not say where the replay began.',
    ['score.consistent.runs'],
    () => ({ fromSeq: undefined }),
  ),
  'report-matches-one-more': reporting(
    'A determinism report counts one match more than it compared events.',
    ['score.consistent.counts'],
    (report) => ({ matchedEvents: report.comparedEvents + 1 }),
  ),
  'report-counts-as-text': reporting(
    'A determinism report gives its counts as text.',
    ['score.consistent.counts'],
    (report) => ({ matchedEvents: String(report.matchedEvents), comparedEvents: String(report.comparedEvents) }),
  ),
  'report-compares-nothing': reporting(
    'A determinism report says that nothing was compared.',
    ['score.consistent.counts'],
    () => ({
      matchedEvents: 0,
      comparedEvents: 0,
      score: null,
    }),
  ),
  'report-counts-too-many': reporting(
    'A determinism report counts more events than there are.',
    ['score.consistent.counts'],
    (report) => ({ matchedEvents: report.matchedEvents * 100, comparedEvents: report.comparedEvents * 100 }),
  ),
  'report-compares-one-more': reporting(
    'A determinism report counts one event more that was compared.',
    ['score.consistent.counts'],
    (report) => ({ comparedEvents: report.comparedEvents + 1 }),
  ),
  'report-matches-nothing-where-it-parts': reporting(
    'A determinism report counts no match of a replay that diverges, not even before it does.',
    ['score.consistent.counts'],
    (report) => (report.firstDivergenceSeq === null ? {} : { matchedEvents: 0, score: 0 }),
  ),
  'report-score-in-percent': reporting(
    'A determinism report gives its score in percent.',
    ['score.consistent.score'],
    (report) => ({ score: (report.score ?? 0) * 100 }),
  ),
  'report-score-as-flag': reporting(
    'A determinism report gives the score 0 to every replay that differs at all.',
    ['score.consistent.score'],
    (report) => ({ score: report.score === 1 ? 1 : 0 }),
  ),
  'report-score-inverted': reporting(
    'A determinism report scores what did not match.',
    ['score.consistent.score'],
    (report) => ({ score: 1 - (report.score ?? 0) }),
  ),
  'report-without-first-divergence': reporting(
    'A determinism report names no first divergence.',
    ['score.consistent.first-divergence'],
    () => ({ firstDivergenceSeq: null }),
  ),
  'report-first-divergence-early': reporting(
    'A determinism report names the event before the first divergence.',
    ['score.consistent.first-divergence'],
    (report) => ({ firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.firstDivergenceSeq - 1 }),
  ),
  'report-first-divergence-where-none': reporting(
    'A determinism report names a first divergence of a replay that matches.',
    ['score.consistent.first-divergence'],
    (report) => ({ firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq }),
  ),
  'report-first-divergence-at-start': reporting(
    'A determinism report takes the start of the replay for its first divergence.',
    ['score.consistent.first-divergence'],
    (report) => ({ firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.fromSeq }),
  ),
  'report-never-full': reporting(
    'A determinism report takes one event of every replay for another one.',
    ['score.consistent.exact-replay'],
    (report) => ({
      matchedEvents: report.comparedEvents - 1,
      score: (report.comparedEvents - 1) / report.comparedEvents,
      firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq,
    }),
  ),
  'report-always-full': reporting(
    'A determinism report says of every replay that it matches.',
    ['score.consistent.diverging-replay'],
    (report) => ({ matchedEvents: report.comparedEvents, score: 1, firstDivergenceSeq: null }),
  ),
};
