import { describe, expect, it } from 'vitest';
import { fork, judged, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgeNobody } from './access-of-nobody.ts';

const MADE = [run('source'), fork('fork', 'run_b')];

const answer = (of: string, name: string, status: number | null, more: object = {}): Observation =>
  ({ type: 'access', of, name, status, exchanges: ['x1'], ...more }) as Observation;

const judge = (...observations: readonly Observation[]) => judged(judgeNobody(recorded(...observations)));

const page = (runId: string, showsEvent: boolean): Observation =>
  ({
    type: 'timeline-page',
    link: 'run',
    runId,
    path: `/runs/${runId}`,
    showsEvent,
    exchanges: ['x1'],
  }) as Observation;

const saidOfPages = (...shown: readonly boolean[]) =>
  short(
    judge(
      ...MADE,
      answer('fork', 'the snapshot', 401),
      ...shown.map((each, index) => page(['run_b', 'run_a'][index] ?? '', each)),
    ),
  );

describe('what nobody is let read of a replay', () => {
  const refused = [answer('fork', 'the snapshot', 401), answer('child of the fork', 'the snapshot', 404)];

  it('is nothing, also where a reading is not offered', () => {
    expect(short(judge(...MADE, ...refused))).toBe('pass');
    expect(short(judge(...MADE, ...refused, answer('fork', 'the event stream', 501)))).toBe('pass');
  });

  it('is nothing that it is refused of the source', () => {
    for (const of of ['fork', 'child of the fork', 'further fork', 'branch']) {
      const open = [answer(of, 'the event stream', 200), answer('source', 'the event stream', 401)];
      expect(short(judge(...MADE, ...refused, ...open))).toBe('fail checks-bypassed');
    }
  });

  it.each<[string, number, number]>([
    ['fail checks-bypassed', 401, 200],
    ['fail checks-bypassed', 404, 404],
    ['pass', 202, 200],
    ['pass', 409, 200],
    ['pass', 404, 200],
  ])('%s where its cancellation is answered with 202, that of the source with %i, whose snapshot with %i', (...of) => {
    const [expected, status, snapshot] = of;
    const asked = [answer('further fork', 'its cancellation', 202), answer('source', 'its cancellation', status)];
    expect(short(judge(...MADE, ...refused, ...asked, answer('source', 'the snapshot', snapshot)))).toBe(expected);
  });

  it('may be what everybody reads of the source, too, which another row is about', () => {
    const open = [answer('fork', 'the event stream', 200), answer('source', 'the event stream', 200)];
    expect(judge(...MADE, ...refused, ...open)).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'run.error-envelope.no-credential',
    });
  });

  it('may be a page that asks for a credential, and none with events where that of the source has none', () => {
    expect(saidOfPages(false)).toBe('pass');
    expect(saidOfPages(true, true)).toBe('pass');
    expect(saidOfPages(true, false)).toBe('fail checks-bypassed');
  });

  it('is open where nothing was answered, or nobody has a credential, or no fork was made', () => {
    expect(judge(...MADE, ...refused, answer('fork', 'the log', null)).verdict).toBe('inconclusive');
    expect(judge(...MADE, ...refused, answer('fork', 'the log', 200, { isEmpty: true })).verdict).toBe('inconclusive');
    expect(judge(...MADE).verdict).toBe('not-applicable');
    expect(judge(run('source'), refusedFork('fork', 501)).verdict).toBe('inconclusive');
  });
});
