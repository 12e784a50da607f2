import { listPage, runPage } from './links.ts';
import type { ListQuery, RunLink, RunList as Listed } from './model.ts';
import { Status, text, Time } from '../text.tsx';

const STATUSES = [
  'pending',
  'running',
  'waiting-approval',
  'waiting-input',
  'waiting-external',
  'completed',
  'failed',
  'cancelled',
];

/** The list of runs, newest first, with its search. */
export function RunList({ list, query }: { readonly list: Listed; readonly query: ListQuery }) {
  return (
    <>
      <h1>Runs</h1>
      <form class="bar" method="get" action="/" role="search" data-go>
        <label for="search">Run or workflow</label>
        <input id="search" type="search" name="search" value={query.search ?? ''} />
        <label for="status">Status</label>
        <select id="status" name="status">
          <option value="">any</option>
          {STATUSES.map((status) => (
            <option value={status} selected={query.status === status}>
              {status}
            </option>
          ))}
        </select>
        <button type="submit">Search</button>
      </form>
      {query.parentRunId === undefined ? null : (
        <p>
          Forks of <a href={runPage(query.parentRunId)}>{text(query.parentRunId)}</a> only. <a href="/">All runs</a>
        </p>
      )}
      {list.runs.length === 0 ? <p class="empty">No run.</p> : <Table runs={list.runs} />}
      {list.next === undefined ? null : (
        <p>
          <a href={listPage({ ...query, before: list.next })}>Older runs</a>
        </p>
      )}
    </>
  );
}

function Table({ runs }: { readonly runs: readonly RunLink[] }) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label="List of runs">
      <table class="runs">
        <thead>
          <tr>
            <th scope="col">Workflow</th>
            <th scope="col">Status</th>
            <th scope="col">Started</th>
            <th scope="col">Forks</th>
            <th scope="col">Run</th>
          </tr>
        </thead>
        <tbody>
          {runs.map((run) => (
            <Row run={run} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ run }: { readonly run: RunLink }) {
  const { runId, parentRunId, forkMode, fromSeq, forks = 0 } = run;
  return (
    <tr>
      <td>
        {text(run.workflowId ?? '–', 80)}
        {run.label === undefined ? null : <div class="muted">{text(run.label, 120)}</div>}
      </td>
      <td>
        <Status status={run.status} />
      </td>
      <td data-age>
        <Time at={run.startedAt} />
      </td>
      <td>{forks === 0 ? <span class="muted">0</span> : <a href={listPage({ parentRunId: runId })}>{forks}</a>}</td>
      <td>
        <a href={runPage(runId)} class="id">
          {text(runId, 80)}
        </a>
        {parentRunId === undefined ? null : (
          <div class="muted">
            {text(forkMode ?? 'child', 20)}
            {fromSeq === undefined ? '' : ` from ${fromSeq}`} of{' '}
            <a href={runPage(parentRunId)} class="id">
              {text(parentRunId, 80)}
            </a>
          </div>
        )}
      </td>
    </tr>
  );
}
