import { describe, expect, it } from 'vitest';
import { computeKey } from '../../src/cache-key/index.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { crossHostParity } from './cross-host-parity.ts';
import type { KeyAnswered, RecordedKey } from './observation.ts';
import { requestText } from './requests.ts';

type Answer = (request: string, name: string) => KeyAnswered;

const REQUESTS = [
  ['plain', requestText()],
  ['another model', requestText({ model: '"claude-3"' })],
  ['plain again', requestText()],
  ['warm', requestText({ temperature: '0.5' })],
  ['names of tools', requestText({ tools: '[{"name":"e\u0301","parameters":{}},{"name":"f","parameters":{}}]' })],
] as const;

const right: Answer = (request) => {
  const result = computeKey(request, 'rfc-0041');
  return { kind: 'key', key: result.ok ? result.cacheKey : '' };
};
const mapped =
  (change: (key: string) => string): Answer =>
  (request, name) => {
    const answer = right(request, name);
    return answer.kind === 'key' ? { kind: 'key', key: change(answer.key) } : answer;
  };
const upper = mapped((key) => key.toUpperCase());
const prefixed = mapped((key) => `sha256:${key}`);
const notWarm: Answer = (request, name) => (name === 'warm' ? { kind: 'refused', status: 500 } : right(request, name));
const notNamed =
  (status: number): Answer =>
  (request, name) =>
    name === 'names of tools' ? { kind: 'refused', status } : right(request, name);
const reversed = mapped((key) => key.split('').toReversed().join(''));
const refusing =
  (status: number): Answer =>
  () => ({ kind: 'refused', status });

function side(answer: Answer, secondHost: boolean): readonly RecordedKey[] {
  return REQUESTS.map(([name, request]) => ({
    id: `${secondHost ? 'b' : 'a'} ${name}`,
    type: 'key',
    exchanges: [],
    name,
    part: 'control',
    request,
    answer: answer(request, name),
    ...(secondHost ? { secondHost } : {}),
  }));
}

function judged(first: Answer, second: Answer, recipe: string | null = null): Judgement | undefined {
  const recipes = { id: 'o0', type: 'recipes', exchanges: [], first: recipe, second: recipe, unread: null };
  return crossHostParity.judge([recipes, ...side(first, false), ...side(second, true)], OPTIONS)[0];
}

describe('cross-host parity', () => {
  it('passes where both follow the recipe, and says so where both depart from it alike', () => {
    expect(judged(right, right)).not.toHaveProperty('reason');
    const alike = judged(upper, upper);
    expect(alike?.verdict).toBe('pass');
    expect(alike?.reason).toContain('the first host departs');
    expect(alike?.reason).toContain('the second host departs');
  });

  it.each([
    ['the first', [upper, right], /^the first host departs[^;]*$/u, 'uppercase-hex'],
    ['the second', [right, upper], /^the second host departs[^;]*$/u, 'uppercase-hex'],
    ['both', [upper, prefixed], /the first host departs.*the second host departs/u, 'uppercase-hex+algorithm-prefix'],
    ['one, by no known rule', [right, reversed], /^the second host departs.*no known rule/u, 'unexplained'],
    ['both, one so', [reversed, upper], /the first .*no known rule.*the second/u, 'unexplained+uppercase-hex'],
  ] as const)('fails and names %s', (_, [first, second], message, code) => {
    const judgement = judged(first, second);
    expect(judgement).toMatchObject({ verdict: 'fail', diagnosis: { code } });
    expect(judgement?.diagnosis?.message).toMatch(message);
  });

  it.each([
    ['one', right, notNamed(400)],
    ['both', notNamed(422), notNamed(400)],
  ])('passes where %s may refuse a request and does, and says so', (_, first, second) => {
    const judgement = judged(first, second);
    expect(judgement?.verdict).toBe('pass');
    expect(judgement?.reason).toContain('"names of tools": ');
  });

  it('fails under a vendor recipe, whose rule nobody knows', () => {
    const judgement = judged(right, upper, 'x-host-acme-one');
    expect(judgement?.verdict).toBe('fail');
    expect(judgement?.diagnosis?.code).toBe('hosts-differ');
  });

  it.each([
    ['the seam of the second is off', right, refusing(404), /^the second host: .*has to expose POST/u],
    ['the second refuses the credential', right, refusing(401), /^the second host: .*--api-key-b-env/u],
    ['the first refuses the credential', refusing(403), right, /^the first host: .*a credential that it accepts/u],
    ['the second fails', right, refusing(500), /^the second host: .*refused with 500$/u],
    ['the second fails at one request', right, notNamed(500), /"names of tools": .* with 500 by the second host/u],
    [
      'the first may refuse a request, at which the second fails',
      notNamed(400),
      notNamed(500),
      /"names of tools": .* with 500 by the second host/u,
    ],
    [
      'the second refuses one request',
      right,
      notWarm,
      /"warm": ".*" by the first host, refused with 500 by the second host/u,
    ],
  ])('is undecided where %s', (_, first, second, reason) => {
    const judgement = judged(first, second);
    expect(judgement?.verdict).toBe('inconclusive');
    expect(judgement?.reason).toMatch(reason);
  });
});
