import type { HostParts } from '../../parts.ts';
import type { EventDraft, RunEvent } from '../../store/event.ts';
import type { RunRecord } from '../../store/runs.ts';
import type { Drafts, Replaying } from '../../policies/replay.ts';
import { because, type Defects, type Defect, type Parts, within, seenIn } from '../mutant.ts';
import { forkAnswered } from '../shared/fork-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';
import { copied, divergedAs, withPayload } from '../shared/replay-parts.ts';
import { changingFrames, showingEvents } from '../shared/run-wire.ts';

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

/** The same of replays of forks, before their ends. */
function alarmingOf(breaks: string, fits: (mode: unknown, fromSeq: number) => boolean): Defect {
  return {
    breaks,
    kills: ['replay.no-false-divergence.every-fixture'],
    parts: knowingForks((modeOf) => () => ({
      written: (draft, { run, source }) => {
        const { fork } = run;
        const isMeant = fork?.mode === 'replay' && fits(modeOf(fork.parentRunId), fork.fromSeq);
        return isMeant && draft.type === 'run.completed' ? [alarm(run, source()), draft] : [draft];
      },
    })),
  };
}

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

const CONSTANT = 'conformance-determinism-constant';

/** Replays of the constant by themselves: from behind the first event, or of a replay. */
type Carried = { readonly isLater: boolean; readonly ofReplay: boolean };

/** Carries out those replays of the constant that fit in another way. */
function carriedOut(fits: (carried: Carried) => boolean, otherwise: (replaying: Replaying) => Drafts): Parts {
  return within('replay', ({ carryOut }) => {
    const replays = new Set<string>();
    return {
      carryOut: (replaying) => {
        const { workflowId, runId, fork } = replaying.run;
        const carried = { isLater: (fork?.fromSeq ?? 0) > 0, ofReplay: replays.has(fork?.parentRunId ?? '') };
        replays.add(runId);
        return workflowId === CONSTANT && fits(carried) ? otherwise(replaying) : carryOut(replaying);
      },
    };
  });
}

const DIVERGED = { error: { code: 'replay_diverged', message: 'The replay differs from its source.' } };
const FAILED: EventDraft = { type: 'run.failed', payload: DIVERGED };

/** Fails where the constant has its other value. */
async function* failingAtTheValue({ execute }: Replaying): Drafts {
  for await (const draft of execute()) {
    yield draft;
    if (draft.type === 'variable.changed' && JSON.stringify(draft.payload).includes('"second"')) return yield FAILED;
  }
}

