import { describe, expect, it } from 'vitest';
import type { CheckReport, Report } from '../contract/report.ts';
import { renderJunit } from './junit.ts';
import { renderTerminal } from './terminal.ts';

const should: CheckReport = {
  id: 'fork.unadvertised-mode',
  suite: 'fork-contract',
  scenario: 'fork.unadvertised-mode',
  requirement: 'fork.unadvertised-mode',
  level: 'SHOULD',
  verdict: 'fail',
  title: 'A mode that is not offered is refused',
  actual: '201',
  evidence: ['o1'],
  durationMs: 1,
};

function report(level: 'must' | 'should'): Report {
  return {
    reportVersion: 1,
    tool: { name: 'openwop-conformance', version: '0' },
    target: {
      baseUrl: 'http://h',
      implementation: null,
      discoverySha256: null,
      executionModelVersion: null,
      recipeAdvertised: null,
      recipeObserved: null,
    },
    options: { level },
    verdict: level === 'must' ? 'conformant' : 'non-conformant',
    exitCode: level === 'must' ? 0 : 1,
    counts: { pass: 0, fail: 1, inconclusive: 0, notApplicable: 0, error: 0 },
    suites: [],
    nextSteps: [],
    requirements: [],
    checks: [should],
    startedAt: '2026-01-01T00:00:00.000Z',
    durationMs: 1,
  };
}

describe('a failed SHOULD row', () => {
  it('is advice where only MUST rows decide', () => {
    const page = renderTerminal(report('must'), { color: false });
    expect(page).toContain('advice fork.unadvertised-mode (SHOULD)');
    expect(page).toContain('fork-contract  1 advice');
    expect(page).not.toContain('FAIL');
    expect(renderJunit(report('must'))).toContain('<skipped message="advice (SHOULD): 201"/>');
    expect(renderJunit(report('must'))).toContain('failures="0"');
  });

  it('is a failure where SHOULD rows decide too', () => {
    expect(renderTerminal(report('should'), { color: false })).toContain('FAIL fork.unadvertised-mode (SHOULD)');
    expect(renderJunit(report('should'))).toContain('<failure message="201"');
    expect(renderJunit(report('should'))).toContain('failures="1"');
  });
});
