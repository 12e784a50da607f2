import { describe, expect, it } from 'vitest';
import type { Judgement } from '../../src/contract/verdict.ts';
import { conformantRuns, observed, type Run, type Runs } from '../../test/refusal-runs.ts';
import { edited, like, type Members, OPTIONS, replacing } from '../../test/refusal-edits.ts';
import { refusalToValid, validToRefusal } from './directions.ts';

const cachedOf = (
  change: (runs: Runs) => Runs,
  way: 'mock' | 'witness' = 'mock',
  asked?: Readonly<Record<string, number>>,
  again: readonly string[] = [],
) =>
  validToRefusal
    .judge(observed(way, change(conformantRuns(way, 'valid')), { again, ...(asked && { asked }) }), OPTIONS)
    .find(({ check }) => check === 'refusal.cached-response-wins');

/** A later run whose call shows an event of this type before it completes with the second valid answer. */
function asking(type: string) {
  return (runs: Runs): Runs => {
    const { other } = runs;
    const events = (other?.events ?? []).flatMap((event) => {
      const members = event as Members;
      const isCompleted = members['type'] === 'node.completed' && members['nodeId'] === 'gated-call';
      return isCompleted ? [{ ...members, type, payload: {}, eventId: 'again' }, members] : [members];
    });
    const numbered = events.map((event, sequence) => ({ ...event, sequence }));
    return edited(runs, ['fresh'], () => ({ events: numbered, snapshot: other?.snapshot }));
  };
}

/** A valid answer that tells when it was given. */
function answeredAt(at: number) {
  return replacing('node.completed', (event) => [{ ...event, payload: { output: { valid: true, at } } }]);
}

describe('the cache', () => {
  it('fails where the witness counted a call', () => {
    expect(cachedOf((runs) => runs, 'witness', { source: 1, cached: 1 })).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'second-call' },
    });
  });

  it('fails where the replay met what the model would say now', () => {
    const { changed } = conformantRuns('mock', 'valid');
    const verdict = cachedOf((runs) => edited(runs, ['cached'], like(changed)));
    expect(verdict).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' } });
  });

  it('rests on the row about shared responses where the model cannot be counted', () => {
    const { changed } = conformantRuns('mock', 'valid');
    const owner = 'cache-key.not-a-security-boundary.no-shared-response';
    expect(cachedOf((runs) => edited(runs, ['cached'], like(changed)))?.restsOn).toBe(owner);
    expect(cachedOf((runs) => runs, 'witness', { source: 1, cached: 1 })?.restsOn).toBeUndefined();
  });

  it('fails where the replay used up an entry, and is open where nobody can tell', () => {
    const { other, source } = conformantRuns('mock', 'valid');
    const usedUp = (runs: Runs): Runs => edited(runs, ['fresh'], like(other));
    expect(cachedOf(usedUp)?.verdict).toBe('fail');
    expect(cachedOf(usedUp, 'mock', undefined, ['x7'])?.verdict).toBe('inconclusive');
    expect(cachedOf((runs) => edited(runs, ['fresh'], like(source)))?.verdict).toBe('inconclusive');
  });

  it('is used where a run that comes later is refused, asks again and is answered then', () => {
    expect(cachedOf(asking('envelope.refusal'))?.verdict).toBe('pass');
    expect(cachedOf(asking('node.retried'))?.verdict).toBe('inconclusive');
    expect(cachedOf(asking('node.failed'))?.verdict).toBe('inconclusive');
    expect(cachedOf(asking('log.appended'))).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' } });
  });

  it('is no second call where the witness counted none', () => {
    const { changed, other } = conformantRuns('witness', 'valid');
    for (const [run, code] of [
      [changed, 'raised-for-same-kind'],
      [other, 'recorded-answer-lost'],
    ] as const) {
      const found = cachedOf((runs) => edited(runs, ['cached'], like(run)), 'witness', { source: 1, cached: 0 });
      expect(found).toMatchObject({ verdict: 'fail', diagnosis: { code } });
    }
  });

  it('honours what was declared volatile', () => {
    const runs = edited(conformantRuns('witness', 'valid'), ['source'], answeredAt(1));
    const seen = observed('witness', edited(runs, ['cached'], answeredAt(2)), { asked: { source: 1, cached: 0 } });
    const judgedWith = (...volatile: readonly string[]) =>
      validToRefusal
        .judge(seen, { ...OPTIONS, volatile })
        .find(({ check }) => check === 'refusal.cached-response-wins');
    expect(judgedWith()?.verdict).toBe('fail');
    expect(judgedWith('/payload/output/valid')?.verdict).toBe('fail');
    const reason = expect.stringContaining('/payload/output/at') as string;
    expect(judgedWith('/payload/output/at')).toMatchObject({ verdict: 'pass', reason });
  });

  it('is open where the mock model answers alike whatever is staged', () => {
    const { other } = conformantRuns('mock', 'valid');
    const alike = cachedOf((runs) => edited(runs, ['source', 'cached', 'fresh'], like(other)));
    expect(alike).toMatchObject({ verdict: 'inconclusive', reason: expect.stringContaining('staged') as string });
  });
});

