import { isObject, type JsonObject, member } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import { isTerminal, type RunEvent } from '../../store/event.ts';
import type { Defects, Parts } from '../mutant.ts';
import { refusal, respond } from '../../types/answers.ts';
import { forkAnswered, forking, logOf, onceForked, snapshotOnceForked } from '../shared/fork-parts.ts';
import { notThere, showingEvents } from '../shared/run-wire.ts';

/** What a fork does to its source. */
export const defects: Defects = {
  'fork-marks-source-log': {
    breaks: 'A full replay leaves its mark in the log of its source, where that source called no model.',
    kills: ['fork.source-untouched'],
    parts: (conformant) => {
      const replayed = new Set<string>();
      const called = new Set<string>();
      return {
        ...forkAnswered((answer, { text, sourceRunId }) => {
          if (text === '{"mode":"replay"}') replayed.add(sourceRunId);
          return answer;
        })(conformant),
        eventOnWire: (event) => {
          if (event.type === 'provider.usage') called.add(event.runId);
          const marked = event.type === 'run.started' && replayed.has(event.runId) && !called.has(event.runId);
          return marked ? withMark(event) : event;
        },
      };
    },
  },
  'fork-marks-source-in-streams': {
    breaks: 'A run that was forked has a mark in the ends of its nodes since, as its stream alone shows them.',
    kills: ['fork.source-untouched'],
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        eventOnWire: (event, reading) =>
          reading === 'sse' && event.type === 'node.completed' && isTouched(event.runId) ? withMark(event) : event,
      }),
    ),
  },
  'fork-noted-behind-the-end': {
    breaks: 'Whoever is forked gets an event behind the end of its log.',
    kills: ['fork.source-untouched'],
    parts: notedBehindTheEnd(() => true),
  },
  'branch-noted-behind-the-end': {
    breaks: 'A run that is branched gets an event behind the end of its log.',
    kills: ['fork.source-untouched.branch'],
    parts: notedBehindTheEnd((mode) => mode === 'branch'),
  },
  'replay-writes-into-the-recorded-child': {
    breaks: "With a replay, the child of its source gets an event behind its log's end.",
    kills: ['fork.source-untouched'],
    seenIn: 'replay.no-second-child',
    parts: (conformant) => {
      const [replayed, parents] = [new Set<string>(), new Map<string, string>()];
      return {
        ...forkAnswered((answer, { body, sourceRunId }) => {
          if (body['mode'] === 'replay') replayed.add(sourceRunId);
          return answer;
        })(conformant),
        written: (draft, writing) => {
          const { runId, dispatchedBy } = writing.run;
          if (dispatchedBy !== undefined) parents.set(runId, dispatchedBy.runId);
          return conformant.written(draft, writing);
        },
        middleware: showingEvents(
          (runId) => replayed.has(parents.get(runId) ?? ''),
          (event) => (isTerminal(event['type'] as RunEvent['type']) ? [event, noteBehind(event)] : [event]),
        ),
      };
    },
  },
  'fork-reopens-source': {
    breaks: 'A run that was forked says in its snapshot that it runs.',
    kills: ['fork.source-untouched'],
    parts: snapshotOnceForked(
      (_, status) => status === 201,
      (snapshot) => ({ ...snapshot, status: 'running' }),
    ),
  },
  'fork-moves-the-end-of-its-source': {
    breaks: 'A run that was forked says at each reading of its snapshot that it completed at another, later moment.',
    kills: ['fork.source-untouched'],
    parts: snapshotOnceForked(
      (_, status) => status === 201,
      (snapshot) =>
        snapshot['completedAt'] === undefined ? snapshot : { ...snapshot, completedAt: laterMoment().toISOString() },
    ),
  },
  'fork-reopens-cancelled-source': {
    breaks: 'A run that was forked and cancelled says in its snapshot that it runs.',
    kills: ['fork.branch-is-independent.cancelled'],
    waits: true,
    parts: snapshotOnceForked(
      (_, status) => status === 201,
      (snapshot) => (snapshot['status'] === 'cancelled' ? { ...snapshot, status: 'running' } : snapshot),
    ),
  },
  'fork-rewords-the-failure-of-its-source': {
    breaks: 'The log of a run that failed gives its error other words since it was forked.',
    kills: ['fork.source-untouched'],
    seenIn: 'replay.same-failure',
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: showingEvents(isTouched, (event) => {
          const error = event['type'] === 'run.failed' ? member(event['payload'], 'error') : undefined;
          return [
            error === undefined
              ? event
              : { ...event, payload: { ...Object(event['payload']), error: reworded(error) } },
          ];
        }),
      }),
    ),
  },
  'fork-rewords-the-error-of-its-source': {
    breaks: 'The snapshot of a run that failed gives its error other words since it was forked.',
    kills: ['fork.source-untouched'],
    seenIn: 'replay.same-failure',
    parts: snapshotOnceForked(
      (_, status) => status === 201,
      (snapshot) => (isObject(snapshot['error']) ? { ...snapshot, error: reworded(snapshot['error']) } : snapshot),
    ),
  },
  'fork-renames-source-events': {
    breaks: 'The events of a run that was forked have other ids since.',
    kills: ['fork.source-untouched'],
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: showingEvents(isTouched, ({ causationId, ...event }) => {
          const cause = typeof causationId === 'string' ? { causationId: `${causationId}-forked` } : {};
          return [{ ...event, ...cause, eventId: `${String(event['eventId'])}-forked` }];
        }),
      }),
    ),
  },
  'fork-takes-from-the-log-of-a-memory': {
    breaks: 'A run that wrote memories has lost the start of the second such node since it was forked.',
    kills: ['fork.source-untouched'],
    seenIn: 'sequence.sweep',
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: showingEvents(isTouched, (shown) =>
          shown['type'] === 'node.started' && shown['nodeId'] === 'remember-again' ? [] : [shown],
        ),
      }),
    ),
  },
  'replay-cancels-a-waiting-source': {
    breaks: 'With a replay its source is cancelled, where that waits.',
    kills: ['fork.source-untouched'],
    seenIn: 'sequence.sweep',
    parts: forking(async (call) => {
      const response = await call.send();
      if (response.status !== 201 || call.body['mode'] !== 'replay') return response;
      const headers = { authorization: call.headers.get('authorization') ?? '' };
      await call.next(new Request(`http://host/v1/runs/${call.sourceRunId}/cancel`, { method: 'POST', headers }));
      return response;
    }),
  },
  'branch-takes-from-a-waiting-source': {
    breaks: 'A run that waits has lost the start of its node since it was branched.',
    kills: ['fork.source-untouched'],
    seenIn: 'fork.branch-is-independent.waiting',
    parts: () => {
      const touched = new Set<string>();
      return {
        ...forking(async (call) => {
          const isOpen = !(await logOf(call)).some((event) => /^run\.(?!started)/u.test(String(member(event, 'type'))));
          const response = await call.send();
          if (isOpen && response.status === 201 && call.body['mode'] === 'branch') touched.add(call.sourceRunId);
          return response;
        })(),
        middleware: showingEvents(
          (runId) => touched.has(runId),
          (event) => (event['type'] === 'node.started' ? [] : [event]),
        ),
      };
    },
  },
  'overlay-metadata-given-to-the-source': {
    breaks: "The metadata of a branch's overlay are written into its source, too.",
    kills: ['fork.source-untouched.overlay'],
    parts: snapshotOnceForked(
      ({ text }, status) => status === 201 && text.includes('"metadata"'),
      (snapshot) => ({ ...snapshot, metadata: { note: 'of a branch' } }),
    ),
  },
  'refused-fork-tagged': {
    breaks: 'A refused fork leaves a tag at its source.',
    kills: ['fork.source-untouched.refused'],
    parts: snapshotOnceForked(
      (_, status) => status === 422,
      (snapshot) => ({ ...snapshot, tags: ['fork-failed'] }),
    ),
  },
  'fork-cuts-source-log': {
    breaks: 'The log of a run that was forked has no end any more.',
    kills: ['fork.source-untouched'],
    waits: true,
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: withoutEnd(isTouched),
      }),
    ),
  },
  'fork-cuts-source-lists': {
    breaks: 'Lists of the events of a run that was forked have no end any more, while its stream keeps it.',
    kills: ['fork.source-untouched'],
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: (next) => async (request) => {
          const shown = await next(request);
          const isStream = shown.headers.get('content-type')?.startsWith('text/event-stream') === true;
          return isStream ? shown : withoutEnd(isTouched)(() => shown)(request);
        },
      }),
    ),
  },
  'branch-deletes-source': {
    breaks: 'A run that was branched is not there any more.',
    kills: ['fork.source-untouched.branch'],
    waits: true,
    parts: onceForked(({ body }, status) => status === 201 && body['mode'] === 'branch', gone),
  },
  'fork-fails-over-the-snapshot-of-its-source': {
    breaks: 'The snapshot of a run that was forked is answered with 500.',
    kills: ['fork.source-untouched'],
    parts: onceForked((_, status) => status === 201, failing),
  },
  'branch-unlists-source': {
    breaks: 'The log of a run that was branched is there as a stream, and in no list any more.',
    kills: ['fork.source-untouched.branch'],
    parts: onceForked(({ body }, status) => status === 201 && body['mode'] === 'branch', unlisted),
  },
  'refused-fork-deletes-source': {
    breaks: 'A run whose fork was refused is not there any more.',
    kills: ['fork.source-untouched.refused'],
    waits: true,
    parts: onceForked((_, status) => status === 422, gone),
  },
};

