import { isObject, member } from '../../json.ts';
import type { Fetch } from '../../parts.ts';
import { refusal, respond } from '../../types/answers.ts';
import type { Defect, Defects, Parts } from '../mutant.ts';
import { type ForkCall, forking, snapshotOnceForked, without } from '../shared/fork-parts.ts';
import { whereTwoMeet } from '../shared/meeting.ts';
import { answering } from '../shared/run-wire.ts';

/** One key, one fork. */
export const defects: Defects = {
  'fork-key-ignored': {
    breaks: 'An Idempotency-Key on a fork is ignored.',
    kills: ['fork.idempotency-key'],
    parts: forking(({ headers, send }) => send({ headers: without(headers, 'idempotency-key') })),
  },
  'fork-key-ignored-for-branches': {
    breaks: 'An Idempotency-Key on a branch is ignored.',
    kills: ['fork.idempotency-key.branch'],
    parts: forking(({ body, headers, send }) =>
      send(body['mode'] === 'branch' ? { headers: without(headers, 'idempotency-key') } : {}),
    ),
  },
  'fork-key-ignored-for-later-replays': {
    breaks: 'An Idempotency-Key on a replay from a later event is ignored.',
    kills: ['fork.idempotency-key'],
    parts: forking(({ body, headers, send }) => {
      const isLater = body['mode'] === 'replay' && Number(body['fromSeq'] ?? 0) > 0;
      return send(isLater ? { headers: without(headers, 'idempotency-key') } : {});
    }),
  },
  'fork-key-cut': {
    breaks: 'The first 32 characters alone of an Idempotency-Key of a fork are compared.',
    kills: ['fork.created.own-id'],
    seenIn: 'fork.idempotency',
    parts: forking(({ headers, send }) => {
      const key = headers.get('idempotency-key');
      const others = new Headers(headers);
      if (key !== null) others.set('idempotency-key', key.slice(0, 32));
      return send({ headers: others });
    }),
  },
  'forks-coalesced-in-flight': {
    breaks: 'A fork that is requested while another one like it is being made is that one, without any key.',
    kills: ['fork.created.own-id'],
    parts: () => {
      const coalesced = coalescing();
      return forking(({ sourceRunId, text, headers, send }) => coalesced(headers, `${sourceRunId} ${text}`, send))();
    },
  },
  'runs-coalesced-in-flight': {
    breaks: 'A run that is requested while another one like it is being made is that one, without any key.',
    kills: ['fork.created.own-id'],
    seenIn: 'replay.interrupt-short-circuits.empty-answer',
    parts: () => {
      const coalesced = coalescing();
      return answering('POST', /^\/v1\/runs$/u, async (send, request) =>
        coalesced(request.headers, await request.clone().text(), send),
      )();
    },
  },
  'fork-key-racy': {
    breaks: 'Forks under one Idempotency-Key that come at the same time do not see each other.',
    kills: ['fork.idempotency-key.at-once'],
    parts: whereTwoMeet(({ headers, send }) => send({ headers: without(headers, 'idempotency-key') })),
  },
  'branch-key-racy': {
    breaks: 'Branches under one Idempotency-Key that come at the same time do not see each other.',
    kills: ['fork.idempotency-key.at-once'],
    parts: whereTwoMeet(({ body, headers, send }) =>
      send(body['mode'] === 'branch' ? { headers: without(headers, 'idempotency-key') } : {}),
    ),
  },
  'fork-duplicate-at-once-fails': {
    breaks: 'A fork that is a duplicate of one in flight makes the endpoint stumble.',
    kills: ['fork.idempotency-key.at-once'],
    parts: whereTwoMeet(() => respond(refusal(500, 'internal_error', 'The key is locked.'))),
  },
  'fork-key-forgotten-at-end': {
    breaks: 'An Idempotency-Key is forgotten when its fork has ended.',
    kills: ['fork.idempotency-key'],
    parts: () => {
      const made = new Map<string, string>();
      return forking(async ({ headers, next, send }) => {
        const key = headers.get('idempotency-key') ?? '';
        const runId = made.get(key);
        const ended = runId !== undefined && (await statusOf(next, runId, headers)) === 'completed';
        const response = await send(ended ? { headers: without(headers, 'idempotency-key') } : {});
        if (response.status === 201) made.set(key, String(member(await response.clone().json(), 'runId')));
        return response;
      })();
    },
  },
  'fork-key-across-runs': {
    breaks: "A fork under the Idempotency-Key of another run's fork has an id of its own, and the log of that fork.",
    kills: ['fork.idempotency-key'],
    parts: () => {
      const forks = new Map<string, { readonly of: string; readonly runId: string }>();
      const logs = new Map<string, string>();
      const { forkEndpoint } = forking(async ({ sourceRunId, headers, send }) => {
        const response = await send();
        const key = headers.get('idempotency-key') ?? '';
        if (key === '' || response.status !== 201) return response;
        const runId = String(member(await response.clone().json(), 'runId'));
        const first = forks.get(key) ?? { of: sourceRunId, runId };
        forks.set(key, first);
        if (first.of !== sourceRunId) logs.set(runId, first.runId);
        return response;
      })();
      const middleware = (next: Fetch): Fetch => {
        return (request) => {
          const [, runId = ''] = /\/v1\/runs\/([^/?]+)\/events/.exec(request.url) ?? [];
          const shown = logs.get(runId);
          if (shown === undefined) return next(request);
          return next(new Request(request.url.replace(runId, shown), { headers: request.headers }));
        };
      };
      return { ...(forkEndpoint === undefined ? {} : { forkEndpoint }), middleware };
    },
  },
  'fork-key-across-modes': {
    breaks: 'A fork in one mode under the Idempotency-Key of one in the other mode is answered with that one.',
    kills: ['fork.idempotency-key.other-body'],
    parts: storedWhateverIs('mode'),
  },
  'fork-key-across-starts': {
    breaks: 'A fork from one event under the Idempotency-Key of one from another event is answered with that one.',
    kills: ['fork.idempotency-key.other-body'],
    parts: storedWhateverIs('fromSeq'),
  },
  'fork-key-across-overlays': {
    breaks: 'A branch with an overlay under the Idempotency-Key of one without is answered with that one.',
    kills: ['fork.idempotency-key.other-body'],
    parts: storedWhateverIs('runOptionsOverlay'),
  },
  'fork-duplicate-with-another-start': duplicateWith('fromSeq', 'another start', (fromSeq) => Number(fromSeq) + 1),
  'fork-duplicate-without-a-start': duplicateWith('fromSeq', 'no start', () => null),
  'fork-duplicate-with-another-source': duplicateWith('sourceRunId', 'the fork as its source', (_, runId) => runId),
  'fork-duplicate-with-the-url-of-its-source': {
    breaks:
      'The answer to a fork that is requested again under its Idempotency-Key gives the URL of the log of its source.',
    kills: ['fork.idempotency-key'],
    parts: forking(async ({ sourceRunId, send }) => {
      const response = await send();
      if (!response.headers.has('openwop-idempotent-replay')) return response;
      const changed = { ...Object(await response.json()), eventsUrl: `/v1/runs/${sourceRunId}/events` };
      return Response.json(changed, {
        status: response.status,
        headers: without(response.headers, 'content-length'),
      });
    }),
  },
  'fork-duplicate-with-another-mode': duplicateWith('mode', 'the other mode', (mode) =>
    mode === 'replay' ? 'branch' : 'replay',
  ),
  'fork-duplicate-executed-again': {
    breaks: 'A fork that is requested again under its Idempotency-Key is executed again, in the same run.',
    kills: ['fork.idempotency-key'],
    parts: executingAgain(whereRequestedBefore(() => true)),
  },
  'branch-duplicate-executed-again': {
    breaks: 'A branch that is requested again under its Idempotency-Key is executed again, in the same run.',
    kills: ['fork.idempotency-key.branch'],
    parts: executingAgain(whereRequestedBefore(({ body }) => body['mode'] === 'branch')),
  },
  'fork-duplicate-at-once-executed-again': {
    breaks: 'A fork that is requested again while it is being made is executed again, in the same run.',
    kills: ['fork.idempotency-key.at-once'],
    parts: executingAgain(whereTwoMeet),
  },
  'fork-with-key-changes-status': {
    breaks: 'A fork under an Idempotency-Key opens its source again.',
    kills: ['fork.source-untouched.duplicates'],
    parts: snapshotOnceForked(
      ({ headers }) => headers.has('idempotency-key'),
      (snapshot) => ({ ...snapshot, status: 'running' }),
    ),
  },
};

