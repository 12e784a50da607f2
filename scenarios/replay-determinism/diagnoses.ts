import { causes } from '../shared/causes.ts';

const REPORTED = ['replay.divergence-is-reported'];

/** The causes that the judges of this suite name. */
export const { diagnoses, wrong } = causes(
  [
    [
      'other-response',
      'the replay does not have the recorded response (replay.md, Determinism 1)',
      ['replay.no-second-external-call'],
    ],
    [
      'other-resume-value',
      'the recorded interrupt.resolved value is not what the replay has',
      ['replay.interrupt-short-circuits'],
    ],
    [
      'newest-version',
      'the replay takes the version that a fresh run takes (replay.md, Determinism 3)',
      ['replay.version-pins-kept'],
    ],
    [
      'other-pin',
      'the replay goes on with the version that was pinned, and writes another one into version.pinned',
      ['replay.version-pins-kept'],
    ],
    [
      'silent-divergence',
      'the replay differs from its source and nothing says so',
      [...REPORTED, 'replay.interrupt-short-circuits'],
    ],
    ['without-locators', 'the report does not say which events differ', REPORTED],
    ['wrong-locators', 'no locator resolves to a place where the two runs differ', REPORTED],
    [
      'further-divergence-silent',
      'the replay reports where it differs first, and not where it differs again: compare each event with its own in the source',
      ['replay.further-divergence'],
    ],
    ['blocked-by-divergence', 'replay.diverged is informational, not blocking', ['replay.divergence-continues']],
    [
      'failure-gone',
      'the replay of a run that failed does not fail: nobody sees the failure again',
      ['replay.same-failure'],
    ],
    [
      'failure-otherwise',
      'the replay fails with another error than its source: it does not reproduce what went wrong there',
      ['replay.same-failure'],
    ],
    [
      'failure-by-another-way',
      'the replay ends like its source, but executes something else before: nobody sees what failed on the way',
      ['replay.same-failure'],
    ],
  ],
  [
    [
      'hidden-in-debug',
      'streamMode=debug does not show each replay.diverged of the log',
      ['replay.divergence-in-debug-stream'],
    ],
    [
      'span-mismarked',
      'openwop.replay.diverged on the span of a replay does not say whether it differs',
      ['replay.divergence-span', 'replay.no-false-divergence'],
    ],
  ],
);
