import { describe, expect, it } from 'vitest';
import {
  judgementIn,
  recordedRun,
  refusedReplay,
  replayCalled,
  runCalled,
  say,
  verdictOf,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { ASKS_AGAIN } from '../shared/past-question.ts';
import { severalQuestions } from './several-questions.ts';

const ID = 'replay.interrupt-short-circuits.own-keys';

type Answers = readonly (readonly [key: string, resumeValue?: Json])[];

const log = (answers: Answers, node = 'gate'): readonly Said[] => [
  say('run.started'),
  ...answers.flatMap(([key, resumeValue]) => [
    say('interrupt.requested', { key }, node),
    say('interrupt.resolved', resumeValue === undefined ? { key } : { key, resumeValue }, node),
  ]),
  say('run.completed'),
];
const GIVEN: Answers = [
  ['gate-1', { mark: 'a' }],
  ['gate-2', { mark: 'b' }],
];

/** A log without interrupt events; the keys stand where the node waits, or where it goes on. */
const suspending = (answers: Answers, at: 'suspended' | 'resumed'): readonly Said[] => [
  say('run.started'),
  ...answers.flatMap(([key, resumeValue]) => [
    say('node.suspended', at === 'suspended' ? { key } : {}, 'gate'),
    say('node.resumed', { ...(at === 'resumed' ? { key } : {}), resumeValue: resumeValue ?? null }, 'gate'),
  ]),
  say('run.completed'),
];

function verdict(taken: Answers, given: Answers = GIVEN): string {
  return verdictOf(severalQuestions, ID, [runCalled('src', log(given)), replayCalled('rep', log(taken))]);
}

describe('a node that asks under several keys', () => {
  it('says what is missing where all questions have one key', () => {
    const one: Answers = [
      ['gate', { mark: 'a' }],
      ['gate', { mark: 'b' }],
    ];
    const judged = judgementIn(severalQuestions, ID, [runCalled('src', log(one)), replayCalled('rep', log(one))]);
    expect(judged.remedies).toEqual([{ step: 'give each question of a node a key of its own' }]);
  });

  it('passes where each key has its value, in whatever order', () => {
    expect(verdict(GIVEN)).toBe('pass');
    expect(verdict(GIVEN.toReversed())).toBe('pass');
  });

  it('fails where a key has the value of another one, or one of its own', () => {
    const [first, second] = [{ mark: 'a' }, { mark: 'b' }];
    expect(
      verdict([
        ['gate-1', first],
        ['gate-2', first],
      ]),
    ).toBe('fail other-resume-value');
    expect(
      verdict([
        ['gate-1', second],
        ['gate-2', first],
      ]),
    ).toBe('fail other-resume-value');
    expect(
      verdict([
        ['gate-1', first],
        ['gate-2', null],
      ]),
    ).toBe('fail other-resume-value');
  });

  it.each(['suspended', 'resumed'] as const)(
    'is read where a host has no interrupt events, the key in node.%s',
    (at) => {
      const said = (taken: Answers): string =>
        verdictOf(severalQuestions, ID, [
          runCalled('src', suspending(GIVEN, at)),
          replayCalled('rep', suspending(taken, at)),
        ]);
      expect(said(GIVEN)).toBe('pass');
      expect(said(GIVEN.map(([key]) => [key, { mark: 'b' }]))).toBe('fail other-resume-value');
    },
  );

  it('is not asked again', () => {
    const again = replayCalled('rep', log(GIVEN.slice(0, 1)), { problem: ASKS_AGAIN });
    expect(verdictOf(severalQuestions, ID, [runCalled('src', log(GIVEN)), again])).toBe('fail asked-again');
  });

  it('is undecided where nothing shows the keys', () => {
    const bare = suspending(GIVEN, 'resumed').map(([type, ...rest]): Said =>
      type === 'node.resumed' ? say(type, { resumeValue: 'x' }, 'gate') : [type, ...rest],
    );
    const seen = [runCalled('src', bare), replayCalled('rep', bare)];
    expect(verdictOf(severalQuestions, ID, seen)).toBe('inconclusive');
  });

  it('is undecided where the node has one key, or every answer is alike', () => {
    const one: Answers = [['gate', { mark: 'a' }]];
    const again: Answers = [...one, ['gate', { mark: 'b' }]];
    const alike: Answers = [
      ['gate-1', { action: 'accept' }],
      ['gate-2', { action: 'accept' }],
    ];
    for (const given of [one, again, alike, []]) expect(verdict(given, given)).toBe('inconclusive');
  });

  it('fails where the replay shows some of the answers, and does not say that it differs', () => {
    const some = log(GIVEN.slice(0, 1));
    expect(verdict(GIVEN.slice(0, 1))).toBe('fail other-resume-value');
    const told = replayCalled('rep', [...some.slice(0, -1), say('replay.diverged'), ...some.slice(-1)]);
    expect(verdictOf(severalQuestions, ID, [runCalled('src', log(GIVEN)), told])).toBe('inconclusive');
  });

  it('is undecided where the replay does not show its answers, and without a replay', () => {
    expect(verdict([])).toBe('inconclusive');
    expect(verdict([['gate-1', { mark: 'a' }], ['gate-2']])).toBe('inconclusive');
    expect(verdict([['gate-1'], ['gate-2']])).toBe('inconclusive');
    expect(verdictOf(severalQuestions, ID, [runCalled('src', log(GIVEN))])).toBe('inconclusive');
    expect(verdictOf(severalQuestions, ID, [recordedRun(null, { problem: 'refused' })])).toBe('inconclusive');
    const source = runCalled('src', log(GIVEN));
    expect(verdictOf(severalQuestions, ID, [source, refusedReplay('full replay', source)])).toBe('fail fork-refused');
  });
});
