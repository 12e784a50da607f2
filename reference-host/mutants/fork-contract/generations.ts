import { overlaid } from '../../engine/execution.ts';
import { isObject, type JsonObject, member } from '../../json.ts';
import { digest, serialise } from '../../recipe/cache-key.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { refusal, respond } from '../../types/answers.ts';
import {
  forkAnswered,
  type ForkCall,
  forking,
  forkingInstead,
  leftOut,
  logOf,
  onceForked,
  workflowOf,
} from '../shared/fork-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { knowingForks } from '../shared/run-memory.ts';

function firstMember(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).slice(0, 1));
}

/** Replays of branches do again what is recorded of some acts. */
function actingAnew(isMeant: (request: JsonObject, nodeId: string) => boolean): Parts {
  return knowingForks((modeOf) => ({ actKey, replay }) => {
    const acting = new Set<string>();
    return {
      replay: {
        ...replay,
        startsFrom: (state, run) => {
          if (run.fork?.mode === 'replay' && modeOf(run.fork.parentRunId) === 'branch') acting.add(run.runId);
          return replay.startsFrom(state, run);
        },
      },
      actKey: (request, actor) =>
        acting.has(actor.runId) && isMeant(request, actor.nodeId)
          ? digest(serialise({ request, runId: actor.runId }))
          : actKey(request, actor),
    };
  });
}

/** Writes of nodes of a replay of a branch something else than happened. */
function showingAnother(nodeIds: readonly string[], change: (name: string, value: unknown) => unknown): Parts {
  return knowingForks((modeOf) => ({ written }) => ({
    written: (draft, writing) => {
      const { fork } = writing.run;
      const isMeant =
        nodeIds.includes(draft.nodeId ?? '') && fork?.mode === 'replay' && modeOf(fork.parentRunId) === 'branch';
      const payload: unknown = isMeant ? JSON.parse(JSON.stringify(draft.payload ?? null), change) : draft.payload;
      return written({ ...draft, payload }, writing);
    },
  }));
}

/** Replays of branches do again what is recorded of some acts that are history of the branch, and not its own. */
function actingAnewBelow(isMeant: (request: JsonObject, nodeId: string) => boolean): Parts {
  return ({ actKey, replay }) => {
    /** The nodes that the history of a branch shows, and that of the branch that a replay is one of. */
    const below = new Map<string, ReadonlySet<string>>();
    const ofBranch = new Map<string, ReadonlySet<string>>();
    return {
      replay: {
        ...replay,
        startsFrom: (state, run) => {
          const { fork, runId } = run;
          if (fork?.mode === 'branch' && !below.has(runId)) below.set(runId, new Set(state.nodes.keys()));
          const ofParent = fork?.mode === 'replay' ? below.get(fork.parentRunId) : undefined;
          if (ofParent !== undefined) ofBranch.set(runId, ofParent);
          return replay.startsFrom(state, run);
        },
      },
      actKey: (request, actor) =>
        ofBranch.get(actor.runId)?.has(actor.nodeId) === true && isMeant(request, actor.nodeId)
          ? digest(serialise({ request, runId: actor.runId }))
          : actKey(request, actor),
    };
  };
}

function isQuestion(event: unknown): boolean {
  return member(event, 'type') === 'interrupt.requested';
}

/** Branches of replays whose logs show a node are carried out as replays. */
function inertBranchesOfReplays(nodeId: string): Parts {
  return knowingForks((modeOf) =>
    forking(async (call) => {
      const { body, sourceRunId, send } = call;
      const isMeant = body['mode'] === 'branch' && modeOf(sourceRunId) === 'replay';
      if (!isMeant || !(await logOf(call)).some((event) => member(event, 'nodeId') === nodeId)) return send();
      const response = await send({ body: { mode: 'replay', fromSeq: body['fromSeq'] } });
      const answer: unknown = await response.json();
      return Response.json(response.ok ? { ...Object(answer), mode: 'branch' } : answer, { status: response.status });
    }),
  );
}

/** Forks of a mode whose sources are forks of another inherit events of a type with other members in their payloads. */
function inheritingElse(mode: string, ofMode: string, type: string, members: JsonObject): Parts {
  return knowingForks((modeOf) =>
    within('replay', (replay) => ({
      inherited: (history, fork) =>
        fork.mode === mode && modeOf(fork.source[0]?.runId ?? '') === ofMode
          ? history.map((event) => (event.type === type ? withPayload(event, members) : event))
          : replay.inherited(history, fork),
    })),
  );
}

