import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, replayCalled, runCalled, say, verdictOf } from '../../test/recorded-runs.ts';
import { deepLinks } from './deep-links.ts';

const LOG = [say('run.started'), say('run.completed')];
const SOURCE = runCalled('src', LOG);
const CONTROL = replayCalled('control', LOG, { role: 'replay by a request' });
const WANTED = { mode: 'replay', fromSeq: 1 };
const PAGE = {
  link: 'fork',
  runId: 'src',
  wanted: WANTED,
  path: '/runs/src?fork=replay&fromSeq=1',
  problem: null,
  answered: 200,
  namesEndpoint: true,
  requests: [WANTED],
  hasScript: true,
  showsEvent: true,
};

let pages = 0;
function page(more: object = {}): Recorded<Observation> {
  pages += 1;
  return observed(`p${pages}`, 'timeline-page', { ...PAGE, ...more });
}

function listed(children: readonly string[], problem: string | null = null): Recorded<Observation> {
  return observed('l', 'timeline-list', { runId: 'src', problem, children });
}

describe('timeline.deep-links', () => {
  const judge = (...recorded: readonly Recorded<Observation>[]): string =>
    verdictOf(deepLinks, 'timeline.deep-links', [SOURCE, CONTROL, ...recorded]);

  it('passes where each deep link shows its own request', () => {
    expect(judge(page())).toBe('pass');
    const branch = { mode: 'branch', fromSeq: 0 };
    expect(judge(page(), page({ wanted: branch, requests: [branch, WANTED] }))).toBe('pass');
  });

  it('fails where one shows another request, or none', () => {
    expect(judge(page({ requests: [{ ...WANTED, fromSeq: 2 }] }))).toBe('fail deep-link-elsewhere');
    expect(judge(page(), page({ requests: [{ ...WANTED, mode: 'branch' }] }))).toBe('fail deep-link-elsewhere');
    expect(judge(page({ requests: [], namesEndpoint: false }))).toBe('fail deep-link-missing');
    expect(judge(page({ namesEndpoint: false }))).toBe('fail deep-link-missing');
  });

  it('is undecided where no page can be read, or the request in it cannot', () => {
    expect(judge()).toBe('inconclusive');
    expect(judge(page({ problem: 'GET answered 404', answered: 404, requests: [] }))).toBe('inconclusive');
    expect(judge(page({ requests: [] }))).toBe('inconclusive');
    expect(judge(page({ wanted: null }))).toBe('inconclusive');
    expect(verdictOf(deepLinks, 'timeline.deep-links', [page()])).toBe('inconclusive');
  });

  it('looks at the run’s page where no deep link is advertised: what a script may add decides nothing', () => {
    const run = (more: object = {}) =>
      page({ link: 'run', wanted: null, namesEndpoint: false, requests: [], hasScript: false, ...more });
    expect(judge(run({ namesEndpoint: true }))).toBe('pass');
    expect(judge(run({ requests: [WANTED] }))).toBe('pass');
    expect(judge(run())).toBe('fail deep-link-missing');
    expect(judge(run({ hasScript: true }))).toBe('inconclusive');
    expect(judge(run({ showsEvent: false }))).toBe('inconclusive');
    expect(judge(run({ problem: 'GET answered 401' }))).toBe('inconclusive');
  });
});

describe('timeline.deep-links.looking', () => {
  const judge = (...recorded: readonly Recorded<Observation>[]): string =>
    verdictOf(deepLinks, 'timeline.deep-links.looking', [SOURCE, ...recorded]);

  it('passes where the list shows the fork of the request alone', () => {
    expect(judge(page(), CONTROL, listed(['control']))).toBe('pass');
  });

  it('fails where it shows others, whatever became of the request', () => {
    expect(judge(page(), CONTROL, listed(['control', 'other']))).toBe('fail forked-by-looking');
    expect(judge(page(), CONTROL, listed(['other']))).toBe('fail forked-by-looking');
  });

  it('is undecided without a list that shows the fork of the request, and where nothing was looked at', () => {
    expect(judge(page(), CONTROL)).toBe('inconclusive');
    expect(judge(page(), CONTROL, listed([]))).toBe('inconclusive');
    expect(judge(page(), CONTROL, listed([], 'GET answered 404'))).toBe('inconclusive');
    expect(judge(CONTROL, listed(['control']))).toBe('inconclusive');
    expect(judge(page({ problem: 'GET answered 404' }), CONTROL, listed(['control']))).toBe('inconclusive');
    expect(judge(page(), listed([]))).toBe('inconclusive');
  });
});
