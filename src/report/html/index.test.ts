import { describe, expect, it } from 'vitest';
import { bodyOf, exchanged } from '../../../test/records.ts';
import type { CheckReport, Report } from '../../contract/report.ts';
import type { EvidenceRecord, Json } from '../../evidence/types.ts';
import { checkReport, RED } from '../../../test/sample-reports.ts';
import { renderHtml } from './index.tsx';

const CHECK = checkReport('fork.created', 'fail', {
  suite: 'fork-contract',
  title: 'A replay is made',
  expected: '201',
  actual: '200',
  evidence: ['x1'],
  reproduce: 'curl http://h/',
});

function reportOf(checks: readonly CheckReport[], more: Partial<Report> = {}): Report {
  const target = { ...RED.target, baseUrl: 'http://h' };
  const suites = [{ id: 'fork-contract', verdict: 'non-conformant', counts: RED.counts }] as const;
  return { ...RED, target, suites, checks, ...more };
}

function exchange(id: string, body: string): EvidenceRecord {
  const headers = { 'content-type': 'application/json' };
  return exchanged({
    id,
    request: { method: 'POST', url: 'http://h/v1/runs?x=1', headers: { authorization: 'Bearer $KEY' } },
    answer: { kind: 'response', status: 200, headers, body: bodyOf(body) },
    durationMs: 3,
  });
}

function run(id: string, members: { readonly [name: string]: Json }): EvidenceRecord {
  const observation = { type: 'run', exchanges: ['x1'], snapshot: { status: 'completed' }, ...members };
  return { kind: 'observation', id, scenario: 's', observation };
}

function log(runId: string, nonce: string): Json {
  const timestamp = '2026-01-01T00:00:00.000Z';
  return ['run.started', 'variable.changed', 'run.completed'].map((type, sequence) => ({
    eventId: `${runId}-${sequence}`,
    runId,
    sequence,
    type,
    timestamp,
    payload: type === 'variable.changed' ? { name: 'v', value: nonce } : {},
  }));
}

function many(characters: number): readonly CheckReport[] {
  return Array.from({ length: 260 }, (_, index) => ({
    ...CHECK,
    id: `check-${index}`,
    expected: 'é'.repeat(characters),
    evidence: [`x${index}`],
  }));
}

