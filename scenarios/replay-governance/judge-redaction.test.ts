import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { fork, recorded, refusedFork, run } from '../../test/fork-observations.ts';
import { judgeForks, judgeRedaction, spansOf, type Looking } from './judge-redaction.ts';
import type { Heard, HeardObservation } from './listen.ts';
import { makeInputSecrets } from './secret-places.ts';

function answer(surface: Heard['surface'], canaries: readonly number[] = [], marker = false): Heard {
  const shows = canaries.map((canary) => ({ canary, spelling: 'base64' }));
  return { surface, request: `GET ${surface}`, status: 200, shows, marker, exchange: 'x1' };
}

function heard(role: string, ...answers: readonly Heard[]): HeardObservation {
  return { type: 'heard', role, answers, exchanges: ['x1'] };
}

function planted(...arrived: readonly boolean[]): Observation {
  const places = arrived.map((each, index) => ({
    canary: index + 1,
    place: `place ${index + 1}`,
    arrived: each,
    beside: true,
  }));
  return { type: 'planted', places, request: '[]', exchanges: [] } as Observation;
}

const SOURCE = run('source');
const REPLAY = fork('replay', 'run_b');
const SHOWN = [answer('log', [], true), answer('snapshot', [], true), answer('refusal')];
const AGAIN = 'branch of the branch';
const LOOKING: Looking = { fork: 'replay' };

function judge(observations: readonly Observation[], more: Partial<Looking> = {}) {
  return judgementOf('c', judgeRedaction(recorded(...observations), { ...LOOKING, ...more }));
}

function replayed(source: readonly Heard[], replay: readonly Heard[], more: Partial<Looking> = {}) {
  return judge([SOURCE, planted(true, true), heard('source', ...source), REPLAY, heard('replay', ...replay)], more);
}

