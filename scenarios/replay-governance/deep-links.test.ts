import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { judgementIn, observed, replayCalled, runCalled, say, verdictOf } from '../../test/recorded-runs.ts';
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

function linked(...recorded: readonly Recorded<Observation>[]): string {
  return verdictOf(deepLinks, 'timeline.deep-links', [SOURCE, CONTROL, ...recorded]);
}

function looked(...recorded: readonly Recorded<Observation>[]): string {
  return verdictOf(deepLinks, 'timeline.deep-links.looking', [SOURCE, ...recorded]);
}

/** Why nothing is known of looking at pages. */
function told(...seen: readonly Recorded<Observation>[]): string {
  const all = [SOURCE, ...seen, CONTROL, listed(['control'])];
  return judgementIn(deepLinks, 'timeline.deep-links.looking', all).reason ?? '';
}

/** The run's own page, without anything that leads to a fork. */
function runPage(more: object = {}): Recorded<Observation> {
  return page({ link: 'run', wanted: null, namesEndpoint: false, requests: [], hasScript: false, ...more });
}

describe('timeline.deep-links', () => {
  it('passes where each deep link shows its own request', () => {
    expect(linked(page())).toBe('pass');
    const branch = { mode: 'branch', fromSeq: 0 };
    expect(linked(page(), page({ wanted: branch, requests: [branch, WANTED] }))).toBe('pass');
  });

  it('fails where one shows another request, or none', () => {
    expect(linked(page({ requests: [{ ...WANTED, fromSeq: 2 }] }))).toBe('fail deep-link-elsewhere');
    expect(linked(page(), page({ requests: [{ ...WANTED, mode: 'branch' }] }))).toBe('fail deep-link-elsewhere');
    expect(linked(page({ requests: [], namesEndpoint: false }))).toBe('fail deep-link-missing');
    expect(linked(page({ namesEndpoint: false }))).toBe('fail deep-link-missing');
  });

  it('is asked of the first event as of any other, of which the request may leave out where it begins', () => {
    const first = { path: '/runs/src?fork=replay&fromSeq=0', wanted: { mode: 'replay', fromSeq: 0 } };
    expect(linked(page(), page({ ...first, requests: [first.wanted] }))).toBe('pass');
    expect(linked(page(), page({ ...first, requests: [] }))).toBe('pass');
    expect(linked(page(), page(first))).toBe('fail deep-link-elsewhere');
    expect(linked(page(), page({ ...first, requests: [], namesEndpoint: false }))).toBe('fail deep-link-missing');
  });

  it('is undecided where no page can be read, or the request in it cannot', () => {
    expect(linked()).toBe('inconclusive');
    expect(linked(page({ problem: 'GET answered 404', answered: 404, requests: [] }))).toBe('inconclusive');
    expect(linked(page({ requests: [] }))).toBe('inconclusive');
    expect(linked(page({ wanted: null }))).toBe('inconclusive');
    expect(verdictOf(deepLinks, 'timeline.deep-links', [page()])).toBe('inconclusive');
  });

  it('looks at the run’s page where no deep link is advertised: what a script may add decides nothing', () => {
    expect(linked(runPage({ namesEndpoint: true }))).toBe('pass');
    expect(linked(runPage({ requests: [WANTED] }))).toBe('pass');
    expect(linked(runPage())).toBe('fail deep-link-missing');
    expect(linked(runPage({ hasScript: true }))).toBe('inconclusive');
    expect(linked(runPage({ showsEvent: false }))).toBe('inconclusive');
    expect(linked(runPage({ problem: 'GET answered 401' }))).toBe('inconclusive');
  });

  it('looks at the page of an event, too: either may have the request', () => {
    const eventPage = (more: object = {}) => runPage({ link: 'event', path: '/runs/src/events/e', ...more });
    expect(linked(runPage({ linksOn: true }), eventPage({ namesEndpoint: true, requests: [WANTED] }))).toBe('pass');
    expect(linked(runPage({ requests: [WANTED] }), eventPage())).toBe('pass');
    expect(linked(runPage({ linksOn: true }), eventPage({ linksOn: true }))).toBe('fail deep-link-missing');
    expect(linked(eventPage())).toBe('fail deep-link-missing');
    expect(linked(runPage(), eventPage({ hasScript: true }))).toBe('inconclusive');
    expect(linked(runPage({ problem: 'GET answered 401' }), eventPage())).toBe('inconclusive');
    expect(linked(runPage({ linksOn: true }), eventPage({ problem: 'GET answered 404' }))).toBe('inconclusive');
  });

  it('leaves open how the other pages lead to a deep link, and is undecided where there are none', () => {
    expect(linked(page(), runPage())).toBe('pass');
    expect(linked(page(), runPage({ problem: 'GET answered 404' }))).toBe('inconclusive');
    expect(linked(page({ requests: [{ ...WANTED, fromSeq: 2 }] }), runPage({ problem: 'GET answered 404' }))).toBe(
      'fail deep-link-elsewhere',
    );
  });

  it('is undecided where what it read leads to pages that it did not', () => {
    expect(linked(runPage({ linksOn: true }))).toBe('inconclusive');
    expect(linked(runPage({ linksToFork: true }))).toBe('inconclusive');
    expect(linked(runPage({ linksOn: false, linksToFork: false }))).toBe('fail deep-link-missing');
  });
});

