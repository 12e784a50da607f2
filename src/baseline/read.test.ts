import { describe, expect, it } from 'vitest';
import { readBaseline } from './read.ts';

const NAMES = {
  checks: ['fork.created', 'fork.created.own-id', 'fork.modes'],
  requirements: ['fork.created'],
  diagnoses: ['own-id', 'order'],
};

function message(value: unknown): string {
  const read = readBaseline(typeof value === 'string' ? value : JSON.stringify(value), NAMES);
  return read.ok ? 'ok' : read.message;
}

function withEntry(entry: unknown): unknown {
  return { baselineVersion: 1, known: [{ check: 'fork.modes', verdict: 'fail' }, entry], decided: [] };
}

describe('reading a baseline', () => {
  it('takes what its schema describes', () => {
    const entry = {
      requirement: 'fork.created',
      verdict: 'fail',
      diagnosis: 'own-id+order',
      reason: 'r',
      link: 'https://host.example/1',
      expires: '2028-02-29',
    };
    const value = { baselineVersion: 1, known: [entry], decided: ['fork.modes'] };
    expect(readBaseline(JSON.stringify(value), NAMES)).toEqual({ ok: true, baseline: value });
  });

  it.each<[name: string, value: unknown, says: string]>([
    ['no JSON', '{', 'the whole file: holds no JSON'],
    ['another value', [], 'the whole file: is array, not object'],
    ['a report', { reportVersion: 1 }, '/baselineVersion: is missing'],
    ['another version', { baselineVersion: 2, known: [], decided: [] }, '/baselineVersion: '],
    ['another member', { baselineVersion: 1, known: [], decided: [], more: 1 }, '/more: is not declared'],
    ['no list of decided checks', { baselineVersion: 1, known: [] }, '/decided: is missing'],
    ['entries by name', { baselineVersion: 1, known: {}, decided: [] }, '/known: is object, not array'],
    ['an entry without a name', withEntry({ verdict: 'fail' }), '/known/1/requirement: is missing'],
    [
      'an entry with two names',
      withEntry({ check: 'fork.created', requirement: 'fork.created', verdict: 'fail' }),
      '/known/1/requirement: ',
    ],
    ['an entry without a verdict', withEntry({ check: 'fork.created' }), '/known/1/verdict: is missing'],
    ['a passing entry', withEntry({ check: 'fork.created', verdict: 'pass' }), '/known/1/verdict: is none of fail'],
    [
      'a prototype key',
      '{"baselineVersion":1,"known":[{"check":"fork.created","verdict":"fail","__proto__":{}}],"decided":[]}',
      '/known/0/__proto__: is not declared',
    ],
    ['a name of no check', withEntry({ check: 'fork.creatd', verdict: 'fail' }), 'did you mean fork.created'],
    ['a name of no row', withEntry({ requirement: 'fork.crated', verdict: 'fail' }), 'did you mean fork.created?'],
    ['an empty name', withEntry({ check: '', verdict: 'fail' }), '/known/1/check: is empty'],
    [
      'an entry twice',
      withEntry({ check: 'fork.modes', verdict: 'fail' }),
      '/known/1/check: fork.modes stands in /known/0',
    ],
    [
      'a diagnosis of what is undecided',
      withEntry({ check: 'fork.created', verdict: 'inconclusive', diagnosis: 'x' }),
      '/known/1/diagnosis: only a failure has one',
    ],
    [
      'a name of no diagnosis',
      withEntry({ check: 'fork.created', verdict: 'fail', diagnosis: 'order+own-di' }),
      '/known/1/diagnosis: no diagnosis is called "own-di"; did you mean own-id?',
    ],
    ['no day', withEntry({ check: 'fork.created', verdict: 'fail', expires: '2027-02-29' }), '/known/1/expires: '],
    [
      'a script as link',
      withEntry({ check: 'fork.created', verdict: 'fail', link: 'javascript:x' }),
      '/known/1/link: ',
    ],
    [
      'a very long reason',
      withEntry({ check: 'fork.created', verdict: 'fail', reason: 'x'.repeat(2001) }),
      '/known/1/reason: ',
    ],
    [
      'a decided check that is none',
      { baselineVersion: 1, known: [], decided: ['fork.modes', 'fork.mode'] },
      '/decided/1: no check is called "fork.mode"; did you mean fork.modes?',
    ],
    ['deep nesting', `${'['.repeat(200_000)}${']'.repeat(200_000)}`, 'the whole file: is array, not object'],
  ])('refuses %s with its place', (_, value, says) => {
    expect(message(value)).toContain(says);
  });

  it('takes any name where it is to be tidied', () => {
    const text = JSON.stringify({ baselineVersion: 1, known: [{ check: 'gone', verdict: 'fail' }], decided: ['gone'] });
    expect(readBaseline(text).ok).toBe(true);
  });
});