const refusedOf = (
  change: (runs: Runs) => Runs,
  way: 'mock' | 'witness' = 'witness',
  asked?: Readonly<Record<string, number>>,
) =>
  refusalToValid
    .judge(observed(way, change(conformantRuns(way, 'refusal')), asked === undefined ? {} : { asked }), OPTIONS)
    .find(({ check }) => check === 'refusal.cached-refusal');

const saying = (payload: object) =>
  replacing('envelope.refusal', (event) => [{ ...event, payload: payload as Members }]);

const countedOf = (change: (runs: Runs) => Runs, again: readonly string[] = []) =>
  refusalToValid
    .judge(observed('mock', change(conformantRuns('mock', 'refusal')), { counted: true, again }), OPTIONS)
    .find(({ check }) => check === 'refusal.cached-refusal');

describe('a recorded refusal', () => {
  it('passes where nobody was asked', () => {
    expect(refusedOf((runs) => runs, 'witness', { source: 1, cached: 0 })?.verdict).toBe('pass');
  });

  it('fails where the witness counted a call', () => {
    expect(refusedOf((runs) => runs, 'witness', { source: 1, cached: 1 })).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'second-call' },
    });
  });

  it('fails where the replay goes on without it', () => {
    const { other } = conformantRuns('mock', 'valid');
    const completed = (runs: Runs): Runs => edited(runs, ['cached'], like(other));
    expect(refusedOf(completed, 'witness', { source: 1, cached: 0 })?.verdict).toBe('fail');
    expect(refusedOf(completed, 'mock')?.verdict).toBe('fail');
  });

  it('is said to be there where only the end differs, and to be lost where it is not', () => {
    const asked = { source: 1, cached: 0 };
    const completing = replacing('run.failed', (event) => [{ ...event, type: 'run.completed', payload: {} }]);
    const gone = refusedOf((runs) => edited(runs, ['cached'], completing), 'witness', asked);
    expect(gone).toMatchObject({ verdict: 'fail', diagnosis: { code: 'ends-otherwise' } });
    const { other } = conformantRuns('mock', 'valid');
    const lost = refusedOf((runs) => edited(runs, ['cached'], like(other)), 'witness', asked);
    expect(lost).toMatchObject({ verdict: 'fail', diagnosis: { code: 'recorded-answer-lost' } });
  });

  it('is shown as it was, unless the replay says that it differs', () => {
    const asked = { source: 1, cached: 0 };
    const shown = (first: object, cached: (run: Run) => object): Judgement | undefined =>
      refusedOf((runs) => edited(edited(runs, ['source'], saying(first)), ['cached'], cached), 'witness', asked);
    const other = { verdict: 'fail', diagnosis: { code: 'refusal-otherwise' } };
    const refused = { stopReason: 'safety', requestId: 'req_1' };
    expect(shown(refused, saying({ ...refused, requestId: 'req_2' }))?.verdict).toBe('pass');
    expect(shown(refused, saying({}))?.verdict).toBe('pass');
    expect(shown(refused, saying({ ...refused, stopReason: 'length' }))).toMatchObject(other);
    const hidden = replacing('envelope.refusal', () => []);
    expect(shown(refused, hidden)).toMatchObject(other);
    const reported = replacing('envelope.refusal', (event) => [{ ...event, type: 'replay.diverged' }]);
    expect(shown(refused, reported)?.verdict).toBe('pass');
  });

  it('is counted by a later run where the mock model says something else each time', () => {
    const { control, changed, source } = conformantRuns('mock', 'refusal');
    expect(countedOf((runs) => runs)?.verdict).toBe('pass');
    const usedUp = countedOf((runs) => edited(runs, ['fresh'], like(control)));
    expect(usedUp).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' } });
    const raised = countedOf((runs) => edited(runs, ['cached'], like(changed)));
    expect(raised).toMatchObject({ verdict: 'fail', expected: 'no replay.divergedAtRefusal' });
    expect(countedOf((runs) => edited(runs, ['fresh'], like(source)))?.verdict).toBe('inconclusive');
  });

  it('is not counted where a request for a run was put off and may have been carried out', () => {
    const { control } = conformantRuns('mock', 'refusal');
    const usedUp = (runs: Runs): Runs => edited(runs, ['fresh'], like(control));
    const reason = expect.stringContaining('put off with 503') as string;
    expect(countedOf(usedUp, ['x7'])).toMatchObject({ verdict: 'inconclusive', reason });
    expect(countedOf((runs) => runs, ['x7'])?.verdict).toBe('pass');
  });

  it('is open where calls cannot be counted, and where it was not replayed', () => {
    expect(refusedOf((runs) => runs, 'mock')?.verdict).toBe('inconclusive');
    const { source, before } = conformantRuns('witness', 'refusal');
    const alone = { ...(source && { source }), ...(before && { before }) };
    expect(refusedOf(() => alone, 'witness', { source: 1 })?.verdict).toBe('inconclusive');
  });
});