function laterMoment(): Date {
  return new Date(Date.now() + Math.floor(Math.random() * 1e6));
}

function reworded(error: unknown): JsonObject {
  return { ...Object(error), message: `${String(member(error, 'message'))} (forked)` };
}

function withoutEnd(isTouched: (runId: string) => boolean): HostParts['middleware'] {
  return showingEvents(isTouched, (event) => (isTerminal(event['type'] as RunEvent['type']) ? [] : [event]));
}

function gone(isTouched: (runId: string) => boolean): Partial<HostParts> {
  return { middleware: notThere(isTouched) };
}

function failing(isTouched: (runId: string) => boolean): Partial<HostParts> {
  return {
    middleware: (next) => (request) => {
      const [, runId = ''] = /^\/v1\/runs\/([^/:]+)$/u.exec(new URL(request.url).pathname) ?? [];
      const isMeant = request.method === 'GET' && isTouched(runId);
      return isMeant ? respond(refusal(500, 'internal_error', 'The run cannot be read.')) : next(request);
    },
  };
}

/** Readings of these runs' logs are there for streams alone. */
function unlisted(isTouched: (runId: string) => boolean): Partial<HostParts> {
  const absent = notThere(isTouched);
  return {
    middleware: (next) => (request) => {
      const isList = /\/events(?:\/poll)?$/u.test(new URL(request.url).pathname);
      const isStream = request.headers.get('accept')?.includes('text/event-stream') === true;
      return isList && !isStream ? absent(next)(request) : next(request);
    },
  };
}

/** Shows an event more behind the end of runs that were forked so. */
function notedBehindTheEnd(isMeant: (mode: unknown) => boolean): Parts {
  return (conformant) => {
    const noted = new Set<string>();
    return {
      ...forkAnswered((answer, { body, sourceRunId }) => {
        if (isMeant(body['mode'])) noted.add(sourceRunId);
        return answer;
      })(conformant),
      middleware: showingEvents(
        (runId) => noted.has(runId),
        (event) => (isTerminal(event['type'] as RunEvent['type']) ? [event, noteBehind(event)] : [event]),
      ),
    };
  };
}

function noteBehind(end: JsonObject): JsonObject {
  const [eventId, sequence] = [`${String(end['eventId'])}-fork`, Number(end['sequence']) + 1];
  return { ...end, type: 'log.appended', eventId, sequence, payload: { forked: true } };
}

function withMark(event: RunEvent): unknown {
  return { ...event, payload: { ...Object(event.payload), replayed: true } };
}