/** Answers otherwise requests for forks under a key that was used before. */
function whereRequestedBefore(isMeant: (call: ForkCall) => boolean) {
  return (later: (call: ForkCall) => Promise<Response>): Parts => {
    const used = new Set<string>();
    return forking((call) => {
      const key = call.headers.get('idempotency-key') ?? '';
      if (key !== '' && used.has(key) && isMeant(call)) return later(call);
      used.add(key);
      return call.send();
    });
  };
}

/** The log of a fork that was requested again shows everything once more, behind its end. */
function executingAgain(where: (later: (call: ForkCall) => Promise<Response>) => Parts): Parts {
  return (conformant) => {
    const repeated = new Set<string>();
    const parts = where(async (call) => {
      const response = await call.send();
      if (response.ok) repeated.add(String(member(await response.clone().json(), 'runId')));
      return response;
    })(conformant);
    const middleware = (next: Fetch): Fetch => {
      return async (request) => {
        const [, runId = ''] = /\/v1\/runs\/([^/?]+)\/events/u.exec(request.url) ?? [];
        const response = await next(request);
        const isList = response.headers.get('content-type')?.startsWith('application/json') === true;
        if (!repeated.has(runId) || response.status !== 200 || !isList) return response;
        const body: unknown = await response.json();
        return Response.json(isObject(body) ? { ...body, events: withAllAgain(body['events']) } : body);
      };
    };
    return { ...parts, middleware };
  };
}

