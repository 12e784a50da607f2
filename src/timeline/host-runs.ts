import { member } from '../contract/discovery.ts';
import { present } from '../contract/present.ts';
import { debugPath, runPath } from '../protocol/paths.ts';
import type { Logged } from '../report/view/build-comparison.ts';
import type { ListQuery, RunHead, RunLink, RunList } from '../report/view/timeline/model.ts';
import { numberOf, textOf } from '../report/view/observed-run.ts';
import { type Answered, NO_SUCH_RUN, type RunSource } from './source.ts';

/** A host's API in this process. */
export type Api = (request: Request) => Response | Promise<Response>;

/** The reference host's list of runs: an extension of it. */
const LIST_PATH = '/v1/host/sample/runs';
/** Forks that a run's page names. */
const MOST_CHILDREN = 20;

/**
 * The runs of a host, read over its own API under the caller's credential: tenants, scopes and redaction are the API's.
 * `authorization` is the header as it came; without one the API says what it says to anybody.
 */
export function hostRuns(api: Api, authorization: string | null): RunSource {
  const get = async (path: string): Promise<Answered<unknown>> => {
    const headers = { accept: 'application/json', ...(authorization === null ? {} : { authorization }) };
    const response = await api(new Request(`http://localhost${path}`, { headers }));
    const body: unknown = await response.json().catch(() => undefined);
    if (response.ok) return { ok: true, value: body };
    return {
      ok: false,
      status: response.status,
      message: textOf(body, 'message') ?? `The API answered ${response.status}.`,
    };
  };
  const list = async (query: ListQuery): Promise<Answered<RunList>> => {
    const requested = Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]);
    const answer = await get(`${LIST_PATH}?${new URLSearchParams(requested).toString()}`);
    if (!answer.ok) return answer;
    const runs = member(answer.value, 'runs');
    const next = present({ next: textOf(answer.value, 'next') });
    return { ok: true, value: { runs: (Array.isArray(runs) ? runs : []).flatMap(linkOf), ...next } };
  };
  const read = async (runId: string): Promise<Answered<Logged>> => {
    const [snapshot, log] = await Promise.all([get(runPath(runId)), get(debugPath(runId))]);
    if (!snapshot.ok) return snapshot;
    if (!log.ok) return log;
    const [link] = linkOf(snapshot.value);
    if (link === undefined) return NO_SUCH_RUN;
    const [own, forks] = await Promise.all([
      list({ search: runId, limit: 1 }),
      list({ parentRunId: runId, limit: MOST_CHILDREN }),
    ]);
    const known = own.ok ? own.value.runs.find((run) => run.runId === link.runId) : undefined;
    const events = member(log.value, 'events');
    const head: RunHead = { ...known, ...link, ...endOf(snapshot.value), children: forks.ok ? forks.value.runs : [] };
    return { ok: true, value: { head, events: Array.isArray(events) ? events : [] } };
  };
  return { list, read };
}

function endOf(snapshot: unknown): Pick<RunHead, 'completedAt' | 'error'> {
  const [code, message] = ['code', 'message'].map((name) => textOf(member(snapshot, 'error'), name));
  const error = code === undefined ? undefined : `${code}: ${message ?? ''}`;
  return present({ completedAt: textOf(snapshot, 'completedAt'), error });
}

/** A snapshot, or an entry of the list. */
function linkOf(value: unknown): readonly RunLink[] {
  const runId = textOf(value, 'runId');
  if (runId === undefined) return [];
  const texts = ['workflowId', 'status', 'startedAt', 'parentRunId', 'forkMode'].map((name) => [
    name,
    textOf(value, name),
  ]);
  const numbers = ['fromSeq', 'forks'].map((name) => [name, numberOf(value, name)]);
  return [{ runId, ...present<Partial<RunLink>>(Object.fromEntries([...texts, ...numbers])) }];
}