describe('judgeRedaction', () => {
  it('stays open where a source that is given inputs alone hides none of them, whatever its fork shows', () => {
    const open = makeInputSecrets().hidden([answer('log', [1], true)]);
    const forks = [REPLAY, heard('replay', ...SHOWN, answer('poll', [1]))];
    const judgement = judge([SOURCE, open, heard('source', answer('log', [1], true)), ...forks]);
    expect(judgement.verdict).toBe('inconclusive');
    expect(judgement.reason).toContain('does not hide its run input payload.password');
  });

  it('passes where neither shows anything, and cites what was read', () => {
    expect(replayed(SHOWN, SHOWN)).toEqual({ check: 'c', verdict: 'pass', evidence: ['o5', 'o3', 'o2'] });
  });

  it('fails where the fork shows what the source hides, with number, place, spelling, request', () => {
    const judgement = replayed(SHOWN, [...SHOWN, answer('log', [2])]);
    expect(judgement).toMatchObject({ verdict: 'fail', diagnosis: { code: 'shown-by-fork' } });
    expect(judgement.expected).toContain('secret 2 (place 2)');
    expect(judgement.actual).toBe('GET log shows it (base64) in the log of the replay run_b');
  });

  it.each<[string, Heard[], Heard[], string]>([
    ['the source shows it in the same place', [answer('log', [2])], [answer('log', [2])], 'pass'],
    ['the source shows it elsewhere only', [answer('snapshot', [2])], [answer('log', [2])], 'fail'],
    ['a comparison shows what the source shows', [answer('snapshot', [2])], [answer('diff', [2])], 'pass'],
    ['a page shows what the page of the source hides', [answer('page')], [answer('page', [1])], 'fail'],
    ['both pages show it', [answer('page', [1])], [answer('page', [1])], 'pass'],
    ['a refusal shows what no answer shows', [], [answer('refusal', [1])], 'fail'],
    ['the source could not be read there', [answer('snapshot', [2])], [answer('poll', [2])], 'pass'],
  ])('where %s', (_, source, replay, verdict) => {
    expect(replayed([...SHOWN, ...source], [...SHOWN, ...replay]).verdict).toBe(verdict);
  });

  it.each<[string, readonly Observation[], string]>([
    ['was made and shows none', [fork(AGAIN, 'run_c'), heard(AGAIN, ...SHOWN)], 'pass'],
    ['was made and shows one', [fork(AGAIN, 'run_c'), heard(AGAIN, ...SHOWN, answer('log', [2]))], 'fail'],
    ['was refused', [refusedFork(AGAIN, 403)], 'pass'],
    ['was not requested', [], 'pass'],
  ])('looks at a branch of the branch, which %s', (_, again, verdict) => {
    const branches = [fork('branch', 'run_b'), heard('branch', ...SHOWN), ...again];
    const seen = [SOURCE, planted(true, true), heard('source', ...SHOWN), ...branches];
    expect(judgementOf('c', judgeForks(recorded(...seen), ['branch', AGAIN])).verdict).toBe(verdict);
  });

  describe('where the source shows everything in one place', () => {
    const open = [answer('log', [1, 2], true), answer('snapshot', [], true), answer('diff', [], true)];
    const at = (surface: Heard['surface'], shown = open) => replayed(open, shown, { surfaces: [surface] });

    it('holds the fork to what it redacts in others', () => {
      expect(at('snapshot')).toMatchObject({
        verdict: 'pass',
        reason: 'the source itself shows: place 1 (log); place 2 (log)',
      });
      expect(at('snapshot', [answer('snapshot', [1])]).verdict).toBe('fail');
      expect(at('diff').verdict).toBe('pass');
      expect(replayed(open, open).verdict).toBe('pass');
    });

    it('is undecided in that one, and says where it shows them', () => {
      const judgement = at('log');
      expect(judgement.verdict).toBe('inconclusive');
      expect(judgement.reason).toContain('show in the log,');
      expect(judgement.reason).toContain('it shows: place 1 (log); place 2 (log)');
    });

    it('is undecided where the fork shows on a surface of its own kind what the source shows there', () => {
      expect(at('diff', [answer('diff', [1, 2])]).verdict).toBe('inconclusive');
    });
  });

  describe('where comparisons with the source show what no reading of it does', () => {
    const source = [...SHOWN, answer('diff', [1])];
    const at = (surface: Heard['surface'], ...replay: readonly Heard[]) =>
      replayed(source, [...SHOWN, ...replay], { surfaces: [surface] });

    it('is red where comparisons are looked at', () => {
      const judgement = at('diff', answer('diff'));
      expect(judgement).toMatchObject({ verdict: 'fail', actual: 'GET diff shows it (base64)' });
      expect(judgement.expected).toBe('secret 1 (place 1) is in no comparison: no reading of the source shows it');
      expect(at('diff', answer('diff', [1])).verdict).toBe('fail');
    });

    it('excuses no other kind of answer, and other comparisons where all are looked at', () => {
      expect(at('answer', answer('answer', [1])).verdict).toBe('fail');
      expect(at('answer', answer('answer')).verdict).toBe('pass');
      expect(replayed(source, [...SHOWN, answer('diff', [1])]).verdict).toBe('pass');
      expect(replayed(source, [...SHOWN, answer('diff', [2])]).verdict).toBe('fail');
    });

    it('is red as well where whoever would fork the source is told, and where another refusal shows it is not', () => {
      const told = { ...answer('refusal', [1]), request: 'POST /v1/runs/run_a:fork' };
      const at422 = (...shown: readonly Heard[]) =>
        replayed([...SHOWN, ...shown], [...SHOWN, told], { surfaces: ['answer', 'refusal'] });
      const judgement = at422(told);
      expect(judgement).toMatchObject({ verdict: 'fail', actual: 'POST /v1/runs/run_a:fork shows it (base64)' });
      expect(judgement.expected).toContain('is in no answer to a request for a fork: no reading');
      expect(at422(told, answer('refusal', [1])).verdict).toBe('pass');
      expect(at422(told, answer('snapshot', [1])).verdict).toBe('pass');
      expect(replayed([...SHOWN, told], [...SHOWN, told]).verdict).toBe('pass');
    });

    it('is not red where nothing shows that the source redacts', () => {
      const open = [answer('log', [1], true), answer('snapshot', [1], true), answer('diff', [2])];
      const apart = {
        ...planted(true, true),
        places: [1, 2].map((canary) => ({ canary, place: 'p', arrived: true, beside: canary === 1 })),
      };
      const replay = [...open, answer('answer', [2])];
      const all = [SOURCE, apart, heard('source', ...open), REPLAY, heard('replay', ...replay)];
      expect(judge(all, { surfaces: ['diff'] }).verdict).toBe('inconclusive');
      expect(judge(all, { surfaces: ['answer'] }).verdict).toBe('inconclusive');
    });
  });

  it.each<[string, readonly Heard[]]>([
    ['shows it everywhere', [answer('log', [1, 2], true), answer('snapshot', [1, 2], true), answer('diff')]],
    [
      'shows nothing of that part of the run elsewhere',
      [answer('log', [1, 2], true), answer('snapshot'), answer('diff')],
    ],
  ])('is undecided where the source redacts nothing: it %s', (_, shown) => {
    for (const surfaces of [['log'], ['snapshot'], ['diff']] as const) {
      expect(replayed(shown, shown, { surfaces }).verdict).toBe('inconclusive');
    }
  });

  it('takes a secret that does not stand beside the harmless text for redacted only where nothing shows it', () => {
    const apart = {
      ...planted(true, true),
      places: [1, 2].map((canary) => ({ canary, place: 'p', arrived: true, beside: false })),
    };
    const all = (...source: readonly Heard[]) =>
      judge([SOURCE, apart, heard('source', ...source), REPLAY, heard('replay', answer('snapshot'))]).verdict;
    expect(all(answer('log', [1, 2], true), answer('snapshot', [], true))).toBe('inconclusive');
    expect(all(answer('log', [1], true), answer('snapshot', [], true))).toBe('pass');
  });

  it('says what the source shows itself, and what never arrived', () => {
    const source = [...SHOWN, answer('log', [1])];
    const all = [SOURCE, planted(true, true, false), heard('source', ...source), REPLAY, heard('replay', ...source)];
    expect(judge(all)).toMatchObject({
      verdict: 'pass',
      reason: 'the source itself shows: place 1 (log). never arrived: place 3',
    });
  });

  it('looks where it is told to', () => {
    const leaking = [...SHOWN, answer('log', [2])];
    expect(replayed(SHOWN, leaking, { surfaces: ['snapshot'] }).verdict).toBe('pass');
    expect(replayed(SHOWN, leaking, { surfaces: ['log'] }).verdict).toBe('fail');
    expect(replayed([...SHOWN, answer('diff')], leaking, { surfaces: ['diff'] }).verdict).toBe('inconclusive');
    expect(replayed(SHOWN, leaking, { surfaces: ['diff'] }).verdict).toBe('not-applicable');
  });

  it.each<[string, readonly Observation[]]>([
    ['nothing', []],
    ['a source that was not seen', [run('source', { problem: 'the run has not ended' })]],
    ['nothing planted', [SOURCE]],
    ['nothing arrived', [SOURCE, planted(false), heard('source', ...SHOWN), REPLAY, heard('replay', ...SHOWN)]],
    ['no fork', [SOURCE, planted(true), heard('source', ...SHOWN)]],
    ['no readings', [SOURCE, planted(true), REPLAY]],
    [
      'a host that shows nothing',
      [SOURCE, planted(true), heard('source', answer('log')), REPLAY, heard('replay', answer('log'))],
    ],
  ])('inconclusive for %s', (_, observations) => expect(judge(observations).verdict).toBe('inconclusive'));

  it('is undecided where an advertised mode is refused: nothing is shown', () => {
    const refused = refusedFork('replay', 501);
    const judgement = judge([SOURCE, planted(true), heard('source', ...SHOWN), refused]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'fork.created' });
    const said = (...answers: readonly Heard[]) =>
      judge([SOURCE, planted(true), heard('source', ...SHOWN), refused, heard('replay', ...answers)]).verdict;
    expect(said(answer('refusal'))).toBe('inconclusive');
    expect(said(answer('refusal', [1]))).toBe('fail');
  });
});

