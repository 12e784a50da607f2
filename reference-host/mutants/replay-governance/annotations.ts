import { isObject, type JsonObject, member } from '../../json.ts';
import type { ForkMode } from '../../store/runs.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { forkAnswered, forking, onceForked } from '../shared/fork-parts.ts';
import { rememberingAnnotations } from '../shared/run-memory.ts';
import { rewritingEvents, showingEvents } from '../shared/run-wire.ts';

/** Annotations and what inherits them. */
export const defects: Defects = {
  'replays-inherit-annotations': {
    breaks: 'A replay starts with the annotations of its source.',
    kills: ['annotation.not-inherited.replay'],
    parts: inheritedBy('replay'),
  },
  'replays-of-replays-inherit-annotations': {
    breaks: 'A replay of a replay starts with the annotations of its source.',
    kills: ['annotation.not-inherited.separate'],
    parts: inheritedBy('replay', 'of forks'),
  },
  'replays-of-replays-inherit-what-was-said-first': {
    breaks: 'A replay of a replay starts with the annotations of the run in which both began.',
    kills: ['annotation.not-inherited.separate'],
    parts: inheritedBy('replay', 'of the first'),
  },
  'replays-with-a-key-inherit-annotations': {
    breaks: 'A replay that is requested with an Idempotency-Key starts with the annotations of its source.',
    kills: ['annotation.not-inherited.replay'],
    parts: inheritedBy('replay', 'with a key'),
  },
  'branches-inherit-annotations': {
    breaks: 'A branch starts with the annotations of its source.',
    kills: ['annotation.not-inherited.branch'],
    parts: inheritedBy('branch'),
  },
  'branches-of-forks-inherit-annotations': {
    breaks: 'A branch of a fork starts with the annotations of its source.',
    kills: ['annotation.not-inherited.branch'],
    parts: inheritedBy('branch', 'of forks'),
  },
  'annotation-of-a-fork-names-its-source': {
    breaks: 'The answer to an annotation of a fork names the run that it was made of as its target.',
    kills: ['schema.annotation'],
    seenIn: 'annotation.forks',
    parts: (conformant) => {
      const sources = new Map<unknown, string>();
      return {
        ...forkAnswered((answer, { sourceRunId }) => {
          sources.set(answer['runId'], sourceRunId);
          return answer;
        })(conformant),
        middleware: (next) => async (request) => {
          const response = await next(request);
          const [, runId] = /^\/v1\/runs\/([^/]+)\/annotations$/.exec(new URL(request.url).pathname) ?? [];
          const source = sources.get(runId);
          if (request.method !== 'POST' || source === undefined || response.status !== 201) return response;
          const answer: unknown = await response.json();
          return Response.json({ ...Object(answer), target: { runId: source } }, { status: 201 });
        },
      };
    },
  },
  'annotations-written-into-the-log': {
    breaks: 'An annotation is an event of the log of its run.',
    kills: ['annotation.not-an-event.log'],
    parts: within('sideResources', () => ({
      logged: (annotation) => [{ type: 'run.annotated', payload: annotation }],
    })),
  },
  'annotations-not-told': {
    breaks: 'Who follows a run does not hear that it was annotated.',
    kills: ['annotation.live'],
    parts: within('sideResources', () => ({ isTold: () => false })),
  },
  'annotations-told-of-another-run': {
    breaks: 'Who follows a run hears that another one was annotated.',
    kills: ['annotation.live'],
    parts: () => ({
      middleware: showingEvents(
        () => true,
        (each) => [each['type'] === 'run.annotated' ? { ...each, runId: 'run_another', payload: {} } : each],
      ),
    }),
  },
  'annotations-read-with-the-log': {
    breaks: 'Whoever reads the log of a run gets its annotations as events.',
    kills: ['annotation.not-an-event.fork'],
    parts: (conformant) => {
      const annotated = new Map<string, unknown>();
      const reading = appending(annotated)(conformant);
      return { middleware: (next) => rememberingAnnotations(reading.middleware?.(next) ?? next, annotated) };
    },
  },
  'annotations-read-with-logs-of-middle-forks': {
    breaks: 'Whoever reads the log of a fork from a later event gets an annotation of its source as an event.',
    kills: ['annotation.not-an-event.fork'],
    parts: readInForks(({ fromSeq }) => Number(fromSeq ?? 0) > 0),
  },
  'annotations-read-with-logs-of-forks-of-forks': {
    breaks: 'Whoever reads the log of a fork of a fork gets an annotation of its source as an event.',
    kills: ['annotation.not-an-event.fork'],
    parts: readInForks((_, isOfFork) => isOfFork),
  },
  'annotations-renumber-events': {
    breaks: 'Once a run is annotated, its events have other numbers.',
    kills: ['annotation.not-an-event.fork'],
    parts: () => {
      const annotated = new Map<string, unknown>();
      return {
        middleware: (next) => rememberingAnnotations(next, annotated),
        eventOnWire: (event, reading) =>
          reading !== 'sse' && annotated.has(event.runId) ? { ...event, sequence: event.sequence + 1 } : event,
      };
    },
  },
  'annotations-lost-once-forked': {
    breaks: 'The annotations of a run are gone once somebody has forked it.',
    kills: ['annotation.not-inherited.separate'],
    alsoBreaks: { 'schema.annotation': 'the run whose list is read there was forked before' },
    parts: onceForked(
      (_, status) => status === 201,
      (isTouched) => ({
        middleware: (next) => async (request) => {
          const [, runId] = /^\/v1\/runs\/([^/]+)\/annotations$/.exec(new URL(request.url).pathname) ?? [];
          const response = await next(request);
          const isLost = request.method === 'GET' && runId !== undefined && isTouched(runId);
          return isLost && response.ok ? Response.json({ annotations: [] }) : response;
        },
      }),
    ),
  },
  'annotations-keep-the-last': {
    breaks: 'Of the annotations of a run the last one is kept.',
    kills: ['annotation.not-inherited.separate'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const response = await next(request);
        const isList = request.method === 'GET' && new URL(request.url).pathname.endsWith('/annotations');
        if (!isList || !response.ok) return response;
        return Response.json({ annotations: annotationsIn(await response.json()).slice(-1) });
      },
    }),
  },
  'annotations-of-forks-shown-at-the-source': {
    breaks: 'The annotations of forks show at the run that they were made from.',
    kills: ['annotation.not-inherited.separate'],
    parts: shownAtTheSource(),
  },
  'annotations-of-forks-shown-at-the-source-alone': {
    breaks: 'The annotations of forks show at the run that they were made from, and not at the forks.',
    kills: ['annotation.not-inherited.separate'],
    parts: shownAtTheSource('alone'),
  },
};

