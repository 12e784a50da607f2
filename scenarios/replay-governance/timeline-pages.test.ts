import { describe, expect, it } from 'vitest';
import type { Exchange, HostRequest } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { readMarkup } from './markup.ts';
import { factsOf, readForkList, readPage, timelinePath } from './timeline-pages.ts';

function probeOf(
  timeline: object,
  answer: Partial<Extract<Exchange, { kind: 'response' }>> = {},
  baseUrl = 'http://host.test',
): { readonly probe: Probe; readonly sent: HostRequest[] } {
  const sent: HostRequest[] = [];
  const exchange = (request: HostRequest): Promise<Exchange> => {
    sent.push(request);
    const json = { ok: false, why: 'malformed-json', message: '' } as const;
    const headers = { 'content-type': 'text/html; charset=utf-8' };
    return Promise.resolve({ id: 'x1', kind: 'response', status: 200, headers, text: '', json, ...answer });
  };
  const discovery = { extensions: { 'x-openwop-run-timeline': { supported: true, ...timeline } } };
  return { probe: { host: { baseUrl, exchange }, discovery } as unknown as Probe, sent };
}

describe('where a page of the view stands', () => {
  it.each([
    ['/runs/{runId}?fork={mode}&fromSeq={fromSeq}', '/runs/r%2F1?fork=replay&fromSeq=4'],
    ['http://host.test/ui/{runId}#{fromSeq}', '/ui/r%2F1'],
    ['runs/{runId}', '/runs/r%2F1'],
    ['https://host.test/{runId}', null],
    ['http://other.test/{runId}', null],
    ['//other.test/{runId}', null],
    ['http://user@host.test/{runId}', null],
    ['/runs/{unknown}', null],
    ['javascript:alert(1)', null],
    ['', undefined],
    [7, undefined],
  ])('%j: %s', (fork, path) => {
    const { probe } = probeOf({ fork });
    expect(timelinePath(probe, 'fork', { runId: 'r/1', mode: 'replay', fromSeq: '4' })).toBe(path);
  });

  it('is below the base URL', () => {
    const { probe } = probeOf(
      { run: '/runs/{runId}', fork: 'http://host.test/api/f/{runId}', runs: 'http://host.test/other' },
      {},
      'http://host.test/api',
    );
    expect(timelinePath(probe, 'run', { runId: 'r' })).toBe('/runs/r');
    expect(timelinePath(probe, 'fork', { runId: 'r' })).toBe('/f/r');
    expect(timelinePath(probe, 'runs', {})).toBeNull();
  });
});

function facts(html: string): ReturnType<typeof factsOf> {
  return factsOf(readMarkup(html), { runId: 'r/1', eventId: 'evt-1', path: '/runs/r%2F1' });
}

