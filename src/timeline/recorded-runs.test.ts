import { describe, expect, it } from 'vitest';
import type { EvidenceRecord } from '../evidence/types.ts';
import { recordTimeline } from './index.ts';
import { recordedRuns, runOfLog, runsIn } from './recorded-runs.ts';

function event(runId: string, sequence: number, type: string): object {
  const timestamp = `2026-01-0${sequence + 1}T00:00:00Z`;
  return { eventId: `${runId}-${sequence}`, runId, sequence, type, timestamp, payload: {} };
}

function recorded(runId: string | null, more: object): EvidenceRecord {
  const observation = { type: 'run', exchanges: [], role: 'source', fork: null, runId, snapshot: null, ...more };
  return { kind: 'observation', id: `o-${JSON.stringify(more).length}`, scenario: 'some.scenario', observation };
}

const LOG = [event('a', 0, 'run.started'), event('a', 1, 'run.completed')];
const SNAPSHOT = {
  runId: 'a',
  workflowId: 'w',
  status: 'failed',
  startedAt: '2026-01-01',
  completedAt: '2026-01-02',
  error: { code: 'bad' },
};

describe('runsIn', () => {
  it('finds each run that was seen with a log once, as it was seen longest', () => {
    const runs = runsIn([
      recorded('a', { events: LOG.slice(0, 1), snapshot: SNAPSHOT }),
      recorded('a', { events: LOG, snapshot: SNAPSHOT }),
      recorded('b', { events: [] }),
      recorded(null, { events: LOG }),
      recorded('c', { type: 'reading', events: LOG }),
      recorded('d', {
        events: [event('d', 0, 'run.started')],
        fork: { sourceRunId: 'a', mode: 'branch', fromSeq: 3 },
        workflowId: 'own',
      }),
    ]);
    expect(runs.map(({ head, events }) => [head, events().length])).toEqual([
      [
        {
          runId: 'a',
          label: 'source, some.scenario',
          children: [],
          workflowId: 'w',
          status: 'failed',
          startedAt: '2026-01-01',
          completedAt: '2026-01-02',
          error: 'bad',
        },
        2,
      ],
      [
        {
          runId: 'd',
          label: 'source, some.scenario',
          children: [],
          workflowId: 'own',
          startedAt: '2026-01-01T00:00:00Z',
          parentRunId: 'a',
          forkMode: 'branch',
          fromSeq: 3,
        },
        1,
      ],
    ]);
  });

  it('reads odd records without harm', () => {
    const odd = [{ events: LOG, snapshot: 7, fork: 'x', role: {} }, { events: 'none' }, { events: [null, 1, []] }];
    expect(runsIn(odd.map((more) => recorded('a', more)))).toHaveLength(1);
  });
});

describe('recordedRuns', () => {
  const source = runOfLog(LOG, 'one.ndjson');
  const replay = runOfLog([event('b', 2, 'run.started')], 'two.ndjson', source);
  const runs = recordedRuns([source, replay]);
  const ids = async (query: Parameters<typeof runs.list>[0]): Promise<readonly string[]> => {
    const list = await runs.list(query);
    return list.ok ? list.value.runs.map(({ runId }) => runId) : [];
  };

  it('lists the newest first, in pages, narrowed by what is asked', async () => {
    expect(await ids({})).toEqual(['b', 'a']);
    expect(await ids({ limit: 1 })).toEqual(['b']);
    expect(await runs.list({ limit: 1 })).toMatchObject({ value: { next: 'b' } });
    expect(await ids({ before: 'b' })).toEqual(['a']);
    expect(await ids({ search: 'TWO' })).toEqual(['b']);
    expect(await ids({ status: 'completed' })).toEqual(['a']);
    expect(await ids({ parentRunId: 'a' })).toEqual(['b']);
  });

  it('gives a run with its log and its forks, and no other', async () => {
    expect(await runs.read('a')).toMatchObject({
      value: { events: LOG, head: { forks: 1, children: [{ runId: 'b' }] } },
    });
    expect(await runs.read('b')).toMatchObject({ value: { head: { parentRunId: 'a', forkMode: 'replay' } } });
    expect(await runs.read('c')).toMatchObject({ ok: false, status: 404 });
  });

  it('tells two logs of one run id apart', () => {
    expect(runOfLog(LOG, 'again.ndjson', source).head.runId).toBe('a (replay)');
  });
});

describe('recordTimeline', () => {
  const { fetch } = recordTimeline([runOfLog(LOG, 'one.ndjson')], { isOwn: (host) => host === 'own' });
  const status = async (path: string, host: string, method = 'GET'): Promise<number> =>
    (await fetch(new Request(`http://${host}${path}`, { method, headers: { host } }))).status;

  it('answers under its own name alone, and nothing that is no page', async () => {
    expect(await status('/', 'own')).toBe(200);
    expect(await status('/runs/a', 'own')).toBe(200);
    expect(await status('/runs/a', 'evil')).toBe(421);
    expect(await status('/ui/timeline.js', 'evil')).toBe(421);
    expect(await status('/v1/runs/a', 'own')).toBe(404);
    expect(await status('/', 'own', 'POST')).toBe(404);
  });

  it('asks for no credential, and shows the command instead of a button', async () => {
    const page = await (
      await fetch(new Request('http://own/runs/a?fork=replay&fromSeq=1', { headers: { host: 'own' } }))
    ).text();
    expect(page).not.toContain('sign-in');
    expect(page).not.toContain('data-fork');
    expect(page).toContain('curl -sS -X POST &#39;https://host.example/v1/runs/a:fork&#39;');
  });
});
