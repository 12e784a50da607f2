import { isObject } from '../../json.ts';
import type { EventDraft, EventType } from '../../store/event.ts';
import { because, type Defects, type Parts } from '../mutant.ts';
import { noticing } from '../shared/run-memory.ts';
import { showingEvents } from '../shared/run-wire.ts';

/** Replays show no event of a type that they executed. */
function losingEvents(type: EventType): Parts {
  return ({ middleware }) => {
    const starts = new Map<string, number>();
    const isLost = (runId: unknown, sequence: unknown): boolean =>
      Number(sequence) >= (starts.get(String(runId)) ?? Infinity);
    const showing = showingEvents(
      () => true,
      (event) => (event['type'] === type && isLost(event['runId'], event['sequence']) ? [] : [event]),
    );
    return {
      middleware: (next) =>
        noticing(showing(middleware(next)), /:fork$/u, ({ asked, runId }) => {
          if (asked['mode'] === 'replay') starts.set(runId, Number(asked['fromSeq'] ?? 0));
        }),
    };
  };
}

/** Replays write events of a type without a member of their payloads, and do not report them. */
function losingMember(type: EventType, name: string): Parts {
  return ({ written, replay }) => {
    let last: EventDraft | undefined;
    return {
      replay: { ...replay, diverged: (report) => (last?.type === type ? [] : replay.diverged(report)) },
      written: (draft, writing) => {
        last = draft;
        const isMeant = writing.run.fork?.mode === 'replay' && draft.type === type && isObject(draft.payload);
        if (!isMeant || !isObject(draft.payload)) return written(draft, writing);
        const { [name]: _lost, ...payload } = draft.payload;
        return written({ ...draft, payload }, writing);
      },
    };
  };
}

const COMPARES = 'the host compares what it wrote, which is more than its replays show';

/** What replays of every workflow show less of, without a word. */
export const defects: Defects = {
  'replay-shows-no-ends-of-nodes': {
    breaks: 'The logs of replays show of no node that it completed.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    alsoBreaks: because(COMPARES, 'diff.first-divergence', 'score.consistent.counts'),
    parts: losingEvents('node.completed'),
  },
  'replay-shows-no-outputs': {
    breaks: 'The nodes of replays complete without their outputs.',
    kills: ['replay.divergence-is-reported.every-fixture'],
    parts: losingMember('node.completed', 'output'),
  },
};