/** The events of a log that has ended, and as many of the same types behind them. */
function withAllAgain(events: unknown): unknown {
  if (!Array.isArray(events) || !events.some((event) => member(event, 'type') === 'run.completed')) return events;
  const again = events.map((event: unknown) => ({
    ...Object(event),
    eventId: `${String(member(event, 'eventId'))}-again`,
    sequence: Number(member(event, 'sequence')) + 1000,
  }));
  return [...events, ...again];
}

/** A duplicate's answer names the first fork's run, with another value of a member. */
function duplicateWith(name: string, what: string, other: (value: unknown, runId: unknown) => unknown): Defect {
  return {
    breaks: `The answer to a fork that is requested again under its Idempotency-Key names ${what}.`,
    kills: ['fork.idempotency-key'],
    parts: forking(async ({ send }) => {
      const response = await send();
      if (response.status !== 201 || !response.headers.has('openwop-idempotent-replay')) return response;
      const answer: unknown = await response.json();
      const changed = { ...Object(answer), [name]: other(member(answer, name), member(answer, 'runId')) };
      return Response.json(changed, { status: 201, headers: without(response.headers, 'content-length') });
    }),
  };
}

async function statusOf(next: Fetch, runId: string, headers: Headers): Promise<unknown> {
  const authorization = headers.get('authorization') ?? '';
  const response = await next(new Request(`http://host/v1/runs/${runId}`, { headers: { authorization } }));
  return member(await response.json(), 'status');
}

/** Answers a fork that differs in a member from the first one under its key with that one; all others as the host does. */
function storedWhateverIs(name: 'mode' | 'fromSeq' | 'runOptionsOverlay'): Parts {
  return () => {
    const stored = new Map<string, { readonly value: unknown; readonly answer: unknown }>();
    return forking(async ({ sourceRunId, body, headers, send }) => {
      const key = headers.get('idempotency-key');
      if (key === null) return send();
      const others = Object.entries(body).filter(([other]) => other !== name && other !== 'fromSeq');
      const under = JSON.stringify([headers.get('authorization'), sourceRunId, key, others]);
      const first = stored.get(under);
      if (first !== undefined && first.value !== body[name]) {
        return Response.json(first.answer, { status: 201, headers: { 'openwop-idempotent-replay': 'true' } });
      }
      const response = await send();
      if (response.status === 201) stored.set(under, { value: body[name], answer: await response.clone().json() });
      return response;
    })();
  };
}

/** Gives whoever asks the same, without a key, while it is being made the answer that is being made. */
function coalescing() {
  const made = new Map<string, Promise<Response>>();
  return async (headers: Headers, text: string, send: () => Promise<Response>): Promise<Response> => {
    if (headers.has('idempotency-key')) return send();
    const name = `${headers.get('authorization') ?? ''} ${text}`;
    const response = made.get(name) ?? send();
    made.set(name, response);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const answer = (await response).clone();
    made.delete(name);
    return answer;
  };
}
