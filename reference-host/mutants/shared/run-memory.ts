import { isObject, parseJson, stringMember } from '../../json.ts';
import type { Fetch } from '../../parts.ts';

/** Remembers, around a host, the Authorization header under which each run was created, by run id. */
export function rememberingOwners(next: Fetch, owners: Map<string, string>): Fetch {
  return async (request) => {
    const credential = request.headers.get('authorization');
    const creates = request.method === 'POST' && new URL(request.url).pathname === '/v1/runs';
    const response = await next(request);
    if (!creates || credential === null || response.status !== 201) return response;
    const answer: unknown = await response.clone().json();
    const runId = isObject(answer) ? stringMember(answer, 'runId') : undefined;
    if (runId !== undefined) owners.set(runId, credential);
    return response;
  };
}

/** Remembers, around a host, the inputs with which each run was created, by run id. */
export function rememberingInputs(next: Fetch, inputs: Map<string, unknown>): Fetch {
  return async (request) => {
    const creates = request.method === 'POST' && new URL(request.url).pathname === '/v1/runs';
    if (!creates) return next(request);
    const asked = parseJson(await request.clone().text());
    const response = await next(request);
    const answer: unknown = response.status === 201 ? await response.clone().json() : undefined;
    const runId = isObject(answer) ? stringMember(answer, 'runId') : undefined;
    if (runId !== undefined && asked.ok && isObject(asked.value)) inputs.set(runId, asked.value['inputs']);
    return response;
  };
}
