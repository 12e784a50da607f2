import { member, type JsonObject } from '../../json.ts';
import { refusal, respond, runNotFound } from '../../types/answers.ts';
import type { Defects, Parts } from '../mutant.ts';
import { forkAnswered, forking, leftOut, logOf, readingForkMember, refusingForks } from '../shared/fork-parts.ts';
import { noticing } from '../shared/run-memory.ts';
import { answering } from '../shared/run-wire.ts';

/** What is answered to a fork that works. */
export const defects: Defects = {
  'fork-ok-not-created': {
    breaks: 'A fork is answered with 200.',
    kills: ['fork.created'],
    parts: forking(async ({ send }) => {
      const response = await send();
      return response.status === 201 ? new Response(response.body, { headers: response.headers }) : response;
    }),
  },
  'fork-is-always-a-branch': {
    breaks: 'Whoever asks for a replay gets a branch, and is told so.',
    kills: ['fork.created'],
    parts: readingForkMember('mode', (mode) => (mode === 'replay' ? 'branch' : mode)),
  },
  'fork-without-source-id': {
    breaks: 'The answer to a fork does not name its source.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => leftOut(answer, 'sourceRunId')),
  },
  'fork-names-itself-as-source': {
    breaks: 'The answer to a fork names the fork as its own source.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => ({ ...answer, sourceRunId: answer['runId'] })),
  },
  'fork-named-by-no-run': {
    breaks: 'The answer to a fork names an id of no run; its eventsUrl is right.',
    kills: ['fork.created'],
    waits: true,
    parts: forkAnswered((answer) => ({ ...answer, runId: `${String(answer['runId'])}.fork` })),
  },
  'forks-without-snapshots': {
    breaks: 'A fork can be followed, and its snapshot is answered with 404.',
    kills: ['fork.created'],
    parts: ({ middleware }) => {
      const forks = new Set<string>();
      return {
        middleware: (next) => {
          const host = noticing(middleware(next), /:fork$/u, ({ runId }) => void forks.add(runId));
          return async (request) => {
            const [, runId = ''] = /\/v1\/runs\/([^/:]+)$/u.exec(new URL(request.url).pathname) ?? [];
            return request.method === 'GET' && forks.has(runId) ? respond(runNotFound()) : host(request);
          };
        },
      };
    },
  },
  'fork-events-of-its-source': {
    breaks: "The eventsUrl of a fork is its source's.",
    kills: ['fork.created'],
    parts: forkAnswered((answer) => ({ ...answer, eventsUrl: `/v1/runs/${String(answer['sourceRunId'])}/events` })),
  },
  'fork-events-url-of-its-snapshot': {
    breaks: 'The eventsUrl of a fork leads to its snapshot.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => ({ ...answer, eventsUrl: `/v1/runs/${String(answer['runId'])}` })),
  },
  'later-fork-answered-with-the-log-of-its-source': {
    breaks: "The eventsUrl of a replay from a later event is its source's.",
    kills: ['fork.created.every-sequence'],
    parts: forkAnswered((answer) =>
      answer['mode'] === 'replay' && Number(answer['fromSeq']) > 1
        ? { ...answer, eventsUrl: `/v1/runs/${String(answer['sourceRunId'])}/events` }
        : answer,
    ),
  },
  'later-forks-answered-with-another-start': {
    breaks: 'The answer to a fork from a later event says that it starts one event earlier.',
    kills: ['fork.created.every-sequence'],
    parts: forkAnswered((answer) =>
      Number(answer['fromSeq']) > 1 ? { ...answer, fromSeq: Number(answer['fromSeq']) - 1 } : answer,
    ),
  },
  'later-forks-without-events-url': {
    breaks: 'The answer to a fork from a later event has no eventsUrl.',
    kills: ['fork.created.every-sequence'],
    parts: forkAnswered((answer) => (Number(answer['fromSeq']) > 1 ? leftOut(answer, 'eventsUrl') : answer)),
  },
  'fork-events-of-the-fork-before': {
    breaks: 'The eventsUrl of every fork is that of the fork before it, and of the first one that of nobody.',
    kills: ['fork.created'],
    parts: (conformant) => {
      let before: unknown;
      return forkAnswered((answer) => {
        const eventsUrl = before ?? '/v1/runs/run_of_nobody/events';
        before = answer['eventsUrl'];
        return { ...answer, eventsUrl };
      })(conformant);
    },
  },
  'forks-share-ids-in-pairs': {
    breaks: 'Every second fork gets the id of the fork before it, whatever its source is.',
    kills: ['fork.created.own-id'],
    parts: (conformant) => {
      let before: unknown;
      return forkAnswered((answer) => {
        const { runId } = answer;
        const named = before ?? runId;
        before = before === undefined ? runId : undefined;
        return { ...answer, runId: named };
      })(conformant);
    },
  },
  'forks-share-one-id': {
    breaks: 'Every fork gets the id of the first one.',
    kills: ['fork.created.own-id'],
    seenIn: 'sequence.sweep',
    parts: (conformant) => {
      let first: unknown;
      return forkAnswered((answer) => ({ ...answer, runId: (first ??= answer['runId']) }))(conformant);
    },
  },
  'create-answered-with-the-run-before': {
    breaks: 'POST /v1/runs for the shortest workflow is answered with the id of the run that was made before.',
    kills: ['fork.created.own-id'],
    seenIn: 'run.creating',
    parts: () => {
      let before: unknown;
      return answering('POST', /^\/v1\/runs$/u, async (answer, request) => {
        const isShortest = (await request.clone().text()).includes('"conformance-noop"');
        const made = await answer();
        if (made.status !== 201) return made;
        const body: unknown = await made.json();
        const runId = member(body, 'runId');
        const named = isShortest ? (before ?? runId) : runId;
        before = runId;
        return Response.json({ ...Object(body), runId: named }, { status: 201 });
      })();
    },
  },
  'replay-from-the-start-only': {
    breaks: 'Replays from later events than the first are advertised and answered with 501.',
    kills: ['fork.created.every-sequence', 'sequence.prefix-equal'],
    parts: forking(async (call) => {
      const { fromSeq, mode } = call.body;
      if (mode !== 'replay' || typeof fromSeq !== 'number') return call.send();
      if (fromSeq <= Number(member((await logOf(call))[0], 'sequence'))) return call.send();
      return respond(refusal(501, 'not_implemented', 'Replays begin at the start.'));
    }),
  },
  'later-replays-not-found': {
    breaks: 'Replays from later events than the first are advertised and answered with 404.',
    kills: ['fork.created.every-sequence', 'sequence.prefix-equal'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'replay' && Number.isInteger(body['fromSeq']) && Number(body['fromSeq']) > 0,
      404,
      'not_found',
      'There is no such place.',
    ),
  },
  'replay-from-zero-refused': {
    breaks: 'Logs count from 1, and a replay from 0, which is the start of every run, is refused with 422.',
    kills: ['fork.created.every-sequence'],
    parts: (conformant) => ({
      firstSequence: 1,
      ...refusingForks(
        ({ body }) => body['mode'] === 'replay' && body['fromSeq'] === 0,
        422,
        'unknown_sequence',
        'The log has no such number.',
      )(conformant),
    }),
  },
  'cancelled-runs-not-replayed': {
    breaks: 'A replay of a run that was cancelled is refused with 409.',
    kills: ['fork.created.every-sequence'],
    seenIn: 'sequence.readings',
    parts: forking(async (call) => {
      const isCancelled = member((await logOf(call)).at(-1), 'type') === 'run.cancelled';
      return call.body.mode === 'replay' && isCancelled
        ? respond(refusal(409, 'conflict', 'The run was cancelled.'))
        : call.send();
    }),
  },
  'later-replays-accepted-only': {
    breaks: 'Replays from later events than the first are answered with 202.',
    kills: ['fork.created.every-sequence'],
    parts: forking(async (call) => {
      const { fromSeq, mode } = call.body;
      const response = await call.send();
      if (mode !== 'replay' || typeof fromSeq !== 'number' || response.status !== 201) return response;
      if (fromSeq <= Number(member((await logOf(call))[0], 'sequence'))) return response;
      return new Response(response.body, { headers: response.headers, status: 202 });
    }),
  },
  'fork-starts-at-zero-by-its-answer': {
    breaks: 'The answer to a replay names 0 as its start, whatever was requested.',
    kills: ['fork.created.every-sequence'],
    parts: forkAnswered((answer, { body }) => (body['mode'] === 'replay' ? { ...answer, fromSeq: 0 } : answer)),
  },
  'later-replays-answer-as-their-own-sources': {
    breaks: 'The answer to a replay from a later event than the first names the replay as its own source.',
    kills: ['fork.created.every-sequence'],
    parts: forkAnswered((answer, { body }) =>
      body['mode'] === 'replay' && Number(body['fromSeq']) > 1 ? { ...answer, sourceRunId: answer['runId'] } : answer,
    ),
  },
  'fork-status-left-out': {
    breaks: 'The answer to a fork has no status.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => leftOut(answer, 'status')),
  },
  'fork-run-id-left-out': {
    breaks: 'The answer to a fork names no run.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => leftOut(answer, 'runId')),
  },
  'fork-events-url-dead': {
    breaks: 'The eventsUrl of a fork leads nowhere.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => ({ ...answer, eventsUrl: `/v1/forks/${String(answer['runId'])}/events` })),
  },
  'fork-events-url-left-out': {
    breaks: 'The answer to a fork has no eventsUrl.',
    kills: ['fork.created'],
    parts: forkAnswered((answer) => leftOut(answer, 'eventsUrl')),
  },
  'fork-of-a-fork-names-the-root': {
    breaks: 'The answer to a fork of a fork names the first run of all as its source.',
    kills: ['fork.created.of-a-fork'],
    parts: forkOfForkAnswered((answer, root) => ({ ...answer, sourceRunId: root })),
  },
  'fork-of-a-fork-starts-at-zero': {
    breaks: 'The answer to a fork of a fork names 0 as its start.',
    kills: ['fork.created.of-a-fork'],
    parts: forkOfForkAnswered((answer) => ({ ...answer, fromSeq: 0 })),
  },
  'fork-of-a-fork-events-url-dead': {
    breaks: 'The eventsUrl of a fork of a fork leads nowhere.',
    kills: ['fork.created.of-a-fork'],
    parts: forkOfForkAnswered((answer) => ({ ...answer, eventsUrl: `/v1/forks/${String(answer['runId'])}/events` })),
  },
  'fork-of-a-fork-refused': {
    breaks: 'A fork of a fork is answered with 501.',
    kills: ['fork.created.of-a-fork'],
    parts: () => {
      const forks = new Set<unknown>();
      return forking(async ({ sourceRunId, send }) => {
        if (forks.has(sourceRunId)) return respond(refusal(501, 'not_implemented', 'Forks are not forked.'));
        const response = await send();
        if (response.status === 201) forks.add(member(await response.clone().json(), 'runId'));
        return response;
      })();
    },
  },
  'fork-of-a-fork-refused-at-its-end': {
    breaks: 'A fork of a fork from its last event is answered with 422.',
    kills: ['fork.created.of-a-fork'],
    parts: () => {
      const forks = new Set<unknown>();
      return forking(async (call) => {
        const { sourceRunId, body, send } = call;
        const response = await send();
        if (response.status !== 201) return response;
        if (forks.has(sourceRunId) && body['fromSeq'] === member((await logOf(call)).at(-1), 'sequence')) {
          return respond(refusal(422, 'validation_error', 'There is no such event.'));
        }
        forks.add(member(await response.clone().json(), 'runId'));
        return response;
      })();
    },
  },
  'fork-of-a-branch-refused': {
    breaks: 'A fork of a branch is refused.',
    kills: ['fork.created.of-a-fork.branch'],
    parts: () => {
      const branches = new Set<unknown>();
      return forking(async ({ sourceRunId, body, send }) => {
        const response = await send();
        if (response.status === 201 && branches.has(sourceRunId)) {
          return respond(refusal(400, 'validation_error', 'Branches are not forked.'));
        }
        if (response.status === 201 && body['mode'] === 'branch') {
          branches.add(member(await response.clone().json(), 'runId'));
        }
        return response;
      })();
    },
  },
  'replay-default-refused': {
    breaks: 'A replay without fromSeq is refused with 400.',
    kills: ['fork.replay-defaults-to-zero'],
    parts: refusingForks(
      ({ body }) => body['mode'] === 'replay' && !('fromSeq' in body),
      400,
      'validation_error',
      'fromSeq is missing.',
    ),
  },
  'replay-default-at-the-end': {
    breaks: 'A replay without fromSeq starts at the last event.',
    kills: ['fork.replay-defaults-to-zero'],
    parts: forking(async (call) => {
      const { body, send } = call;
      if (body['mode'] !== 'replay' || 'fromSeq' in body) return send();
      return send({ body: { ...body, fromSeq: Number(member((await logOf(call)).at(-1), 'sequence')) } });
    }),
  },
  'replay-default-after-the-start': {
    breaks: 'A replay without fromSeq starts at the second event.',
    kills: ['fork.replay-defaults-to-zero'],
    parts: forking(async (call) => {
      const { body, text, send } = call;
      if (text !== '{"mode":"replay"}') return send();
      return send({ body: { ...body, fromSeq: Number(member((await logOf(call))[1], 'sequence')) } });
    }),
  },
};

/** Changes the answers that created a fork of a fork; the run that the first of these forks was made of is known. */
function forkOfForkAnswered(change: (answer: JsonObject, root: string) => JsonObject): Parts {
  return (conformant) => {
    const roots = new Map<string, string>();
    return forkAnswered((answer, { sourceRunId }) => {
      const root = roots.get(sourceRunId);
      roots.set(String(answer['runId']), root ?? sourceRunId);
      return root === undefined ? answer : change(answer, root);
    })(conformant);
  };
}
