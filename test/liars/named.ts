import { isObject, type JsonObject, stringMember } from '../../reference-host/json.ts';
import type { Fetch, HostParts } from '../../reference-host/parts.ts';

/** A run that was made. */
export interface Made {
  readonly runId: string;
  /** The run that it was forked from; undefined for a run that is no fork. */
  readonly sourceRunId: string | undefined;
}

const MAKES_A_RUN = /^\/v1\/runs(?:\/([^/]+):fork)?$/;

/** A host whose answers name another run than the one that was made. `begin` is called for each host. */
export function naming(begin: () => (made: Made) => string): Partial<HostParts> {
  return {
    middleware: (next: Fetch): Fetch => {
      const nameOf = begin();
      return async (request) => {
        const [path, source] = MAKES_A_RUN.exec(new URL(request.url).pathname) ?? [];
        const response = await next(request);
        if (request.method !== 'POST' || path === undefined || response.status !== 201) return response;
        const { headers } = response;
        const answer: unknown = await response.json();
        const runId = stringMember(answer, 'runId');
        if (!isObject(answer) || runId === undefined) return Response.json(answer, { status: 201, headers });
        return Response.json(renamed(answer, runId, nameOf({ runId, sourceRunId: source })), { status: 201, headers });
      };
    },
  };
}

/** The answer with another run's id, in its URLs too. */
function renamed(answer: JsonObject, from: string, to: string): JsonObject {
  return Object.fromEntries(
    Object.entries(answer).map(([name, value]) => {
      if (name === 'runId') return [name, to];
      return [name, typeof value === 'string' && name.endsWith('Url') ? value.replace(from, to) : value];
    }),
  );
}
