import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, runCalled, say, verdictOf } from '../../test/recorded-runs.ts';
import { OPTIONS } from '../../test/bare-scenario.ts';
import { annotationLive } from './annotation-live.ts';

const WHEN = 'the run was annotated while its streams were open';
const RUN = runCalled('run', [say('run.started'), say('interrupt.requested')], { role: 'waiting run' });

function annotated(problem: string | null = null): Recorded<Observation> {
  return observed('a', 'annotated', { of: 'waiting run', when: WHEN, token: 'a token', problem, annotationId: null });
}

function listed(...list: readonly Json[]): Recorded<Observation> {
  return observed('l', 'annotations', { of: 'waiting run', when: WHEN, list, problem: null });
}

function stream(data: readonly Json[], more: object = {}): Recorded<Observation> {
  const after = data.map((each) => ({ id: null, name: null, data: each }));
  return observed('s', 'open-stream', { mode: 'default', isStream: true, before: 2, isOver: false, after, ...more });
}

const NOTICE = { type: 'run.annotated', payload: {} };
const OTHER = { type: 'interrupt.resolved', payload: {} };

function judge(...streams: readonly Recorded<Observation>[]): string {
  return verdictOf(annotationLive, 'annotation.live', [RUN, annotated(), listed({}), ...streams]);
}

describe('annotation.live', () => {
  it('passes where one open stream tells of the annotation, under its name or in its words', () => {
    expect(judge(stream([NOTICE], { isOver: true }))).toBe('pass');
    expect(judge(stream([OTHER]), stream([NOTICE], { mode: 'debug' }))).toBe('pass');
    expect(judge(stream([{ type: 'note', text: 'a token' }]))).toBe('pass');
  });

  it('fails where open streams go on without it', () => {
    expect(judge(stream([OTHER]))).toBe('fail annotation-not-told');
    expect(judge(stream([]), stream([], { mode: 'debug', isStream: false }))).toBe('fail annotation-not-told');
  });

  it('is shown again by its scenario: the run has ended by then', () => {
    const judged = annotationLive.judge([RUN, annotated(), listed({}), stream([OTHER])], OPTIONS);
    expect(judged).toMatchObject([{ verdict: 'fail', steps: [] }]);
  });

  it('fails where the notice names another run, and passes where it names this one or none', () => {
    const notice = (payload: Json, runId = 'run') => stream([{ type: 'run.annotated', runId, payload }]);
    expect(judge(notice({}, 'another'))).toBe('fail annotation-not-told');
    expect(judge(notice({ target: { runId: 'another' } }))).toBe('fail annotation-not-told');
    expect(judge(notice({ annotation: { target: { runId: 'another' } } }))).toBe('fail annotation-not-told');
    expect(judge(notice({ note: 'a token', target: { runId: 'another' } }))).toBe('fail annotation-not-told');
    expect(judge(notice({ annotation: { target: { runId: 'run', eventId: 'e' } } }))).toBe('pass');
    expect(judge(notice({ target: { runId: 7 } }))).toBe('pass');
    expect(judge(stream([{ type: 'run.annotated', runId: 'another' }, NOTICE]))).toBe('pass');
  });

  it('does not apply to a host without event streams', () => {
    expect(judge(stream([], { isStream: false }))).toBe('not-applicable');
  });

  it('is undecided where no stream was open, and where nothing was annotated', () => {
    expect(judge()).toBe('inconclusive');
    expect(judge(stream([OTHER], { before: 0 }))).toBe('inconclusive');
    expect(judge(stream([], { isOver: true }))).toBe('inconclusive');
    const left = [[RUN], [], [RUN, annotated('POST answered 501')], [RUN, annotated(), listed(), stream([OTHER])]];
    for (const recorded of left) {
      expect(verdictOf(annotationLive, 'annotation.live', recorded)).toBe('inconclusive');
    }
  });
});
