import { isObject, type JsonObject, member, stringMember } from '../../json.ts';
import { refusal, respond } from '../../types/answers.ts';
import { type Defects, type Parts, within } from '../mutant.ts';
import { CHAIN, writingPhase, writingSteps } from '../shared/handoff-parts.ts';
import { withPayload } from '../shared/replay-parts.ts';
import { answering, notThere, showingEvents } from '../shared/run-wire.ts';

const PUBLIC = 'conformance-multi-agent-handoff';

/** Tells child runs under other ids. */
function namingChildren(name: (childRunId: string) => string): Parts {
  return writingSteps(({ drafts }) =>
    drafts.map((draft) => {
      const childRunId = stringMember(draft.payload, 'childRunId');
      return childRunId === undefined ? draft : withPayload(draft, { childRunId: name(childRunId) });
    }),
  );
}

/** Child runs, and what becomes of them. */
export const defects: Defects = {
  'handoff-of-a-child-untold': {
    breaks: 'A run that was dispatched itself tells no transition of its handoffs.',
    kills: ['handoff.happy-path.nested'],
    parts: ({ written }) => ({
      written: (draft, writing) =>
        draft.type === CHAIN && writing.run.dispatchedBy !== undefined ? [] : written(draft, writing),
    }),
  },
  'handoff-of-a-child-ends-untold': {
    breaks: 'A run that was dispatched itself does not tell that it decides to terminate.',
    kills: ['handoff.loop.nested'],
    parts: ({ written }) => ({
      written: (draft, writing) => {
        const isEnd = stringMember(member(draft.payload, 'decision'), 'kind') === 'terminate';
        return isEnd && writing.run.dispatchedBy !== undefined ? [] : written(draft, writing);
      },
    }),
  },
  'handoff-harvests-failed-child': {
    breaks: 'A failed child is harvested.',
    kills: ['handoff.failed-child-skips-harvest.failed'],
    parts: within('handoff', ({ harvests }) => ({
      harvests: (status, mapping) => status === 'failed' || harvests(status, mapping),
    })),
  },
  'handoff-harvests-cancelled-child': {
    breaks: 'A cancelled child is harvested.',
    kills: ['handoff.failed-child-skips-harvest.cancelled'],
    parts: within('handoff', ({ harvests }) => ({
      harvests: (status, mapping) => status === 'cancelled' || harvests(status, mapping),
    })),
  },
  'handoff-failed-child-completed': {
    breaks: 'A failed child is reported as completed.',
    kills: ['handoff.failed-child-skips-harvest.failed'],
    parts: writingPhase('child.failed', (draft) => [withPayload(draft, { phase: 'child.completed' })]),
  },
  'handoff-failed-child-ends-as-completed': {
    breaks: 'A child that is reported as failed ends as completed, by its own log and snapshot.',
    kills: ['handoff.failed-child-skips-harvest.failed'],
    parts: () => {
      const failed = new Set<string>();
      const showing = showingEvents(
        (runId) => failed.has(runId),
        (event) => [event['type'] === 'run.failed' ? { ...event, type: 'run.completed', payload: {} } : event],
      );
      return {
        written: (draft, { run }) => {
          if (draft.type === 'run.failed' && run.dispatchedBy !== undefined) failed.add(run.runId);
          return [draft];
        },
        middleware: (next) => async (request) => {
          const runId = /^\/v1\/runs\/([^/:]+)$/.exec(new URL(request.url).pathname)?.[1] ?? '';
          const response = await showing(next)(request);
          if (!failed.has(runId)) return response;
          const { error: _error, ...snapshot } = (await response.json()) as JsonObject;
          return Response.json({ ...snapshot, status: 'completed' });
        },
      };
    },
  },
  'handoff-failed-child-untold': {
    breaks: 'A failed child is reported nowhere.',
    kills: ['handoff.failed-child-skips-harvest.failed'],
    parts: writingPhase('child.failed', () => []),
  },
  'handoff-cancelled-child-failed': {
    breaks: 'A cancelled child is reported as failed.',
    kills: ['handoff.failed-child-skips-harvest.cancelled'],
    parts: writingPhase('child.cancelled', (draft) => [withPayload(draft, { phase: 'child.failed' })]),
  },
  'handoff-child-not-found': {
    breaks: 'Dispatched runs cannot be read.',
    kills: ['handoff.child-is-a-run'],
    parts: answering('GET', /^\/v1\/runs\/[^/]+$/, async (answer) => {
      const response = await answer();
      return isDispatched(await response.clone().json()) ? notFound() : response;
    }),
  },
  'handoff-second-child-not-found': {
    breaks: 'Of the children of one run the first alone can be read.',
    kills: ['handoff.child-is-a-run.two-workers'],
    parts: () => {
      const first = new Map<string, string>();
      return {
        middleware: (next) => async (request) => {
          const { origin, pathname } = new URL(request.url);
          const path = /^(\/v1\/runs\/([^/:]+))(\/events(\/poll)?)?$/.exec(pathname);
          if (path?.[1] === undefined || request.method !== 'GET') return next(request);
          const snapshot = await (await next(new Request(`${origin}${path[1]}`, { headers: request.headers }))).json();
          const parent = stringMember(snapshot, 'parentRunId') ?? '';
          if (!isDispatched(snapshot)) return next(request);
          if (!first.has(parent)) first.set(parent, path[2] ?? '');
          return first.get(parent) === path[2] ? next(request) : notFound();
        },
      };
    },
  },
  'handoff-child-of-a-later-turn-not-found': {
    breaks: 'What later turns dispatch cannot be read.',
    kills: ['handoff.child-is-a-run.turns'],
    parts: ({ handoff }) => {
      const later = new Set<string>();
      return {
        handoff: {
          ...handoff,
          written: (step) => {
            const isLater = step.turn > 0 && step.kind === 'dispatch.succeeded';
            const childRunIds = step.drafts.flatMap(({ payload }) => stringMember(payload, 'childRunId') ?? []);
            if (isLater) for (const childRunId of childRunIds) later.add(childRunId);
            return handoff.written(step);
          },
        },
        middleware: (next) => (request) =>
          later.has(/^\/v1\/runs\/([^/:]+)/.exec(new URL(request.url).pathname)?.[1] ?? '')
            ? notFound()
            : next(request),
      };
    },
  },
  'handoff-child-of-a-child-not-found': {
    breaks: 'What a dispatched run dispatches cannot be read.',
    kills: ['handoff.child-is-a-run.nested'],
    parts: ({ written }) => {
      const [children, theirs] = [new Set<string>(), new Set<string>()];
      return {
        written: (draft, writing) => {
          const { runId, dispatchedBy } = writing.run;
          if (dispatchedBy !== undefined) (children.has(dispatchedBy.runId) ? theirs : children).add(runId);
          return written(draft, writing);
        },
        middleware: notThere((runId) => theirs.has(runId)),
      };
    },
  },
  'handoff-child-of-an-unknown-parent': {
    breaks: 'Snapshots of children name as their parent a run that there is not.',
    kills: ['handoff.child-is-a-run'],
    parts: answering('GET', /^\/v1\/runs\/[^/]+$/, async (answer) => {
      const response = await answer();
      const snapshot: unknown = await response.clone().json();
      if (!isDispatched(snapshot) || !isObject(snapshot)) return response;
      return Response.json({ ...snapshot, parentRunId: 'run_of-nobody' }, response);
    }),
  },
  'handoff-child-of-the-workflow-of-its-parent': {
    breaks: 'The snapshot of a child names the workflow of its parent.',
    kills: ['handoff.child-is-a-run'],
    parts: answering('GET', /^\/v1\/runs\/[^/]+$/, async (answer) => {
      const response = await answer();
      const snapshot: unknown = await response.clone().json();
      const isMeant = isDispatched(snapshot) && member(snapshot, 'workflowId') === `${PUBLIC}-child`;
      return isMeant && isObject(snapshot) ? Response.json({ ...snapshot, workflowId: PUBLIC }, response) : response;
    }),
  },
  'handoff-child-log-not-found': {
    breaks: 'Dispatched runs can be read, but their logs cannot.',
    kills: ['handoff.child-is-a-run'],
    parts: () => ({
      middleware: (next) => async (request) => {
        const { origin, pathname } = new URL(request.url);
        const path = /^(\/v1\/runs\/[^/]+)\/events(\/poll)?$/.exec(pathname)?.[1];
        if (path === undefined) return next(request);
        const run = await next(new Request(`${origin}${path}`, { headers: request.headers }));
        return isDispatched(await run.json()) ? notFound() : next(request);
      },
    }),
  },
  'handoff-child-id-made-up': {
    breaks: 'The id of a child run is not reported, but one made up.',
    kills: ['handoff.child-is-a-run'],
    parts: namingChildren((childRunId) => `${childRunId}-of-nobody`),
  },
  'handoff-child-is-its-parent': {
    breaks: 'dispatch.succeeded names the run that hands off as its child.',
    kills: ['handoff.child-is-a-run'],
    parts: () => ({
      eventOnWire: (event) =>
        member(event.payload, 'phase') === 'dispatch.succeeded'
          ? withPayload(event, { childRunId: stringMember(event.payload, 'parentRunId') ?? '' })
          : event,
    }),
  },
  'handoff-children-of-one-made-up-id': {
    breaks: 'All child runs are reported under one id, which is the id of none.',
    kills: ['handoff.child-is-a-run'],
    parts: namingChildren(() => 'run_of-nobody'),
  },
  'handoff-child-inside-its-parent': {
    breaks: "What a child does is written into its parent's log.",
    kills: ['handoff.child-is-a-run'],
    parts: writingPhase('dispatch.succeeded', (draft) => [
      draft,
      { type: 'node.started', nodeId: 'work', payload: { typeId: 'core.noop' } },
    ]),
  },
};

function notFound(): Response {
  return respond(refusal(404, 'not_found', 'There is no such run.'));
}

function isDispatched(snapshot: unknown): boolean {
  return member(snapshot, 'parentNodeId') !== undefined;
}
