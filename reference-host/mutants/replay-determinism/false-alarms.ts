import type { Defects } from '../mutant.ts';
import { alarm } from '../shared/false-alarm.ts';

/** Divergence that is reported where there is none. */
export const defects: Defects = {
  'false-alarm': {
    breaks: 'A replay reports a divergence at its end, whatever it did.',
    kills: ['replay.no-false-divergence'],
    parts: () => ({
      written: (draft, { run, source }) =>
        run.fork?.mode === 'replay' && draft.type === 'run.completed' && run.workflowId === 'conformance-multi-node'
          ? [alarm(run, source()), draft]
          : [draft],
    }),
  },
  'false-alarm-at-a-tool': {
    breaks: 'A replay that takes the answer of a tool from the record reports that the tool was not called.',
    kills: ['replay.no-false-divergence.every-fixture'],
    parts: () => ({
      written: (draft, { run, source }) =>
        run.fork?.mode === 'replay' &&
        draft.type === 'node.completed' &&
        run.workflowId === 'conformance-determinism-side-effects'
          ? [alarm(run, source()), draft]
          : [draft],
    }),
  },
  'false-alarm-at-the-clock': {
    breaks: "A replay compares recorded times with the machine's clock, and reports that they differ.",
    kills: ['replay.no-false-divergence.clock'],
    parts: () => ({
      written: (draft, { run, source }) =>
        run.fork?.mode === 'replay' && draft.type === 'node.completed' && draft.nodeId === 'clock'
          ? [alarm(run, source()), draft]
          : [draft],
    }),
  },
  'false-alarm-from-the-middle': {
    breaks: 'A replay that inherits history reports a divergence where it begins to execute.',
    kills: ['replay.no-false-divergence'],
    parts: () => ({
      written: (draft, { run, source }) =>
        run.fork?.mode === 'replay' &&
        run.fork.fromSeq > 0 &&
        draft.type === 'run.completed' &&
        run.workflowId === 'conformance-determinism-constant'
          ? [alarm(run, source()), draft]
          : [draft],
    }),
  },
  'false-alarm-with-branches': {
    breaks: 'A replay compares concurrent branches by their places in the log, and reports that they differ.',
    kills: ['replay.no-false-divergence.every-fixture'],
    parts: () => ({
      written: (draft, { run, source }) =>
        run.fork?.mode === 'replay' &&
        draft.type === 'run.completed' &&
        run.workflowId === 'conformance-determinism-parallel'
          ? [alarm(run, source()), draft]
          : [draft],
    }),
  },
};
