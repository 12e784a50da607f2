import type { HostParts } from '../../parts.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { Defect, Defects } from '../mutant.ts';

type Writing = Parameters<HostParts['written']>[1];

/** A defect of replays: before an event that fits they report a divergence that there is not. */
function alarming(breaks: string, kill: string, fits: (draft: EventDraft, writing: Writing) => boolean): Defect {
  return {
    breaks,
    kills: [kill],
    parts: () => ({
      written: (draft, writing) =>
        writing.run.fork?.mode === 'replay' && fits(draft, writing)
          ? [alarm(writing.run, writing.source()), draft]
          : [draft],
    }),
  };
}

/** Divergence that is reported where there is none. */
export const defects: Defects = {
  'false-alarm': alarming(
    'A replay reports a divergence at its end, whatever it did.',
    'replay.no-false-divergence',
    (draft, { run }) => draft.type === 'run.completed' && run.workflowId === 'conformance-multi-node',
  ),
  'false-alarm-at-a-tool': alarming(
    'A replay that takes the answer of a tool from the record reports that the tool was not called.',
    'replay.no-false-divergence.every-fixture',
    (draft, { run }) => draft.type === 'node.completed' && run.workflowId === 'conformance-determinism-side-effects',
  ),
  'false-alarm-at-inputs': alarming(
    'A replay of a workflow with inputs reports that it was given others.',
    'replay.no-false-divergence.every-fixture',
    (draft, { run }) => draft.type === 'run.completed' && run.workflowId === 'conformance-identity',
  ),
  'false-alarm-at-the-clock': alarming(
    "A replay compares recorded times with the machine's clock, and reports that they differ.",
    'replay.no-false-divergence.clock',
    (draft) => draft.type === 'node.completed' && draft.nodeId === 'clock',
  ),
  'false-alarm-from-the-middle': alarming(
    'A replay that inherits history reports a divergence where it begins to execute.',
    'replay.no-false-divergence',
    (draft, { run }) =>
      (run.fork?.fromSeq ?? 0) > 0 &&
      draft.type === 'run.completed' &&
      run.workflowId === 'conformance-determinism-constant',
  ),
  'false-alarm-with-branches': alarming(
    'A replay compares concurrent branches by their places in the log, and reports that they differ.',
    'replay.no-false-divergence.every-fixture',
    (draft, { run }) => draft.type === 'run.completed' && run.workflowId === 'conformance-determinism-parallel',
  ),
};

/** A report of a divergence that there is not. */
function alarm({ runId }: RunRecord, source: readonly RunEvent[]): EventDraft {
  const original = source.at(-1);
  return {
    type: 'replay.diverged',
    payload: {
      sourceRunId: original?.runId ?? runId,
      atSequence: original?.sequence ?? 0,
      originalEventId: original?.eventId ?? null,
      replayEventId: null,
      divergencePoint: original?.sequence ?? 0,
    },
  };
}
