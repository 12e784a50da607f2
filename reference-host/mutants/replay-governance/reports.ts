import type { Defects } from '../mutant.ts';

/** Determinism reports. */
export const defects: Defects = {
  'report-about-the-source': {
    breaks: 'A determinism report names the source as the replay.',
    kills: ['score.consistent.runs'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, replayRunId: report.sourceRunId }) },
    }),
  },
  'report-about-itself': {
    breaks: 'A determinism report names the replay as its own source.',
    kills: ['score.consistent.runs'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, sourceRunId: report.replayRunId }) },
    }),
  },
  'report-from-zero': {
    breaks: 'A determinism report says of every replay that it began at zero.',
    kills: ['score.consistent.runs'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, fromSeq: 0 }) },
    }),
  },
  'report-without-from-seq': {
    breaks: 'A determinism report does not say where the replay began.',
    kills: ['score.consistent.runs'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, fromSeq: undefined }) },
    }),
  },
  'report-matches-one-more': {
    breaks: 'A determinism report counts one match more than it compared events.',
    kills: [
      'score.consistent.counts',
      'score.consistent.score',
      'score.consistent.first-divergence',
      'score.consistent.exact-replay',
      'score.consistent.diverging-replay',
    ],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({ ...report, matchedEvents: report.comparedEvents + 1 }),
      },
    }),
  },
  'report-counts-as-text': {
    breaks: 'A determinism report gives its counts as text.',
    kills: ['score.consistent.counts'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({
          ...report,
          matchedEvents: String(report.matchedEvents),
          comparedEvents: String(report.comparedEvents),
        }),
      },
    }),
  },
  'report-compares-nothing': {
    breaks: 'A determinism report says that nothing was compared.',
    kills: [
      'score.consistent.counts',
      'score.consistent.score',
      'score.consistent.first-divergence',
      'score.consistent.exact-replay',
      'score.consistent.diverging-replay',
    ],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({ ...report, matchedEvents: 0, comparedEvents: 0, score: null }),
      },
    }),
  },
  'report-counts-too-many': {
    breaks: 'A determinism report counts more events than there are.',
    kills: ['score.consistent.counts'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({
          ...report,
          matchedEvents: report.matchedEvents * 100,
          comparedEvents: report.comparedEvents * 100,
        }),
      },
    }),
  },
  'report-score-in-percent': {
    breaks: 'A determinism report gives its score in percent.',
    kills: ['score.consistent.score', 'score.consistent.exact-replay', 'score.consistent.diverging-replay'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, score: (report.score ?? 0) * 100 }) },
    }),
  },
  'report-score-as-flag': {
    breaks: 'A determinism report gives the score 0 to every replay that differs at all.',
    kills: ['score.consistent.score'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, score: report.score === 1 ? 1 : 0 }) },
    }),
  },
  'report-score-inverted': {
    breaks: 'A determinism report scores what did not match.',
    kills: ['score.consistent.score', 'score.consistent.exact-replay'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, score: 1 - (report.score ?? 0) }) },
    }),
  },
  'report-without-first-divergence': {
    breaks: 'A determinism report names no first divergence.',
    kills: ['score.consistent.first-divergence'],
    parts: ({ sideResources }) => ({
      sideResources: { ...sideResources, report: (report) => ({ ...report, firstDivergenceSeq: null }) },
    }),
  },
  'report-first-divergence-early': {
    breaks: 'A determinism report names the event before the first divergence.',
    kills: ['score.consistent.first-divergence'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({
          ...report,
          firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.firstDivergenceSeq - 1,
        }),
      },
    }),
  },
  'report-first-divergence-where-none': {
    breaks: 'A determinism report names a first divergence of a replay that matches.',
    kills: ['score.consistent.first-divergence', 'score.consistent.exact-replay'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({ ...report, firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq }),
      },
    }),
  },
  'report-first-divergence-at-start': {
    breaks: 'A determinism report takes the start of the replay for its first divergence.',
    kills: ['score.consistent.first-divergence'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({
          ...report,
          firstDivergenceSeq: report.firstDivergenceSeq === null ? null : report.fromSeq,
        }),
      },
    }),
  },
  'report-never-full': {
    breaks: 'A determinism report takes one event of every replay for another one.',
    kills: ['score.consistent.exact-replay', 'score.consistent.counts'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({
          ...report,
          matchedEvents: report.comparedEvents - 1,
          score: (report.comparedEvents - 1) / report.comparedEvents,
          firstDivergenceSeq: report.firstDivergenceSeq ?? report.fromSeq,
        }),
      },
    }),
  },
  'report-always-full': {
    breaks: 'A determinism report says of every replay that it matches.',
    kills: ['score.consistent.diverging-replay', 'score.consistent.counts'],
    parts: ({ sideResources }) => ({
      sideResources: {
        ...sideResources,
        report: (report) => ({ ...report, matchedEvents: report.comparedEvents, score: 1, firstDivergenceSeq: null }),
      },
    }),
  },
};
