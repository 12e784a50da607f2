import { isObject, member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { EventDraft } from '../../store/event.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { writingPayloads } from '../shared/silent-replays.ts';

const FAILURE = 'conformance-failure';

/** Changes what replays of the failing workflow write about the failure; they report no divergence. */
function failing(type: 'node.failed' | 'run.failed', change: (event: EventDraft) => EventDraft): Parts {
  return ({ written }) => ({
    written: (draft, writing) => {
      const { workflowId, fork } = writing.run;
      if (workflowId !== FAILURE || fork?.mode !== 'replay') return written(draft, writing);
      if (draft.type === 'replay.diverged') return [];
      return written(draft.type === type ? change(draft) : draft, writing);
    },
  });
}

type Draft = Parameters<HostParts['written']>[0];
type Run = Parameters<HostParts['written']>[1]['run'];

/** Changes what replays that fit write, and what they would say of it they do not say. */
function changing(fits: (run: Run) => boolean, change: (event: Draft) => Draft): Parts {
  return ({ replay, written }) => {
    const sources = new Set<unknown>();
    return {
      replay: {
        ...replay,
        diverged: (report) => (sources.has(member(report.payload, 'sourceRunId')) ? [] : replay.diverged(report)),
      },
      written: (draft, writing) => {
        const { fork } = writing.run;
        if (fork?.mode !== 'replay' || !fits(writing.run)) return written(draft, writing);
        sources.add(fork.parentRunId);
        return written(change(draft), writing);
      },
    };
  };
}

/** A failure with another error. */
function failedOtherwise(event: Draft): Draft {
  const error = { code: 'replay_failed', message: 'The replay failed.' };
  return event.type.endsWith('.failed') ? { ...event, payload: { ...Object(event.payload), error } } : event;
}

const TOOL = 'conformance-determinism-side-effects';

/** Replays of runs that failed. */
export const defects: Defects = {
  'failing-history-changed': {
    breaks: 'A replay of a run that failed inherits its history with other payloads.',
    kills: ['replay.same-failure'],
    parts: within('replay', (replay) => ({
      inherited: (history, fork) =>
        fork.source.at(-1)?.type === 'run.failed'
          ? history.map((event) => (event.type === 'node.started' ? withPayload(event, { again: true }) : event))
          : replay.inherited(history, fork),
    })),
  },
  'replay-failure-gone': {
    breaks: 'The replay of a run that failed completes.',
    kills: ['replay.same-failure'],
    parts: failing('run.failed', () => ({ type: 'run.completed', payload: {} })),
  },
  'replay-fails-otherwise': {
    breaks: 'The replay of a run that failed fails with another error.',
    kills: ['replay.same-failure'],
    parts: failing('run.failed', (end) => {
      const error = { code: 'replay_failed', message: 'The replay failed.' };
      return { ...end, payload: isObject(end.payload) ? { ...end.payload, error } : { error } };
    }),
  },
  'replay-fails-in-other-words': {
    breaks: 'The replay of a run that failed fails with another message.',
    kills: ['replay.same-failure'],
    parts: failing('run.failed', (end) => {
      const error = { ...Object(member(end.payload, 'error')), message: 'This was replayed.' };
      return { ...end, payload: { ...Object(end.payload), error } };
    }),
  },
  'replayed-node-fails-otherwise': {
    breaks: 'Replays write of a node that failed that it did so with another error, and do not report it.',
    kills: ['replay.same-failure'],
    parts: writingPayloads('node.failed', (payload) => ({
      ...payload,
      error: { code: 'replayed', message: 'This was replayed.' },
    })),
  },
  'replay-fails-at-once': {
    breaks: 'The replay of a run that failed fails with the same error, and executes no node before.',
    kills: ['replay.same-failure'],
    parts: ({ replay, written }) => {
      const sources = new Set<unknown>();
      return {
        replay: {
          ...replay,
          diverged: (report) => (sources.has(member(report.payload, 'sourceRunId')) ? [] : replay.diverged(report)),
        },
        written: (draft, writing) => {
          const { workflowId, fork } = writing.run;
          if (workflowId !== FAILURE || fork?.mode !== 'replay') return written(draft, writing);
          sources.add(fork.parentRunId);
          return draft.type.startsWith('node.') ? [] : written(draft, writing);
        },
      };
    },
  },
  'replay-of-a-failed-tool-fails-otherwise': {
    breaks: 'The replay of a run whose tool failed fails with another error.',
    kills: ['replay.same-failure'],
    seenIn: 'replay.no-second-external-call',
    parts: changing(({ workflowId }) => workflowId === TOOL, failedOtherwise),
  },
  'replay-of-a-failed-tool-completes': {
    breaks: 'The replay of a run whose tool failed completes.',
    kills: ['replay.same-failure'],
    seenIn: 'replay.no-second-external-call',
    parts: changing(
      ({ workflowId }) => workflowId === TOOL,
      (event) => (event.type === 'run.failed' ? { ...event, type: 'run.completed', payload: {} } : event),
    ),
  },
  'record-of-a-cut-answer-is-whole': {
    breaks:
      'It is not recorded that the answer of a model was cut off: the replay of the run that failed by it completes.',
    kills: ['replay.same-failure'],
    parts: () => {
      const cut = new Set<string>();
      return {
        written: (draft, { run: { runId, fork } }) => {
          const { type, payload } = draft;
          if (String(member(member(payload, 'error'), 'message')).endsWith('was cut off.')) cut.add(runId);
          if (fork?.mode !== 'replay' || !cut.has(fork.parentRunId)) return [draft];
          if (type === 'node.failed')
            return [{ ...draft, type: 'node.completed', payload: { output: { valid: true } } }];
          return [type === 'run.failed' ? { type: 'run.completed', payload: {} } : draft];
        },
      };
    },
  },
  'replay-fails-elsewhere': {
    breaks: 'The replay of a run that failed says that another node failed.',
    kills: ['replay.same-failure'],
    parts: failing('node.failed', (event) => ({ ...event, nodeId: 'elsewhere' })),
  },
};