/** How divergence is reported, and what is reported where nothing diverged. */
export const defects: Defects = {
  'debug-stream-refused': {
    breaks: 'There is no stream mode debug.',
    kills: ['replay.divergence-in-debug-stream'],
    parts: () => ({
      middleware: (next) => (request) =>
        request.url.includes('streamMode=debug')
          ? Response.json({ error: 'unsupported_stream_mode', message: 'There is no such mode.' }, { status: 400 })
          : next(request),
    }),
  },
  'debug-stream-without-divergence': {
    breaks: 'The stream mode debug leaves out what is said about replays.',
    kills: ['replay.divergence-in-debug-stream'],
    parts: () => ({
      middleware: (next) => (request) => {
        const url = request.url.replace('streamMode=debug', 'streamMode=values');
        const { headers, signal } = request;
        return next(url === request.url ? request : new Request(url, { headers, signal }));
      },
    }),
  },
  'debug-stream-shows-one-divergence': {
    breaks: 'The stream mode debug shows no divergence of a replay but the first one.',
    kills: ['replay.divergence-in-debug-stream'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const response = await next(request);
        const isStream = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
        if (!isStream || !request.url.includes('streamMode=debug')) return response;
        let shown = 0;
        return changingFrames(response, (event) =>
          event['type'] !== 'replay.diverged' || (shown += 1) === 1 ? [event] : [],
        );
      },
    }),
  },
  'divergence-added-node-unnoticed': {
    breaks: 'A replay does not report events of nodes that the source does not have.',
    kills: ['replay.divergence-is-reported.added-node'],
    parts: divergedAs((report) => (report.nodeId === 'inserted' ? [] : [report])),
  },
  'divergence-cancels-run': {
    breaks: 'A replay that differs from its source is cancelled.',
    kills: ['replay.divergence-continues'],
    parts: divergedAs((report) => [report, { type: 'run.cancelled', payload: {} }]),
  },
  'divergence-dropped-node-unnoticed': {
    breaks: 'A replay does not report that it ends before its source.',
    kills: ['replay.divergence-is-reported.dropped-node'],
    parts: divergedAs((report) => (report.nodeId === undefined ? [] : [report])),
  },
  'divergence-ends-run': {
    breaks: 'A replay that differs from its source stops there, as if it were complete.',
    kills: ['replay.divergence-continues'],
    parts: divergedAs((report) => [report, { type: 'run.completed', payload: {} }]),
  },
  'divergence-fails-run': {
    breaks: 'A replay that differs from its source fails.',
    kills: ['replay.divergence-continues'],
    parts: divergedAs((report) => [report, FAILED]),
  },
  'divergence-fails-run-with-another-node': {
    breaks: 'A replay with a node that its source does not have fails.',
    kills: ['replay.divergence-continues'],
    parts: divergedAs((report) => (report.nodeId === 'inserted' ? [report, FAILED] : [report])),
  },
  'divergence-fails-run-without-a-node': {
    breaks: 'A replay that would end before its source fails.',
    kills: ['replay.divergence-continues'],
    parts: divergedAs((report) => (report.nodeId === undefined ? [report, FAILED] : [report])),
  },
  'divergence-fails-run-from-later-events': {
    breaks: 'A replay from a later event that differs from its source fails.',
    kills: ['replay.divergence-continues'],
    parts: carriedOut(({ isLater }) => isLater, failingAtTheValue),
  },
  'divergence-fails-run-of-replays': {
    breaks: 'A replay of a replay that differs from it fails.',
    kills: ['replay.divergence-continues'],
    parts: carriedOut(({ ofReplay }) => ofReplay, failingAtTheValue),
  },
  'log-copied-from-later-events': {
    breaks: 'A replay from a later event copies the log of its source instead of executing.',
    kills: ['replay.divergence-is-reported.later'],
    alsoBreaks: because(
      'What it copies it did not execute anew, the event at the fork point among it.',
      'fork.from-seq-anew',
    ),
    parts: carriedOut(({ isLater }) => isLater, copied),
  },
  'log-copied-of-replays': {
    breaks: 'A replay of a replay copies its log instead of executing.',
    kills: ['replay.divergence-is-reported.later'],
    parts: carriedOut(({ ofReplay }) => ofReplay, copied),
  },
  'divergence-reported-once': {
    breaks: 'A replay reports that a constant differs, and not that a later one does.',
    kills: ['replay.further-divergence'],
    parts: divergedAs((report) => (report.nodeId === 'other' ? [] : [report])),
  },
  'divergence-located-at-the-start': {
    breaks: 'Every report of a divergence names the beginning of the source.',
    kills: ['replay.divergence-is-reported'],
    parts: divergedAs((report) => {
      const start = { originalEventId: null, replayEventId: null, divergencePoint: 0, atSequence: 0 };
      return [withPayload(report, start)];
    }),
  },
  'divergence-locators-unknown': {
    breaks: 'A report of a divergence names events that do not exist.',
    kills: ['replay.divergence-is-reported'],
    parts: divergedAs((report) => {
      const nowhere = { originalEventId: 'evt_0', replayEventId: 'evt_0', atSequence: 1e6, divergencePoint: 1e6 };
      return [withPayload(report, nowhere)];
    }),
  },
  'divergence-of-another-run': {
    breaks: 'A report of a divergence names another source run, and nothing else that resolves.',
    kills: ['replay.divergence-is-reported'],
    parts: divergedAs((report) => {
      const elsewhere = { originalEventId: null, replayEventId: null, divergencePoint: null };
      return [withPayload(report, { ...elsewhere, sourceRunId: 'run_0' })];
    }),
  },
  'divergence-unreported-from-later-events': {
    breaks: 'A replay from a later event than the first that differs from its source does not say so.',
    kills: ['replay.divergence-is-reported.later'],
    parts: (conformant) => {
      const later = new Set<unknown>();
      return {
        ...forkAnswered((answer, { body }) => {
          if (body['mode'] === 'replay' && Number(body['fromSeq'] ?? 0) > 0) later.add(answer['runId']);
          return answer;
        })(conformant),
        middleware: showingEvents(
          (runId) => later.has(runId),
          (event) => (event['type'] === 'replay.diverged' ? [] : [event]),
        ),
      };
    },
  },
  'divergence-unreported-of-replays': {
    breaks: 'A replay of a replay that differs from it does not say so.',
    kills: ['replay.divergence-is-reported.later'],
    parts: (conformant) => {
      const [forks, again] = [new Set<unknown>(), new Set<unknown>()];
      return {
        ...forkAnswered((answer) => {
          if (forks.has(answer['sourceRunId'])) again.add(answer['runId']);
          forks.add(answer['runId']);
          return answer;
        })(conformant),
        middleware: showingEvents(
          (runId) => again.has(runId),
          (event) => (event['type'] === 'replay.diverged' ? [] : [event]),
        ),
      };
    },
  },
  'divergence-unreported': {
    breaks: 'A replay that differs from its source does not say so.',
    kills: ['replay.divergence-is-reported', 'replay.divergence-span'],
    parts: divergedAs(() => []),
  },
  'divergence-without-locators': {
    breaks: 'A report of a divergence does not say where it is.',
    kills: ['replay.divergence-is-reported'],
    parts: divergedAs((report) => [{ ...report, payload: { diverged: true } }]),
  },
  'span-always-diverged': {
    breaks: 'The span of every replay says that it diverged.',
    kills: ['replay.no-false-divergence.span'],
    parts: () => ({ span: (attributes) => ({ ...attributes, 'openwop.replay.diverged': true }) }),
  },
  'span-never-diverged': {
    breaks: 'The span of every replay says that it did not diverge.',
    kills: ['replay.divergence-span'],
    parts: () => ({ span: (attributes) => ({ ...attributes, 'openwop.replay.diverged': false }) }),
  },
  'span-of-later-replays-never-diverged': {
    breaks: 'The span of a replay that begins behind the first event says that it did not diverge.',
    kills: ['replay.divergence-span'],
    parts: () => ({
      span: (attributes) =>
        Number(attributes['openwop.replay.from_seq'] ?? 0) > 0
          ? { ...attributes, 'openwop.replay.diverged': false }
          : attributes,
    }),
  },
  'span-of-replayed-replays-never-diverged': {
    breaks: 'The span of a replay of a replay says that it did not diverge.',
    kills: ['replay.divergence-span'],
    parts: knowingForks((modeOf) => () => ({
      span: (attributes) =>
        modeOf(String(attributes['openwop.replay.source_run_id'])) === 'replay'
          ? { ...attributes, 'openwop.replay.diverged': false }
          : attributes,
    })),
  },
  'span-without-divergence': {
    breaks: 'The span of a replay does not say that it diverged.',
    kills: ['replay.divergence-span'],
    parts: () => ({
      span: (attributes) =>
        Object.fromEntries(Object.entries(attributes).filter(([name]) => name !== 'openwop.replay.diverged')),
    }),
  },
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
  'false-alarm-at-inputs': seenIn(
    'fork.overlay-generations',
    alarming(
      'A replay of a workflow with inputs reports that it was given others.',
      'replay.no-false-divergence.every-fixture',
      (draft, { run }) => draft.type === 'run.completed' && run.workflowId === 'conformance-identity',
    ),
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
  'false-alarm-from-the-last-event': seenIn(
    'sequence.sweep',
    alarming(
      'A replay from the last event of a log reports a divergence there.',
      'replay.no-false-divergence.every-fixture',
      (draft, { run, source }) => draft.type === 'run.completed' && run.fork?.fromSeq === source().at(-1)?.sequence,
    ),
  ),
  'false-alarm-in-replays-of-branches': seenIn(
    'fork.overlay-configurable',
    alarmingOf(
      'A replay of a branch reports a divergence at its end, whatever it did.',
      (modeOf) => modeOf === 'branch',
    ),
  ),
  'false-alarm-in-later-replays-of-replays': seenIn(
    'fork.full-replay',
    alarmingOf(
      'A replay of a replay that inherits history reports a divergence at its end.',
      (modeOf, fromSeq) => modeOf === 'replay' && fromSeq > 0,
    ),
  ),
  'false-alarm-with-branches': alarming(
    'A replay compares concurrent branches by their places in the log, and reports that they differ.',
    'replay.no-false-divergence.every-fixture',
    (draft, { run }) => draft.type === 'run.completed' && run.workflowId === 'conformance-determinism-parallel',
  ),
};