describe('the page of a report', () => {
  it('shows the verdict, of whom, each failure with both sides, its clause, its diagnosis and how it is shown again', () => {
    const diagnosis = { code: 'ok-not-created', message: 'a fork is made with 201' };
    const resting = { ...CHECK, id: 'fork.source-untouched', verdict: 'inconclusive', restsOn: CHECK.id } as const;
    const html = renderHtml(reportOf([{ ...CHECK, diagnosis }, resting]), [exchange('x1', '{"a":1}')]);
    for (const part of [
      'non-conformant (exit code 1)',
      'http://h',
      'id="check=fork.created"',
      '201 with runId',
      'ok-not-created',
      'a fork is made with 201',
      '1 check rests',
      'curl http://h/',
      '/v1/runs?x=1',
      'curl -sS -i -X POST ',
      '→ 200',
      'content-type: application/json',
      '&quot;a&quot;: 1',
      'Bearer $KEY',
    ]) {
      expect(html).toContain(part);
    }
  });

  it('puts failures of one cause together, what most rests on first, and says each cause once', () => {
    const diagnosis = { code: 'shared-run-id', message: 'two runs have one id' };
    const resting = { ...CHECK, id: 'fork.visible', verdict: 'inconclusive', restsOn: 'fork.invisible-run' } as const;
    const html = renderHtml(
      reportOf([
        { ...CHECK, diagnosis: { code: 'other', message: 'something else' } },
        { ...CHECK, id: 'fork.source-untouched', diagnosis: { ...diagnosis, message: 'two runs have one id: r1' } },
        { ...CHECK, id: 'fork.invisible-run', diagnosis },
        resting,
      ]),
    );
    expect(html.split('<section class="cause">')).toHaveLength(3);
    expect(html).toMatch(/2 checks fail for it\. Fix it first: 1 check rests on it\..*explain shared-run-id/su);
    expect(html.indexOf('shared-run-id')).toBeLessThan(html.indexOf('something else'));
    expect(html.split(`${diagnosis.message}<`)).toHaveLength(2);
  });

  it('lists suites with their figures, known failures and advice apart from what is red', () => {
    const known = { ...CHECK, id: 'fork.invisible-run', known: { reason: 'fixed in 2.0' } };
    const advice = { ...CHECK, id: 'fork.source-untouched', level: 'SHOULD' } as const;
    const html = renderHtml(reportOf([known, advice]));
    expect(html).toContain('<h2 id="known">Known failures: 1</h2>');
    expect(html).toContain('known: fixed in 2.0');
    expect(html).toContain('<h2 id="advice">Advice: 1</h2>');
    expect(html).toContain('href="#suite=fork-contract"');
    expect(html).not.toContain('id="red"');
  });

  it('puts what is not decided together by reason, the most frequent first', () => {
    const open = { ...CHECK, verdict: 'inconclusive' } as const;
    const html = renderHtml(
      reportOf([
        { ...open, id: 'fork.unknown-run', reason: 'no such seam' },
        { ...open, id: 'fork.visible', reason: 'no fixture' },
        { ...open, id: 'fork.source-untouched', reason: 'no fixture' },
      ]),
    );
    expect(html).toContain('Not decided: 3');
    expect(html.split('<span class="figure">2</span> no fixture')).toHaveLength(2);
    expect(html.indexOf('no fixture')).toBeLessThan(html.indexOf('no such seam'));
  });

  it('has a policy that lets nothing in but its own style and script, and names no other place', () => {
    const html = renderHtml(reportOf([CHECK]));
    expect(html).toMatch(
      /content="default-src &#39;none&#39;; style-src &#39;sha256-[\w+/]+=*&#39;; script-src &#39;sha256-[\w+/]+=*&#39;; img-src data:; base-uri &#39;none&#39;; form-action &#39;none&#39;"/u,
    );
    expect(html.match(/(?:src|href|action)="(?!#|data:)[^"]*"/gu)).toBeNull();
    expect(html).not.toMatch(/\son\w+=|style="/u);
  });

  it('puts a source and its replay side by side where their logs differ', () => {
    const fork = { sourceRunId: 'run_a', mode: 'replay', fromSeq: null };
    const records = [
      run('o1', { role: 'source', fork: null, runId: 'run_a', events: log('run_a', 'one') }),
      run('o2', { role: 'replay', fork, runId: 'run_b', events: log('run_b', 'two') }),
      exchange('x1', '{}'),
    ];
    const html = renderHtml(reportOf([{ ...CHECK, evidence: ['o2', 'o1'] }]), records);
    expect(html).toContain('The logs side by side');
    expect(html).toContain('id="fork.created:first"');
    expect(html).toContain('/payload/value');
    const same = [
      run('o2', { role: 'replay', fork, runId: 'run_b', events: log('run_b', 'one') }),
      ...records.slice(0, 1),
    ];
    expect(renderHtml(reportOf([{ ...CHECK, evidence: ['o2', 'o1'] }]), same)).not.toContain('side by side');
  });

  it('marks what differs in values that both sides hold', () => {
    const html = renderHtml(reportOf([{ ...CHECK, expected: 'it has {"a":1,"b":2}', actual: 'it has {"a":1,"b":3}' }]));
    expect(html).toContain('class="json diff"');
    expect(html).toMatch(/<del>.*2.*<\/del>.*<ins>.*3.*<\/ins>/su);
  });

  it('shows the crash matrix with a sign for each outcome, and the run behind a cell', () => {
    const cell = { cut: 'after-execute@1', second: null, window: '2', calls: 1, cycleMs: 5 } as const;
    const found = { stream: 'started', ledger: 'INFLIGHT', effect: false };
    const figures = { cuts: 1, pairs: 0, duplicateCalls: 0, lostEvents: 0, medianCycleMs: 5 };
    const crashMatrix = { points: [], cells: [{ ...cell, found, outcome: 'failed' as const }], figures };
    const cut = { name: 'after-execute', hit: 1 };
    const observation = { type: 'cell', exchanges: [], cut, second: null, runId: 'run_c', log: log('run_c', 'x') };
    const records: readonly EvidenceRecord[] = [{ kind: 'observation', id: 'o1', scenario: 's', observation }];
    const html = renderHtml(reportOf([CHECK], { crashMatrix }), records);
    for (const part of ['▽', 'failed, calls: ', 'ledger INFLIGHT', 'run_c', 'variable.changed'])
      expect(html).toContain(part);
  });

  it.each([
    ['markup', '<script>alert(1)</script><img src=x onerror=alert(1)>'],
    ['quotes', '" onmouseover="alert(1)'],
    ['hidden characters', 'a\u202Eb\u200Bc\u001B[31md\u0000e\uD800'],
    ["a pipeline's commands", '\n::error::x :::: ##vso[task.complete]y ###[z]'],
  ])('shows %s of a host as text', (_, hostile) => {
    const check = {
      ...CHECK,
      title: hostile,
      expected: hostile,
      actual: `${hostile}: ${JSON.stringify({ [hostile]: hostile })}`,
      reason: hostile,
      diagnosis: { code: hostile, message: hostile },
      reproduce: hostile,
    };
    const target = { ...reportOf([]).target, baseUrl: hostile, implementation: hostile };
    const records = [exchange('x1', JSON.stringify({ [hostile]: hostile })), exchange('x2', hostile)];
    const html = renderHtml(reportOf([{ ...check, evidence: ['x1', 'x2'] }], { target }), records);
    expect(html).not.toMatch(/<script>alert|<img|"\s*onmouseover|[\u202E\u200B\u001B\u0000]/u);
    expect(html.replaceAll(/<(style|script)>[^]*?<\/\1>/gu, '')).not.toMatch(/::|##[\w.-]*\[/u);
    expect(html.isWellFormed()).toBe(true);
  });

  it('holds at most 1 MB: what was recorded is left out first, then whole checks', () => {
    const records = Array.from({ length: 260 }, (_, index) => exchange(`x${index}`, 'é'.repeat(100_000)));
    const some = renderHtml(reportOf(many(10)), records);
    expect(Buffer.byteLength(some)).toBeLessThan(1_000_000);
    expect(some).toContain('What was recorded is in the evidence file.');
    expect(some).toContain('id="check=check-259"');
    const less = renderHtml(reportOf(many(8_000)), records);
    expect(Buffer.byteLength(less)).toBeLessThan(1_000_000);
    expect(less).toMatch(/\d+ more stand in the table below/u);
    expect(less).toContain('id="check=check-259"');
  });

  it('is a headline alone where nothing was judged', () => {
    const preflight = { code: 'unreachable', message: 'nobody listens at http://h' };
    const stopped = { ...CHECK, verdict: 'inconclusive', reason: preflight.message } as const;
    const html = renderHtml(reportOf([stopped], { preflight, verdict: 'inconclusive', exitCode: 3 }));
    expect(html).toContain('nobody listens at http://h');
    expect(html).not.toContain('All suites');
  });
});