/** Branches of forks of this mode run without their overlay. */
function withoutOverlay(ofMode: string): Parts {
  return knowingForks((modeOf) =>
    forkingInstead((body, { sourceRunId }) =>
      body['mode'] === 'branch' && modeOf(sourceRunId) === ofMode ? leftOut(body, 'runOptionsOverlay') : undefined,
    ),
  );
}

/** Answers the requests for forks of a mode that fit with 500, where their sources are forks of this one, or none. */
function failing(mode: string, sources: string | undefined, fits: (call: ForkCall) => Promise<boolean>): Parts {
  return knowingForks((modeOf) =>
    forking(async (call) => {
      const isMeant = call.body['mode'] === mode && modeOf(call.sourceRunId) === sources;
      return isMeant && (await fits(call)) ? respond(refusal(500, 'internal_error', 'Not copied.')) : call.send();
    }),
  );
}

const RECORDED_FACTS: readonly unknown[] = ['core.clock', 'core.random', 'core.memory.write'];

const isOf = (name: string) => async (call: ForkCall) => (await workflowOf(call)) === `conformance-${name}`;
const isOfClock = isOf('determinism-clock');
const isOfTool = isOf('determinism-side-effects');

/** Forks of forks, and forks after others. */
export const defects: Defects = {
  'fork-of-a-fork-clamped': {
    breaks: 'A fromSeq past the end of a fork counts as its last event.',
    kills: ['fork.rejects-absent-sequence'],
    parts: knowingForks((modeOf) =>
      forking(async (call) => {
        const last = modeOf(call.sourceRunId) === undefined ? undefined : (await logOf(call)).at(-1);
        const fromSeq = Number(member(last, 'sequence'));
        return Number(call.body['fromSeq']) > fromSeq ? call.send({ body: { ...call.body, fromSeq } }) : call.send();
      }),
    ),
  },
  'replay-of-a-drawing-branch-fails': {
    breaks: 'A replay of a branch that drew random numbers is answered with 500.',
    kills: ['fork.created.of-a-fork.branch'],
    parts: failing('replay', 'branch', isOf('determinism-random')),
  },
  'second-replay-of-a-delay-fails': {
    breaks: 'A replay of a replay of one that waited for a while is answered with 500.',
    kills: ['fork.created.of-a-fork'],
    seenIn: 'sequence.sweep',
    parts: failing('replay', 'replay', isOf('delay')),
  },
  'branch-of-a-clock-fails': {
    breaks: 'A branch of a run that read a clock is answered with 500.',
    kills: ['fork.created.branch'],
    seenIn: 'fork.of-a-branch',
    parts: failing('branch', undefined, isOfClock),
  },
  'branch-of-a-clock-accepted-only': {
    breaks: 'A branch of a run that read a clock is answered with 202.',
    kills: ['fork.created.branch'],
    seenIn: 'fork.of-a-branch',
    parts: forking(async (call) => {
      const isMeant = call.body['mode'] === 'branch' && (await isOfClock(call));
      const response = await call.send();
      if (!isMeant || response.status !== 201) return response;
      return new Response(response.body, { headers: response.headers, status: 202 });
    }),
  },
  'replay-of-a-failed-tool-fails': {
    breaks: 'A full replay of a run whose tool failed is answered with 500.',
    kills: ['fork.created.every-sequence'],
    seenIn: 'replay.no-second-external-call',
    parts: failing(
      'replay',
      undefined,
      async (call) =>
        call.body['fromSeq'] === undefined &&
        (await isOfTool(call)) &&
        (await logOf(call)).some((event) => member(event, 'type') === 'node.failed'),
    ),
  },
  'replay-of-a-branch-calls-tools': {
    breaks: 'A replay of a branch calls tools again.',
    kills: ['replay.no-second-external-call.of-a-branch'],
    parts: actingAnew((_, nodeId) => nodeId === 'call-tool'),
  },
  'replay-of-a-branch-asks-the-model-again': {
    breaks: 'A replay of a branch asks a model again that has answered the branch.',
    kills: ['replay.no-second-external-call.model'],
    parts: knowingForks((modeOf) =>
      forking(async ({ body, sourceRunId, headers, next, send }) => {
        const request = { method: 'POST', headers, body: JSON.stringify({ runId: sourceRunId }) };
        const isMeant = body['mode'] === 'replay' && modeOf(sourceRunId) === 'branch';
        if (isMeant) await next(new Request('http://host/v1/host/sample/test/llm-cache/purge', request));
        return send();
      }),
    ),
  },
  'replay-of-a-branch-shows-another-answer-of-the-tool': {
    breaks: 'A replay of a branch shows another answer of a tool than the branch was given.',
    kills: ['replay.no-second-external-call.of-a-branch'],
    parts: showingAnother(['call-tool', 'after'], (name, value) => (name === 'nonce' ? 'another' : value)),
  },
  'replay-of-a-branch-shows-another-answer-of-the-model': {
    breaks: 'A replay of a branch shows another answer of a model than the branch was given.',
    kills: ['replay.no-second-external-call.model'],
    parts: showingAnother(['provider-call'], (name, value) => (name === 'valid' ? 'another' : value)),
  },
  'replay-of-a-branch-draws-anew': {
    breaks: 'A replay of a branch draws random numbers anew instead of showing those of the branch.',
    kills: ['fork.branch-is-independent.replayed'],
    parts: actingAnew(({ kind }) => kind === 'core.random'),
  },
  'replay-of-a-branch-makes-its-history-anew': {
    breaks:
      'A full replay of a branch reads clocks, draws random numbers and names memories anew that are history of the branch.',
    kills: ['fork.branch-is-independent.replayed'],
    parts: actingAnewBelow(({ kind }) => RECORDED_FACTS.includes(kind)),
  },
  'replay-of-a-branch-calls-what-is-its-history': {
    breaks: 'A full replay of a branch calls a tool again that the source of the branch has called.',
    kills: ['replay.no-second-external-call.of-a-branch'],
    parts: actingAnewBelow((_, nodeId) => nodeId === 'call-tool'),
  },
  'replay-of-a-branch-asks-what-is-its-history': {
    breaks: 'A full replay of a branch asks a question again that the source of the branch was answered.',
    kills: ['fork.branch-is-independent.replayed'],
    waits: true,
    parts: () => {
      const starts = new Map<string, number>();
      return forking(async (call) => {
        const { body, sourceRunId, send } = call;
        const start = body['mode'] === 'replay' ? starts.get(sourceRunId) : undefined;
        const asked = start === undefined ? undefined : (await logOf(call)).find(isQuestion);
        const isHistory = start !== undefined && asked !== undefined && Number(member(asked, 'sequence')) < start;
        const response = await send(isHistory ? { body: { mode: 'branch', fromSeq: 0 } } : {});
        if (response.status !== 201) return response;
        const answer = Object(await response.json()) as JsonObject;
        if (body['mode'] === 'branch') starts.set(String(answer['runId']), Number(body['fromSeq']));
        return Response.json({ ...answer, mode: body['mode'] }, { status: 201 });
      })();
    },
  },
  'replay-of-a-branch-with-another-history': {
    breaks: 'A replay of a branch inherits its history with other payloads.',
    kills: ['fork.branch-is-independent.replayed'],
    parts: inheritingElse('replay', 'branch', 'node.completed', { output: 'else' }),
  },
  'replay-of-a-replay-with-another-history': {
    breaks:
      'A replay of a replay inherits what three nodes in a row gave with other values, where its workflow has no more.',
    kills: ['fork.created.of-a-fork'],
    parts: knowingForks((modeOf) =>
      within('replay', (replay) => ({
        inherited: (history, fork) =>
          fork.mode === 'replay' &&
          modeOf(fork.source[0]?.runId ?? '') === 'replay' &&
          fork.source.some(({ nodeId }) => nodeId === 'c')
            ? history.map((event) => (event.type === 'node.completed' ? withPayload(event, { output: 'else' }) : event))
            : replay.inherited(history, fork),
      })),
    ),
  },
  'branch-of-a-branch-with-another-history': {
    breaks: 'A branch of a branch inherits a start that its source does not have.',
    kills: ['fork.branch-inherits-prefix'],
    seenIn: 'fork.branch-acts.approval',
    parts: inheritingElse('branch', 'branch', 'run.started', { again: true }),
  },
  'branch-of-a-failed-run-tells-it-otherwise': {
    breaks: 'A branch of a run that failed shows another message of the failure in its history.',
    kills: ['fork.branch-inherits-prefix'],
    parts: within('replay', (replay) => ({
      inherited: (history, fork) =>
        fork.mode === 'branch'
          ? history.map((event) =>
              event.type === 'node.failed'
                ? withPayload(event, {
                    error: { ...Object(member(event.payload, 'error')), message: 'It went wrong.' },
                  })
                : event,
            )
          : replay.inherited(history, fork),
    })),
  },
  'replay-of-a-branch-configured-as-its-source': {
    breaks: 'A replay of a branch runs with the configurable of the run that was branched.',
    kills: ['fork.branch-applies-overlay.configurable'],
    parts: within('replay', (replay) => ({
      startsFrom: (state, run) => {
        const { value, recursionLimit } = Object(state.options['configurable']) as JsonObject;
        const isOfBranch = value === 'given to the branch' || recursionLimit === 50;
        const configurable = recursionLimit === 50 ? { recursionLimit: 3 } : { value: 'given to the source' };
        return run.fork?.mode === 'replay' && isOfBranch
          ? { ...state, options: { ...state.options, configurable } }
          : replay.startsFrom(state, run);
      },
    })),
  },
  'replay-of-a-branch-without-its-overlay': {
    breaks: 'A replay of a branch runs without the overlay of the branch.',
    kills: ['fork.branch-applies-overlay.replayed'],
    parts: () => {
      const sources = new Map<string, string>();
      return {
        ...forking(async (call) => {
          const { body, sourceRunId, headers, next, send } = call;
          const origin = body['mode'] === 'replay' ? sources.get(sourceRunId) : undefined;
          const isFull = body['fromSeq'] === undefined || body['fromSeq'] === 0;
          const response =
            origin === undefined || !isFull
              ? await send()
              : await next(
                  new Request(`http://host/v1/runs/${origin}:fork`, {
                    method: 'POST',
                    headers,
                    body: JSON.stringify(body),
                  }),
                );
          if (response.status !== 201) return response;
          const answer = Object(await response.json()) as JsonObject;
          if (body['mode'] === 'branch') sources.set(String(answer['runId']), sourceRunId);
          return Response.json({ ...answer, sourceRunId }, { status: 201 });
        })(),
      };
    },
  },
  'replay-of-a-branch-gives-something-else': {
    breaks: 'The nodes of a replay of a branch give other values than those of the branch, and nothing says so.',
    kills: ['fork.branch-is-independent.replayed'],
    parts: knowingForks((modeOf) => (conformant) => {
      const starts = new Map<string, number>();
      return {
        ...forkAnswered((answer, { body, sourceRunId }) => {
          const isMeant = body['mode'] === 'replay' && modeOf(sourceRunId) === 'branch';
          if (isMeant) starts.set(String(answer['runId']), Number(body['fromSeq'] ?? 0));
          return answer;
        })(conformant),
        eventOnWire: (event) =>
          event.type === 'node.completed' && event.sequence >= (starts.get(event.runId) ?? Infinity)
            ? withPayload(event, { output: { other: 1 } })
            : event,
      };
    }),
  },
  'branch-of-a-replay-without-overlay': {
    breaks: 'A branch of a replay runs with the run options of the replay.',
    kills: ['fork.branch-applies-overlay.of-a-replay'],
    parts: withoutOverlay('replay'),
  },
  'branch-of-a-branch-without-overlay': {
    breaks: 'A branch of a branch runs with the run options of that.',
    kills: ['fork.branch-applies-overlay.of-a-replay'],
    parts: withoutOverlay('branch'),
  },
  'branch-of-a-replay-calls-nobody': {
    breaks: 'A branch of a replay that called a tool is carried out as a replay.',
    kills: ['fork.branch-acts.tool'],
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: inertBranchesOfReplays('call-tool'),
  },
  'branch-of-a-replay-asks-nobody': {
    breaks: 'A branch of a replay that shows a question is carried out as a replay.',
    kills: ['fork.branch-acts.approval'],
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: inertBranchesOfReplays('gate'),
  },
  'branch-of-a-replay-without-causes': {
    breaks: 'The events that a branch of a replay inherits have lost their causes.',
    kills: ['fork.branch-inherits-prefix'],
    parts: knowingForks((modeOf) => (conformant) => {
      const starts = new Map<string, number>();
      return {
        ...forkAnswered((answer, { body, sourceRunId }) => {
          const isMeant = body['mode'] === 'branch' && modeOf(sourceRunId) === 'replay';
          if (isMeant) starts.set(String(answer['runId']), Number(body['fromSeq']));
          return answer;
        })(conformant),
        eventOnWire: (event) =>
          event.sequence < (starts.get(event.runId) ?? 0) ? { ...event, causationId: undefined } : event,
      };
    }),
  },
  'branch-of-a-branch-asks-nobody': {
    breaks: 'A branch of a branch, without other run options, is carried out as a replay, and called a branch.',
    kills: ['fork.branch-acts.approval'],
    alsoBreaks: { 'schema.run-snapshot.wire': 'its snapshot says that it is a replay' },
    parts: knowingForks((modeOf) =>
      forking(async ({ body, sourceRunId, send }) => {
        const isPlain = Object.keys(Object(body['runOptionsOverlay'])).length === 0;
        if (!isPlain || body['mode'] !== 'branch' || modeOf(sourceRunId) !== 'branch') return send();
        const response = await send({ body: { ...body, mode: 'replay' } });
        if (response.status !== 201) return response;
        return Response.json({ ...Object(await response.json()), mode: 'branch' }, { status: 201 });
      }),
    ),
  },
  'overlay-first-member-alone': {
    breaks: 'A branch takes the first member of its overlay alone.',
    kills: ['fork.branch-applies-overlay'],
    parts: forkingInstead((body) => {
      const overlay = body['runOptionsOverlay'];
      return body['mode'] === 'branch' && isObject(overlay)
        ? { ...body, runOptionsOverlay: firstMember(overlay) }
        : undefined;
    }),
  },
  'overlay-first-value-alone': {
    breaks: 'A branch takes the first value alone of each object of its overlay.',
    kills: ['fork.branch-applies-overlay.configurable'],
    parts: forkingInstead((body) => {
      const overlay = body['runOptionsOverlay'];
      if (body['mode'] !== 'branch' || !isObject(overlay)) return undefined;
      const cut = Object.entries(overlay).map(([name, value]) => [name, isObject(value) ? firstMember(value) : value]);
      return { ...body, runOptionsOverlay: Object.fromEntries(cut) };
    }),
  },
  'overlay-stays-with-the-source': {
    breaks: 'The replays of a run that was branched run with the overlay of the branch.',
    kills: ['fork.branch-is-independent.later-replay'],
    parts: within('replay', (replay) => {
      const overlays = new Map<string, JsonObject>();
      return {
        startsFrom: (state, run) => {
          const { fork } = run;
          if (fork?.mode === 'branch') overlays.set(fork.parentRunId, fork.overlay);
          const overlay = fork?.mode === 'replay' ? overlays.get(fork.parentRunId) : undefined;
          const options = overlay === undefined ? state.options : overlaid(state.options, overlay);
          return replay.startsFrom({ ...state, options }, run);
        },
      };
    }),
  },
  'overlay-configurable-stays-with-the-source': {
    breaks: 'What a branch is configured with is written into its source: replays of that run with it.',
    kills: ['fork.branch-is-independent'],
    seenIn: 'fork.overlay-configurable',
    parts: within('replay', (replay) => {
      const kept = new Map<string, JsonObject>();
      return {
        startsFrom: (state, run) => {
          const { fork } = run;
          if (fork?.mode === 'branch' && fork.overlay['configurable'] !== undefined) {
            kept.set(fork.parentRunId, { configurable: fork.overlay['configurable'] });
          }
          const overlay = fork?.mode === 'replay' ? kept.get(fork.parentRunId) : undefined;
          const options = overlay === undefined ? state.options : overlaid(state.options, overlay);
          return replay.startsFrom({ ...state, options }, run);
        },
      };
    }),
  },
  'fork-of-a-fork-changes-its-log': {
    breaks: 'A fork that was forked shows other payloads since.',
    kills: ['fork.source-untouched.of-a-fork'],
    parts: knowingForks((modeOf) =>
      onceForked(
        ({ sourceRunId }, status) => status === 201 && modeOf(sourceRunId) !== undefined,
        (isTouched) => ({
          eventOnWire: (event) =>
            event.type === 'node.completed' && isTouched(event.runId)
              ? { ...event, payload: { ...Object(event.payload), forked: true } }
              : event,
        }),
      ),
    ),
  },
  'replay-of-a-branch-reopens-it': {
    breaks: 'A branch that was replayed says in its snapshot that it runs.',
    kills: ['fork.source-untouched.of-a-fork.branch'],
    parts: knowingForks((modeOf) =>
      onceForked(
        ({ sourceRunId }, status) => status === 201 && modeOf(sourceRunId) === 'branch',
        (isTouched) => ({
          snapshotOnWire: (snapshot) =>
            isTouched(String(snapshot['runId'])) ? { ...snapshot, status: 'running' } : snapshot,
        }),
      ),
    ),
  },
};
