import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { fork } from '../../test/fork-observations.ts';
import { readReport, reportPath } from './score-report.ts';

const REPORT = { matchedEvents: 1, comparedEvents: 1, score: 1 };

function probeWith(document: unknown, answers: readonly (readonly [status: number, body: unknown])[]) {
  const asked: string[] = [];
  const exchange = ({ path }: { readonly path: string }): Promise<Exchange> => {
    const [status, value] = answers[Math.min(asked.length, answers.length - 1)] ?? [404, {}];
    asked.push(path);
    const common = { id: `x${asked.length}`, kind: 'response', headers: {}, text: '' } as const;
    return Promise.resolve({ ...common, status, json: { ok: true, value } });
  };
  const probe = { host: { exchange }, discovery: document, signal: new AbortController().signal };
  return { probe: probe as unknown as Probe, asked };
}

const at = (path: unknown) => ({ replay: { supported: true, determinismReport: { supported: true, path } } });

describe('where a report is read', () => {
  it.each([
    [at('/v2/reports/{runId}?full=1'), '/v2/reports/r%2F1?full=1'],
    [at('/v2/reports'), '/v1/runs/r%2F1/determinism'],
    [at('//elsewhere.example/{runId}'), '/v1/runs/r%2F1/determinism'],
    [at('https://elsewhere.example/{runId}'), '/v1/runs/r%2F1/determinism'],
    [at(7), '/v1/runs/r%2F1/determinism'],
    [{}, '/v1/runs/r%2F1/determinism'],
    [undefined, '/v1/runs/r%2F1/determinism'],
  ])('%j: %s', (document, path) => {
    expect(reportPath(document, 'r/1')).toBe(path);
  });
});

describe('reading a report', () => {
  const replay = fork('replay', 'run_b');

  it('takes the answer as it is or one member below, and waits for one that is not made yet', async () => {
    const plain = probeWith({}, [
      [409, {}],
      [200, REPORT],
    ]);
    expect(await readReport(plain.probe, replay)).toMatchObject({ problem: null, report: REPORT });
    expect(plain.asked).toHaveLength(2);
    const below = probeWith({}, [[200, { report: REPORT }]]);
    expect(await readReport(below.probe, replay)).toMatchObject({ problem: null, report: REPORT });
  });

  it("takes the snapshot's where no path is advertised", async () => {
    const { probe, asked } = probeWith({}, [[404, {}]]);
    const shown = { ...replay, snapshot: { status: 'completed', determinismReport: REPORT } };
    expect(await readReport(probe, shown)).toMatchObject({ problem: null, report: REPORT });
    expect(asked).toEqual([]);
  });

  it('says why there is none', async () => {
    const { probe } = probeWith({}, [[500, { score: 'x' }]]);
    expect((await readReport(probe, replay)).problem).toContain('answered 500');
    const strange = probeWith({}, [[200, [1, 2]]]);
    expect((await readReport(strange.probe, replay)).problem).toContain('without a report');
    expect((await readReport(strange.probe, { ...replay, runId: null })).problem).toBe('the replay was not seen');
  });
});