describe('timeline.deep-links.looking', () => {
  it('passes where the list shows the fork of the request alone', () => {
    expect(looked(page(), CONTROL, listed(['control']))).toBe('pass');
  });

  it('fails where it shows others, whatever became of the request', () => {
    expect(looked(page(), CONTROL, listed(['control', 'other']))).toBe('fail forked-by-looking');
    expect(looked(page(), CONTROL, listed(['one', 'other']))).toBe('fail forked-by-looking');
    expect(looked(page(), listed(['one', 'other']))).toBe('fail forked-by-looking');
  });

  it('fails where looking at the page of the run, or of an event, has forked', () => {
    expect(looked(page(), runPage(), CONTROL, listed(['control', 'other']))).toBe('fail forked-by-looking');
    expect(looked(runPage(), CONTROL, listed(['control', 'other']))).toBe('fail forked-by-looking');
    expect(looked(runPage(), CONTROL, listed(['control']))).toBe('inconclusive');
    expect(looked(page(), runPage({ problem: 'GET answered 404' }), CONTROL, listed(['control']))).toBe('pass');
    const seen = [page(), runPage()];
    const all = [SOURCE, ...seen, CONTROL, listed(['control', 'other'])];
    expect(judgementIn(deepLinks, 'timeline.deep-links.looking', all).steps).toEqual([
      'l',
      ...seen.map(({ id }) => id),
      'l',
    ]);
  });

  it('says of a deep link that is advertised why it was not looked at', () => {
    const failed = page({ problem: 'GET /runs/src answered 500', answered: 500 });
    expect(told(failed, runPage())).toMatch(/^GET \/runs\/src answered 500: answer/u);
    expect(told(runPage())).toMatch(/^no deep link was looked at: advertise fork in/u);
  });

  it('is undecided without a list that shows the fork of the request, and where nothing was looked at', () => {
    expect(looked(page(), CONTROL)).toBe('inconclusive');
    expect(looked(page(), CONTROL, listed([]))).toBe('inconclusive');
    expect(looked(page(), CONTROL, listed(['one']))).toBe('inconclusive');
    const unnamed = { ...CONTROL, runId: null, problem: 'the answer names no runId' };
    expect(looked(page(), unnamed, listed(['one']))).toBe('inconclusive');
    expect(looked(page(), CONTROL, listed([], 'GET answered 404'))).toBe('inconclusive');
    expect(looked(CONTROL, listed(['control']))).toBe('inconclusive');
    expect(looked(page({ problem: 'GET answered 404' }), CONTROL, listed(['control']))).toBe('inconclusive');
    expect(looked(page(), listed([]))).toBe('inconclusive');
  });
});
