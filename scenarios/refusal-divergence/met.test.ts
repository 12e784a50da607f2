import { requested } from '../../test/fork-observations.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RefusalObservation } from './observation.ts';
import { describe, expect, it } from 'vitest';
import { runCalled } from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { conformantRuns, observed } from '../../test/refusal-runs.ts';
import { edited, judged, like, OPTIONS, REPLAYS, withSnapshot } from '../../test/refusal-edits.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { validToRefusal } from './directions.ts';
import { endsRefused, saysRefused, shows, showsRefusal } from './met.ts';

const refusedAnew = (run: RunObservation): object => ({
  runId: null,
  answered: 501,
  problem: 'the request was answered with 501',
  events: [],
  snapshot: run.snapshot,
});

describe('what could not be observed', () => {
  const all = Object.keys(judged(observed('mock', {}, { problem: 'no seam' })));

  it('is inconclusive on every check, and says why', () => {
    expect(new Set(Object.values(judged(observed('mock', {}, { problem: 'no seam' }))))).toEqual(
      new Set(['inconclusive']),
    );
    const [first] = validToRefusal.judge(observed('mock', {}, { problem: 'no seam' }), OPTIONS);
    expect(first?.reason).toBe('mock model, conformance-determinism-llm-gate: no seam');
    expect(all).toHaveLength(new Set(validToRefusal.checks.map(({ requirement }) => requirement)).size);
  });

  it('is inconclusive where nothing was driven', () => {
    expect(new Set(Object.values(judged([])))).toEqual(new Set(['inconclusive']));
  });

  it('says where the host does not reach the witness', () => {
    const observations = observed('witness', conformantRuns('witness', 'valid'), { asked: { source: 0 } });
    const [first] = validToRefusal.judge(observations, OPTIONS);
    expect(first).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('--witness-url') });
  });

  it('leaves a replay undecided that ended without asking, and names the seam', () => {
    const runs = conformantRuns('witness', 'valid');
    const { source } = runs;
    const kept = edited(runs, REPLAYS, like(source));
    const observations = observed('witness', kept, {
      asked: { source: 1, cached: 0, changed: 0, 'changed-from-call': 0 },
      forgot: [],
    });
    const verdicts = judged(observations);
    expect(Object.values(verdicts)).not.toContain('fail');
    expect(verdicts['raised']).toBe('inconclusive');
    const [first] = validToRefusal.judge(observations, OPTIONS);
    expect(first?.reason).toContain('llm-cache/purge');
  });

  it('leaves silence undecided on a host that never raises the alarm', () => {
    const { other } = conformantRuns('mock', 'valid');
    const runs = edited(conformantRuns('mock', 'valid'), REPLAYS, like(other));
    expect(judged(observed('mock', runs))['no-false-alarm']).toBe('inconclusive');
  });

  it.each(['valid', 'refusal'] as const)(
    'leaves a silent replay undecided where a new run shows no other envelope than %s either',
    (original) => {
      const whole = conformantRuns('mock', original);
      const silent = edited(whole, REPLAYS, like(whole.source));
      expect(judged(observed('mock', silent), original)['raised']).toBe('fail');
      const unserved = edited(silent, ['control'], like(whole.source));
      expect(judged(observed('mock', unserved), original)['raised']).toBe('inconclusive');
      const { control: _, ...without } = silent;
      expect(judged(observed('mock', without), original)['raised']).toBe('fail');
    },
  );

  it('leaves a source undecided that does not show its envelope', () => {
    const { source } = conformantRuns('mock', 'refusal');
    const runs = edited(conformantRuns('mock', 'valid'), ['source'], like(source));
    const { 'source-untouched': untouched, ...others } = judged(observed('mock', runs));
    expect(untouched).toBeUndefined();
    expect(new Set(Object.values(others))).toEqual(new Set(['inconclusive']));
  });

  it('compares no snapshot of a source that lags behind its log', () => {
    const late = withSnapshot({ status: 'running', variables: {} });
    const runs = edited(conformantRuns('mock', 'valid'), ['before'], late);
    expect(judged(observed('mock', runs))).toMatchObject({ 'source-untouched': 'inconclusive' });
    const changed = edited(conformantRuns('mock', 'valid'), ['after'], late);
    expect(judged(observed('mock', changed))).toMatchObject({ 'source-untouched': 'fail' });
  });

  it('compares a source whose end has a word of its own, or that reads the same twice', () => {
    const own = withSnapshot({ status: 'succeeded' });
    const runs = edited(conformantRuns('mock', 'valid'), ['before', 'after'], own);
    expect(judged(observed('mock', runs))).toEqual({});
    const changed = edited(runs, ['after'], withSnapshot({ status: 'stopped' }));
    expect(judged(observed('mock', changed))).toEqual({ 'source-untouched': 'fail' });
    const found = validToRefusal.judge(observed('mock', changed), OPTIONS).find(({ verdict }) => verdict === 'fail');
    expect(found?.restsOn).toBe('fork.source-untouched');
    const behind = edited(conformantRuns('mock', 'valid'), ['before', 'after'], withSnapshot({ status: 'running' }));
    expect(judged(observed('mock', behind))).toEqual({});
  });

  it('fails a source that its replays destroy, and leaves one undecided that is not answered', () => {
    const gone = { problem: 'not read', events: [], snapshot: null };
    const runs = edited(conformantRuns('mock', 'valid'), ['after'], () => gone);
    const row = 'source-read (mock model)';
    const { source } = runs;
    const asLog = (how: 'start' | 'again', kept: number): Recorded<RefusalObservation> => {
      const events = (source?.events ?? []).slice(0, kept).map((data) => ({ id: null, name: null, data }));
      const reading = {
        run: source?.role ?? '',
        runId: 'source',
        transport: 'json',
        after: null,
        partial: false,
      } as const;
      return { id: `o-${how}`, type: 'reading', ...reading, how, events, exchanges: [] };
    };
    const answered = (status: number): Recorded<RefusalObservation> => ({
      id: 'o-asked',
      ...requested(row, 'json', status),
    });
    const untouched = (...beside: readonly Recorded<RefusalObservation>[]) =>
      judged([...observed('mock', runs), asLog('start', Infinity), ...beside])['source-untouched'];
    expect(untouched(answered(404))).toBe('fail');
    expect(untouched(answered(503))).toBe('inconclusive');
    expect(untouched(asLog('again', 3))).toBe('fail');
    expect(untouched(asLog('again', Infinity))).toBe('inconclusive');
    expect(untouched()).toBe('inconclusive');
  });

  it('fails a fork that is offered and refused', () => {
    const runs = edited(conformantRuns('mock', 'valid'), REPLAYS, refusedAnew);
    expect(judged(observed('mock', runs))['raised']).toBe('fail');
  });
});

