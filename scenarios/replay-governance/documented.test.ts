import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { recorded } from '../../test/fork-observations.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { observed, verdictOf } from '../../test/recorded-runs.ts';
import { documented, judgeDocumented } from './documented.ts';

function document(name: string, mentions: readonly object[], problem: string | null = null) {
  return { type: 'document', name, mentions, retention: [], deletion: [], problem, exchanges: ['x1'] };
}

const SAYS = { pointer: '/replay/retention', kind: 'documented' };
const EMPTY = { pointer: '/replay/retention', kind: 'placeholder' };
const HINT = { pointer: '/documentation', kind: 'hint' };

function judge(...documents: readonly object[]) {
  const observations = recorded(...(documents as ReturnType<typeof document>[]));
  return judgementOf('c', judgeDocumented(observations as Parameters<typeof judgeDocumented>[0]));
}

describe('judgeDocumented', () => {
  it.each([
    ['pass', [document('a', [HINT, SAYS]), document('b', [])]],
    ['pass', [document('a', []), document('b', [SAYS])]],
    ['pass', [document('a', [SAYS]), document('b', [], 'timeout')]],
    ['inconclusive', [document('a', []), document('b', [HINT])]],
    ['inconclusive', [document('a', []), document('b', [], 'timeout')]],
    ['inconclusive', []],
    ['fail', [document('a', []), document('b', [])]],
    ['inconclusive', [document('a', [EMPTY, HINT]), document('b', [])]],
    ['pass', [document('a', [EMPTY]), document('b', [SAYS])]],
    ['fail', [document('a', [EMPTY]), document('b', [])]],
  ])('%s', (expected, documents) => expect(judge(...documents).verdict).toBe(expected));

  it('says where it stands, and what to do', () => {
    expect(judge(document('the discovery document', [SAYS])).reason).toBe('the discovery document, /replay/retention');
    expect(judge(document('a', [HINT])).reason).toContain('name it in replay/retention');
  });
});

const KINDS = ['snapshots', 'event-logs', 'invocation-logs', 'forks'];

function policy(retention: { readonly [pointer: string]: string }, more: object = {}): Recorded<Observation> {
  const statements = Object.entries(retention).map(([pointer, text]) => ({ pointer, text }));
  const rest = { name: 'the discovery document', deletion: [], problem: null };
  return observed('d', 'document', { ...rest, mentions: [SAYS], retention: statements, ...more });
}

function kindsOf(...documents: readonly Recorded<Observation>[]): readonly string[] {
  return KINDS.map((kind) => verdictOf(documented, `retention.documented.kinds.${kind}`, documents));
}

const AT = '/replay/retention';
const FOUR: { readonly [pointer: string]: string } = {
  [`${AT}/snapshots`]: 'as long as their run, also without its events',
  [`${AT}/eventLogs`]: 'until a fork needs them no more',
  [`${AT}/invocationLogs`]: 'a week',
  [`${AT}/forks`]: 'a day',
};
const NOT_TOLD = 'fail retention-not-told';

describe('the kinds of a retention policy', () => {
  it('pass where each is named, by a member or in a text', () => {
    const pass = KINDS.map(() => 'pass');
    expect(kindsOf(policy(FOUR))).toEqual(pass);
    expect(kindsOf(policy({ '/info/description': 'Everything is retained for 7 days.' }))).toEqual(pass);
    const text = 'Snapshots, event logs, provider responses and branches are retained for 7 days.';
    expect(kindsOf(policy({ '/info/description': text }))).toEqual(pass);
    expect(kindsOf(policy({ '/runSnapshots/ttlSeconds': '1', ...FOUR }))).toEqual(pass);
    expect(kindsOf(policy({ '/replay/description': 'Everything is retained for 7 days.' }))).toEqual(pass);
  });

  it.each(Object.keys(FOUR).map((pointer, index) => [pointer, index] as const))(
    'fail, alone, without %s',
    (pointer, index) => {
      const { [pointer]: _, ...others } = FOUR;
      const expected = KINDS.map((_kind, at) => (at === index ? NOT_TOLD : 'pass'));
      expect(kindsOf(policy(others))).toEqual(expected);
      expect(kindsOf(policy({ ...others, [`${AT}/deletedData`]: 'snapshots, events, calls and forks' }))).toEqual(
        expected,
      );
    },
  );

  it('are undecided where the policy says a time of nothing in particular, or more stands elsewhere', () => {
    const open = KINDS.map(() => 'inconclusive');
    for (const place of [
      '/replay/retentionDays',
      '/capabilities/replay/retentionPolicy',
      '/extensions/x-acme-replay/retention',
    ]) {
      expect(kindsOf(policy({ [place]: '30 days' }))).toEqual(open);
    }
    expect(kindsOf(policy({ [`${AT}/windowSeconds`]: '3600' }))).toEqual(open);
    expect(kindsOf(policy({}, { mentions: [SAYS, HINT] }))).toEqual(open);
    expect(kindsOf(policy({}), policy({}, { mentions: [], problem: 'timeout' }))).toEqual(open);
    expect(kindsOf()).toEqual(open);
    expect(kindsOf(policy({}, { mentions: [] }))).toEqual(open);
    expect(kindsOf(policy({ [`${AT}/documentation`]: 'https://host.example/retention' }))).toEqual(open);
  });

  it.each(['TBD', 'todo', 'to be written', 'n/a', 'Unknown', '?', '-', ' '])(
    'are undecided where one says %j alone',
    (text) => {
      const expected = KINDS.map((_kind, at) => (at === 0 ? 'inconclusive' : 'pass'));
      expect(kindsOf(policy({ ...FOUR, [`${AT}/snapshots`]: text }))).toEqual(expected);
    },
  );

  it('are undecided, alone, by older evidence, which holds no texts', () => {
    const older = policy({}, { retention: undefined, deletion: undefined });
    expect(kindsOf(older)).toEqual(KINDS.map(() => 'inconclusive'));
    expect(verdictOf(documented, 'retention.documented', [older])).toBe('pass');
    const none = policy({}, { retention: undefined, deletion: undefined, mentions: [] });
    expect(verdictOf(documented, 'retention.documented', [none])).toBe('fail retention-not-documented');
  });
});
