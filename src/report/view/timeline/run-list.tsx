import { listPage, runPage } from './links.ts';
import type { ListQuery, RunLink, RunList as Listed } from './model.ts';
import { WideTable } from '../table.tsx';
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
      {list.runs.length === 0 ? (
        <p class="empty">No run.</p>
      ) : (
        <WideTable kind="runs" label="List of runs" columns={['Workflow', 'Status', 'Started', 'Forks', 'Run']}>
          <tbody>
            {list.runs.map((run) => (
              <Row run={run} />
            ))}
          </tbody>
        </WideTable>
      )}
      {list.next === undefined ? null : (
        <p>
          <a href={listPage({ ...query, before: list.next })}>Older runs</a>
        </p>
      )}
    </>
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