function putting(output: Json): ReturnType<typeof runCalled> {
  return runCalled('run', [['run.started'], ['node.completed', { output }, 'call'], ['run.completed']]);
}

/** A run that shows a refusal, and completes with this all the same. */
function refusedThen(output: Json): ReturnType<typeof runCalled> {
  const refusal = ['envelope.refusal', { stopReason: 'safety' }, 'call'] as const;
  return runCalled('run', [['run.started'], refusal, ['node.completed', { output }, 'call'], ['run.completed']]);
}

describe('a refusal behind which a node asked again', () => {
  it.each<Json>([{ valid: true }, { valid: false }, '{"valid": true}'])('is none where it got %j', (output) => {
    expect(endsRefused(refusedThen(output), 'call')).toBe(false);
    expect(shows(refusedThen(output), 'refusal', 'call')).toBe(false);
    expect(shows(refusedThen(output), 'valid', 'call')).toBe(false);
  });

  it.each<Json>([null, {}, '', { kind: 'refusal', valid: false }])('stays one where it put out %j', (output) => {
    expect(endsRefused(refusedThen(output), 'call')).toBe(true);
    expect(shows(refusedThen(output), 'refusal', 'call')).toBe(true);
  });

  it('leaves undecided what a source in which it stands is to show', () => {
    const { fresh } = conformantRuns('mock', 'refusal');
    const [refused] = (conformantRuns('mock', 'refusal').source?.events ?? []).filter((event) => isRefusal(event));
    const got = {
      events: [...(fresh?.events ?? []), { ...Object(refused), sequence: 99 } as Json],
      snapshot: fresh?.snapshot,
    };
    const runs = edited(conformantRuns('mock', 'refusal'), ['source', 'before', 'cached', 'after'], () => got);
    expect(Object.values(judged(observed('mock', runs, { counted: true }), 'refusal'))).not.toContain('fail');
  });
});

function isRefusal(event: Json): boolean {
  return (event as { readonly type: string }).type === 'envelope.refusal';
}

describe('a refused envelope', () => {
  it.each<Json>([
    { kind: 'refusal' },
    { type: 'refused' },
    { stopReason: 'safety' },
    { refusal: true },
    { refusal: 'no' },
  ])('is told by what the node puts out: %j', (output) => {
    expect(saysRefused(putting(output), 'call')).toBe(true);
    expect(showsRefusal(putting(output), 'call')).toBe(true);
    expect([shows(putting(output), 'refusal', 'call'), shows(putting(output), 'valid', 'call')]).toEqual([true, false]);
  });

  it.each<Json>([{ valid: true }, { kind: 'valid', refusal: null }, { refusal: '' }, 'refused', null])(
    'is none that only looks like one: %j',
    (output) => {
      expect(saysRefused(putting(output), 'call')).toBe(false);
      expect(shows(putting(output), 'valid', 'call')).toBe(true);
    },
  );
});
