import type { RunRecord } from '../store/runs.ts';
import type { JsonObject } from '../json.ts';
import { invalid, respond } from '../types/answers.ts';
import type { Call, Host, Route } from './route.ts';

/** An extension of this host: the protocol has no list of runs. */
export const RUNS_PATH = '/v1/host/sample/runs';

const USUAL = 50;
const MOST = 100;
/** Runs that one request looks at, so that a rare word costs no more than a frequent one. */
const MOST_LOOKED_AT = 2000;

/** GET /v1/host/sample/runs: the tenant's runs, newest first, a page at a time. */
export function runListRoute(host: Host): Route {
  return {
    method: 'GET',
    path: RUNS_PATH,
    operationId: 'listRuns',
    summary: "The tenant's runs, newest first",
    access: ['runs:read'],
    query: {
      limit: `How many, 1 to ${MOST}; ${USUAL} where it is absent`,
      before: 'Only runs that are older than this one',
      status: 'Only runs with this status',
      parentRunId: 'Only forks of this run',
      search: 'Only runs whose id or workflow has this text in it',
    },
    answers: { 200: 'The runs, and in `next` the value of `before` for older ones', 400: 'limit is no such number' },
    handle: (call) => {
      const limit = readLimit(call.query.get('limit'));
      return respond(
        limit === undefined
          ? invalid(`limit must be a whole number from 1 to ${MOST}.`)
          : { status: 200, body: listRuns(host, call, limit) },
      );
    },
  };
}

function readLimit(text: string | null): number | undefined {
  if (text === null || text === '') return USUAL;
  const limit = /^\d{1,3}$/.test(text) ? Number(text) : 0;
  return limit >= 1 && limit <= MOST ? limit : undefined;
}

function listRuns(host: Host, { tenant, query }: Call, limit: number): JsonObject {
  const text = (name: string): string | undefined => query.get(name) || undefined;
  const [before, status, parentRunId] = [text('before'), text('status'), text('parentRunId')];
  const search = text('search')?.toLowerCase();
  const older = host.store.runs.ofTenant(tenant).filter(({ runId, workflowId, fork }) => {
    if (before !== undefined && runId >= before) return false;
    if (parentRunId !== undefined && fork?.parentRunId !== parentRunId) return false;
    return search === undefined || runId.toLowerCase().includes(search) || workflowId.toLowerCase().includes(search);
  });
  const runs: JsonObject[] = [];
  let next: string | null = null;
  for (const [index, run] of older.entries()) {
    if (runs.length === limit || index === MOST_LOOKED_AT) {
      next = older[index - 1]?.runId ?? null;
      break;
    }
    const shown = entry(host, run);
    if (status === undefined || shown['status'] === status) runs.push(shown);
  }
  return { runs, next };
}

function entry({ runs, store }: Host, run: RunRecord): JsonObject {
  const { runId, workflowId, fork } = run;
  const { status, startedAt, completedAt } = runs.view(run).state;
  return {
    runId,
    workflowId,
    status,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(completedAt === undefined ? {} : { completedAt }),
    ...(fork === undefined ? {} : { parentRunId: fork.parentRunId, forkMode: fork.mode, fromSeq: fork.fromSeq }),
    forks: store.runs.forks(runId).length,
  };
}
