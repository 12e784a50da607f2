import { isObject } from '../../json.ts';
import type { Fetch } from '../../parts.ts';

const ANNOTATIONS = /^\/v1\/runs\/([^/]+)\/annotations$/;

/** Remembers, around a host, the last annotation of each run, by run id. */
export function rememberingAnnotations(next: Fetch, annotated: Map<string, unknown>): Fetch {
  return async (request) => {
    const runId = ANNOTATIONS.exec(new URL(request.url).pathname)?.[1];
    const response = await next(request);
    if (runId === undefined || request.method !== 'POST' || response.status !== 201) return response;
    annotated.set(decodeURIComponent(runId), await response.clone().json());
    return response;
  };
}

/** The annotations of an answer. */
export function annotationsIn(answer: unknown): readonly unknown[] {
  const list = isObject(answer) ? answer['annotations'] : undefined;
  return Array.isArray(list) ? list : [];
}
