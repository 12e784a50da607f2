import { isRunId } from '../ids.ts';
import type { JsonObject } from '../json.ts';
import { invalid, respond, runNotFound } from '../types/answers.ts';
import type { Host, Route } from './route.ts';
import { diffEvents, diffStates } from './run-diff.ts';
import { withRun } from './runs.ts';

/** GET /v1/runs/{runId}:diff?against=: how another run differs from this one. */
export function diffRoute({ store, runs, redactor }: Host): Route {
  return {
    method: 'GET',
    path: '/v1/runs/{runId}:diff',
    operationId: 'diffRuns',
    summary: 'How another run differs from this one, events about replays left out',
    access: ['runs:read'],
    query: { against: 'The other run' },
    answers: { 200: 'The differences', 400: 'against is missing', 404: 'There is no such run' },
    handle: withRun(runs, (a, { query, tenant }) => {
      const against = query.get('against');
      if (against === null || against === '') return respond(invalid('against must name a run.'));
      const b = isRunId(against) ? runs.find(tenant, against) : undefined;
      if (b === undefined) return respond(runNotFound());
      const events = diffEvents(store.events.read(a.runId), store.events.read(b.runId));
      const state = diffStates(runs.view(a).state, runs.view(b).state);
      const redacted = (object: JsonObject): JsonObject =>
        [a, b].reduce(
          (shown, run) => redactor.members({ run, surface: 'diff' }, shown, ['eventDiffs', 'stateDiff']),
          object,
        );
      const body = {
        a: a.runId,
        b: b.runId,
        divergedAtSeq: events.divergedAtSeq,
        ...redacted({ eventDiffs: events.diffs, stateDiff: state.diff }),
        ...(events.truncated || state.truncated ? { truncated: true } : {}),
      };
      return respond({ status: 200, body });
    }),
  };
}
