import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';
import { wrongFormulas } from './invocation-id.ts';

const REGIONS = ['region.same-fork'];
const INHERITED = ['annotation.not-inherited'];
const IN_LOG = ['annotation.not-an-event'];

/** What the judges of reports, regions, annotations and Layer-2 ids name. */
export const secondDiagnoses: readonly ExplainedDiagnosis[] = [
  {
    code: 'wrong-first-divergence',
    message:
      'A determinism report names a place that is not where the two logs first part. Align them without replay.* events.',
    breaks: ['score.consistent'],
  },
  {
    code: 'region-refuses',
    message:
      'The other region refuses a fork that the region of the source serves. Each region reads the log of every run.',
    breaks: REGIONS,
  },
  {
    code: 'second-region-departs',
    message:
      'A fork served by the other region has another history or state than the source. Only clocks and fresh ids may differ.',
    breaks: REGIONS,
  },
  {
    code: 'annotations-inherited',
    message: 'A fork shows annotations that nobody made for it. It is a new run, which nobody has judged yet.',
    breaks: INHERITED,
  },
  {
    code: 'annotations-mixed',
    message: 'An annotation shows at a run that it was not made for. Keep annotations by the run that they are about.',
    breaks: INHERITED,
  },
  {
    code: 'annotation-in-log',
    message: 'An annotation was written into a log or replayed from one. run.annotated is for streams that are open.',
    breaks: IN_LOG,
  },
  {
    code: 'annotation-moves-events',
    message: 'Events have other numbers since the run was annotated. An annotation takes no number of the log.',
    breaks: IN_LOG,
  },
  ...wrongFormulas().map(({ code, message }) => ({
    code,
    message: `A Layer-2 id is not sha256(run:node:attempt:providerKey): ${message}.`,
    breaks: ['recovery.layer-two-id'],
  })),
];