/** Shows what was said of runs as the last event of their logs. */
function appending(said: ReadonlyMap<unknown, unknown>): Parts {
  return rewritingEvents(/\/events$/, (events) => {
    const last = events.at(-1);
    const payload = said.get(last?.['runId']);
    if (last === undefined || payload === undefined) return events;
    const sequence = Number(last['sequence']) + 1;
    return [...events, { ...last, eventId: `annotated-${sequence}`, sequence, type: 'run.annotated', payload }];
  });
}

/** Shows in the logs of some forks what had been said of their sources. */
function readInForks(isMeant: (asked: JsonObject, isOfFork: boolean) => boolean): Parts {
  return (conformant) => {
    const annotated = new Map<string, unknown>();
    const forks = new Map<unknown, unknown>();
    const reading = appending(forks)(conformant);
    return {
      ...forkAnswered((answer, { sourceRunId, body }) => {
        const said = isMeant(body, forks.has(sourceRunId)) ? annotated.get(sourceRunId) : undefined;
        forks.set(answer['runId'], said);
        return answer;
      })(conformant),
      middleware: (next) => rememberingAnnotations(reading.middleware?.(next) ?? next, annotated),
    };
  };
}

/** Lists the annotations of forks at their sources, and perhaps not at the forks. */
function shownAtTheSource(where?: 'alone'): Parts {
  return () => {
    const forks = new Map<string, string[]>();
    return {
      middleware: (next) => async (request) => {
        const { pathname } = new URL(request.url);
        const response = await next(request);
        const [, forked] = /^\/v1\/runs\/([^/]+):fork$/.exec(pathname) ?? [];
        const [, listed] = /^\/v1\/runs\/([^/]+)\/annotations$/.exec(pathname) ?? [];
        if (forked !== undefined && response.status === 201) {
          const answer: unknown = await response.clone().json();
          if (isObject(answer)) forks.set(forked, [...(forks.get(forked) ?? []), String(answer['runId'])]);
        }
        if (listed === undefined || request.method !== 'GET' || response.status !== 200) return response;
        const isFork = [...forks.values()].some((runIds) => runIds.includes(listed));
        const own = where === 'alone' && isFork ? [] : annotationsIn(await response.json());
        const others = (forks.get(listed) ?? []).map(async (runId) => {
          const url = new URL(`/v1/runs/${runId}/annotations`, request.url);
          return annotationsIn(await (await next(new Request(url, { headers: request.headers }))).json());
        });
        return Response.json({ annotations: [...own, ...(await Promise.all(others)).flat()] });
      },
    };
  };
}

function urlOf(runId: unknown): string {
  return `http://host/v1/runs/${String(runId)}/annotations`;
}

/** Says of a new fork of a mode what was said of its source, in the caller's name; of forks of forks alone, or what was said of the first run. */
function inheritedBy(mode: ForkMode, which?: 'of forks' | 'of the first' | 'with a key'): Parts {
  const sources = new Map<unknown, string>();
  return forking(async ({ sourceRunId, body, headers, next, send }) => {
    const response = await send();
    const first = sources.get(sourceRunId);
    if (response.status === 201) sources.set(member(await response.clone().json(), 'runId'), first ?? sourceRunId);
    const isMeant =
      which === 'with a key' ? headers.has('idempotency-key') : which === undefined || first !== undefined;
    if (response.status !== 201 || body['mode'] !== mode || !isMeant) return response;
    const authorization = headers.get('authorization') ?? '';
    const from = which === 'of the first' ? first : sourceRunId;
    const said = await next(new Request(urlOf(from), { headers: { authorization } }));
    const url = urlOf(member(await response.clone().json(), 'runId'));
    for (const each of annotationsIn(await said.json())) {
      await next(new Request(url, { method: 'POST', headers: { authorization }, body: JSON.stringify(each) }));
    }
    return response;
  });
}

/** The annotations of an answer. */
function annotationsIn(answer: unknown): readonly unknown[] {
  const list = member(answer, 'annotations');
  return Array.isArray(list) ? list : [];
}