describe('what a page names', () => {
  it.each([
    ['<pre>POST /v1/runs/r%2F1:fork {"fromSeq":4,"mode":"replay"}</pre>', true],
    [
      '<a href="https://h/v1/runs/r/1%3Afork" data-request="{&quot;mode&quot;: &quot;replay&quot;, &quot;fromSeq&quot;: 4}">',
      true,
    ],
    ['<pre>/v1/runs/r%2F1:fork {<b>"runOptionsOverlay"</b>: {"a": {}}, "fromSeq": 4, "mode": "replay"}</pre>', true],
    ['<form action="/v1/runs/r%2F1:fork"><input name=mode value=replay><input name=fromSeq value=4></form>', true],
    [
      '<form action="/other"><input name=mode value=replay><input name=fromSeq value=4></form> {"fromSeq":4,"mode":"replay"}',
      false,
    ],
    [`curl -d '{"fromSeq":4,"mode":"replay"}' https://h/v1/runs/r%2F1%3afork`, true],
  ])('%s', (html, namesEndpoint) => {
    expect(facts(html)).toMatchObject({ namesEndpoint, requests: [{ mode: 'replay', fromSeq: 4 }] });
  });

  it('is nothing where it stands in a script, a comment or another run’s request', () => {
    const html = `<!-- /v1/runs/r%2F1:fork --><script>fetch('/v1/runs/r%2F1:fork', {"fromSeq":4,"mode":"replay"})</script>
      /v1/runs/r%2F12:fork <a href="?fork=replay&fromSeq=4">evt-1</a> {"fromSeq":"4","mode":"replay"} fromSeq {`;
    const none = { namesEndpoint: false, requests: [], hasScript: true, showsEvent: true };
    expect(facts(html)).toEqual({ ...none, linksOn: true, linksToFork: true });
  });

  it.each<[string, boolean, boolean]>([
    ['<a href="/runs/r%2F1/events/evt-1">evt-1</a>', true, false],
    ['<a href="r%2F1/events/3">evt-1</a>', true, false],
    ['<form action="/events?id=evt-1"><button>More</button></form>', true, false],
    ['<a href="/new?kind=Replay">again</a>', false, true],
    ['<a href="#evt-1">evt-1</a> <a href="/runs/r%2F1">here</a> <a>no</a> <a href="http://[">no</a>', false, false],
    ['<link href="/runs/r%2F1/style"> <a href="/runs">all runs</a> /runs/r%2F1/events/evt-1 fork', false, false],
  ])('%s leads on: %s, to a fork: %s', (html, linksOn, linksToFork) => {
    expect(facts(html)).toMatchObject({ linksOn, linksToFork });
  });

  it('is read in bounds', () => {
    const many = Array.from({ length: 5000 }, (_, fromSeq) => JSON.stringify({ fromSeq, mode: 'replay' }));
    expect(facts(many.join(' ')).requests.length).toBeLessThanOrEqual(100);
    expect(facts('{fromSeq'.repeat(200_000)).requests).toEqual([]);
  });
});

describe('reading a page', () => {
  const wanted = { mode: 'replay', fromSeq: 4 };

  it('asks with the credential for HTML, and says why there is none', async () => {
    const { probe, sent } = probeOf({ fork: '/f/{runId}/{mode}/{fromSeq}' }, { text: '{"fromSeq":4,"mode":"replay"}' });
    const page = await readPage(probe, { link: 'fork', runId: 'r', eventId: 'e', wanted });
    expect(page).toMatchObject({ problem: null, path: '/f/r/replay/4', requests: [wanted] });
    expect(sent).toEqual([{ method: 'GET', path: '/f/r/replay/4', headers: { accept: 'text/html' } }]);
    for (const answer of [
      { status: 404 },
      { status: 302 },
      { headers: { 'content-type': 'application/json' } },
      { headers: {} },
    ]) {
      const none = await readPage(probeOf({ fork: '/f' }, answer).probe, {
        link: 'fork',
        runId: 'r',
        eventId: 'e',
        wanted,
      });
      expect(none.problem).toContain('GET /f answered');
    }
    const elsewhere = probeOf({ fork: 'https://elsewhere.test/{runId}' });
    expect(await readPage(elsewhere.probe, { link: 'fork', runId: 'r', eventId: 'e', wanted })).toMatchObject({
      path: null,
      exchanges: [],
    });
    expect(elsewhere.sent).toEqual([]);
  });
});

describe('the list of forks', () => {
  const runs = [
    { runId: 'a', parentRunId: 'r' },
    { runId: 'a', parentRunId: 'r' },
    { runId: 'b', parentRunId: 'x' },
    { parentRunId: 'r' },
    7,
  ];

  it('holds those that name the run as their parent', async () => {
    const { probe, sent } = probeOf({ runs: '/list?x=1' }, { json: { ok: true, value: { runs } } });
    expect(await readForkList(probe, 'r')).toMatchObject({ problem: null, children: ['a'] });
    expect(sent[0]?.path).toBe('/list?x=1&parentRunId=r');
  });

  it('is none where it is not advertised, or no list', async () => {
    expect(await readForkList(probeOf({}).probe, 'r')).toBeUndefined();
    expect(await readForkList(probeOf({ runs: 'https://elsewhere.test/' }).probe, 'r')).toMatchObject({
      exchanges: [],
    });
    const { probe } = probeOf({ runs: '/list' }, { json: { ok: true, value: { runs: {} } } });
    expect((await readForkList(probe, 'r'))?.problem).toContain('no list of runs');
  });
});
