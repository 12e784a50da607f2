import { writer } from '../engine/writer.ts';
import { newId } from '../ids.ts';
import { isObject, member } from '../json.ts';
import type { Annotation } from '../store/beside-logs.ts';
import type { RunRecord } from '../store/runs.ts';
import { invalid, respond, type Answer } from '../types/answers.ts';
import { readBody } from './body.ts';
import type { Call, Host, Route } from './route.ts';
import { withRun } from './runs.ts';

/** POST and GET /v1/runs/{runId}/annotations: what people say about a run, beside its log (replay.md, Annotations and fork). */
export function annotationRoutes(host: Host): readonly Route[] {
  const path = '/v1/runs/{runId}/annotations';
  return [
    {
      method: 'POST',
      path,
      operationId: 'annotateRun',
      summary: 'Say something about a run; those who follow it hear of it',
      access: [],
      answers: {
        201: 'The annotation',
        400: 'The body has no signal',
        404: 'There is no such run',
        413: 'The body is too large',
      },
      handle: withRun(host.runs, async (run, call) => respond(await annotate(host, run, call))),
    },
    {
      method: 'GET',
      path,
      operationId: 'readAnnotations',
      summary: 'What was said about a run',
      access: [],
      answers: { 200: 'The annotations', 404: 'There is no such run' },
      handle: withRun(host.runs, (run) => {
        const annotations = host.store.annotations.of(run.runId);
        return respond({ status: 200, body: { annotations: annotations.map(host.redactor.annotation(run)) } });
      }),
    },
  ];
}

async function annotate(host: Host, run: RunRecord, { request }: Call): Promise<Answer> {
  const body = await readBody(request);
  if (!body.ok) return body.answer;
  const signal = member(body.value, 'signal');
  const note = member(body.value, 'note');
  if (!isObject(signal)) return invalid('signal must be an object.');
  if (note !== undefined && typeof note !== 'string') return invalid('note must be a string.');
  const { parts, store, redactor } = host;
  const annotation: Annotation = {
    annotationId: newId('ann', store.now()),
    runId: run.runId,
    signal,
    ...(note === undefined ? {} : { note }),
    createdAt: new Date(store.now()).toISOString(),
  };
  const write = writer(host, run);
  store.atomically(() => {
    store.annotations.add(annotation);
    for (const draft of parts.sideResources.logged(annotation)) write(draft);
  });
  store.events.wake(run.runId);
  return { status: 201, body: redactor.annotation(run)(annotation) };
}