describe('spans', () => {
  const source = [SOURCE, planted(true), heard('source', ...SHOWN), REPLAY, heard(spansOf('source'), answer('span'))];

  it.each<[string, readonly Heard[]]>([
    ['pass', [answer('span')]],
    ['fail', [answer('span', [1])]],
    ['inconclusive', []],
  ])('%s', (verdict, spans) => {
    expect(judge([...source, heard(spansOf('replay'), ...spans)], { spans: true }).verdict).toBe(verdict);
  });

  it.each<[string, readonly Observation[]]>([
    ['pass', [fork('branch', 'run_c'), heard(spansOf('branch'), answer('span'))]],
    ['fail', [fork('branch', 'run_c'), heard(spansOf('branch'), answer('span', [1]))]],
    ['pass', [fork('branch', 'run_c'), heard(spansOf('branch'))]],
    ['pass', [refusedFork('branch', 403, 'branch')]],
  ])('%s beside those of a branch: %j', (verdict, seen) => {
    const all = recorded(...source, heard(spansOf('replay'), answer('span')), ...seen);
    expect(judgementOf('c', judgeForks(all, ['replay', 'branch'], { spans: true })).verdict).toBe(verdict);
  });

  it('are no measure where those of the source did not come', () => {
    const some = [...source.slice(0, 4), heard(spansOf('replay'), answer('span'))];
    expect(judge(some, { spans: true }).verdict).toBe('inconclusive');
  });
});
