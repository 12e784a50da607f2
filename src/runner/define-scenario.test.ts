import { describe, expect, it } from 'vitest';
import { OPTIONS as BARE_OPTIONS } from '../../test/bare-scenario.ts';
import { fail, notApplicable, pass, rests, undecided, type Outcome } from '../contract/outcome.ts';
import type { Observation } from '../evidence/types.ts';
import { defineScenario, judgementOf } from './define-scenario.ts';
import type { Recorded, ScenarioOptions } from './scenario.ts';

const OPTIONS: ScenarioOptions = { ...BARE_OPTIONS, volatile: ['/at'] };
const SEEN: readonly Recorded<Observation>[] = [{ id: 'o1', type: 't', exchanges: [] }];

function judged(judge: (seen: readonly Recorded<Observation>[]) => Outcome) {
  return defineScenario({ ...BARE, checks: [{ id: 'run.created', title: 't', judge }] }).judge(SEEN, OPTIONS);
}

const passing = () => pass(SEEN);

const BARE = { id: 's', suite: 'u', title: 't', drive: async () => [] };

describe('defineScenario', () => {
  it('applies to every host and needs nothing, where nothing else is said', () => {
    expect(defineScenario({ ...BARE, checks: [] })).toMatchObject({ needs: [], exclusive: [], checks: [] });
  });

  it('finds the requirement of a check by its id', () => {
    const checks = ['run.created', 'fork.created.every-sequence'].map((id) => ({ id, title: 't', judge: passing }));
    const requirements = defineScenario({ ...BARE, checks }).checks.map(({ requirement }) => requirement);
    expect(requirements).toEqual(['run.created', 'fork.created']);
    expect(() => defineScenario({ ...BARE, checks: [{ id: 'no.such', title: 't', judge: passing }] })).toThrow(
      'no.such',
    );
  });

  it('gives each check what is seen, read once, and the options', () => {
    let count = 0;
    const scenario = defineScenario<
      Observation,
      { readonly ids: readonly string[]; readonly volatile: readonly string[] }
    >({
      ...BARE,
      see: (recorded, { options }) => {
        count += 1;
        return { ids: recorded.map(({ id }) => id), volatile: options.volatile };
      },
      checks: ['run.created', 'run.snapshot-agrees'].map((id) => ({
        id,
        title: 't',
        judge: ({ ids, volatile }, { everything }) => pass(ids, `${volatile.join()} ${everything.length}`),
      })),
    });
    const all = SEEN.map((each) => ({ ...each, scenario: 's' }));
    expect(scenario.judge(SEEN, OPTIONS, all)).toMatchObject([{ reason: '/at 1' }, { reason: '/at 1' }]);
    expect(count).toBe(1);
  });

  it('leaves to all checks the outcome that is left without what they judge', () => {
    const scenario = defineScenario<Observation, Recorded<Observation>>({
      ...BARE,
      see: (recorded) => recorded[1] ?? undecided('no second observation', recorded),
      checks: ['run.created', 'run.snapshot-agrees'].map((id) => ({
        id,
        title: 't',
        judge: (seen) => pass([seen.id]),
      })),
    });
    const left = { verdict: 'inconclusive', reason: 'no second observation', evidence: ['o1'] };
    expect(scenario.judge(SEEN, OPTIONS)).toEqual(
      ['run.created', 'run.snapshot-agrees'].map((check) => ({ check, ...left })),
    );
    expect(scenario.judge([...SEEN, ...SEEN], OPTIONS)).toMatchObject([{ verdict: 'pass' }, { verdict: 'pass' }]);
  });

  it('says of each kind of outcome what the report says', () => {
    const mismatch = { expected: 'e', actual: 'a', diagnosis: { code: 'code', message: 'why' } };
    expect(judged((seen) => pass(seen))).toEqual([{ check: 'run.created', verdict: 'pass', evidence: ['o1'] }]);
    expect(judged((seen) => fail(mismatch, seen))).toEqual([
      { check: 'run.created', verdict: 'fail', ...mismatch, evidence: ['o1'] },
    ]);
    expect(judged((seen) => undecided('r', seen))).toEqual([
      { check: 'run.created', verdict: 'inconclusive', reason: 'r', evidence: ['o1'] },
    ]);
    expect(judgementOf('c', notApplicable('r', SEEN))).toEqual({
      check: 'c',
      verdict: 'not-applicable',
      reason: 'r',
      evidence: ['o1'],
    });
    expect(judgementOf('c', rests('other', undecided('r', [])))).toMatchObject({
      verdict: 'inconclusive',
      restsOn: 'other',
    });
    expect(judgementOf('c', fail({ ...mismatch, restsOn: 'other' }, []))).toMatchObject({
      verdict: 'fail',
      restsOn: 'other',
    });
  });

  it('lets a judge that throws spoil its own check only', () => {
    const scenario = defineScenario({
      ...BARE,
      checks: [
        { id: 'run.created', title: 't', judge: () => JSON.parse('{') as Outcome },
        { id: 'run.snapshot-agrees', title: 't', judge: (seen) => pass(seen) },
      ],
    });
    expect(scenario.judge(SEEN, OPTIONS)).toMatchObject([{ verdict: 'error' }, { verdict: 'pass' }]);
  });

  it('decides nothing by evidence that is not as a scenario of its suite records it', () => {
    const scenario = defineScenario({
      ...BARE,
      suite: 'run-lifecycle',
      checks: [{ id: 'run.created', title: 't', judge: passing }],
    });
    const reason = 'the evidence is damaged: o1 is not as it is recorded, at /type';
    expect(scenario.judge(SEEN, OPTIONS)).toEqual([
      { check: 'run.created', verdict: 'inconclusive', reason, evidence: ['o1'] },
    ]);
  });

  it.each([
    ['status', 'snapshot'],
    ['runId', 'snapshotAgain'],
  ])('decides nothing by a run whose %s was taken out of its %s', (name, document) => {
    const scenario = defineScenario({
      ...BARE,
      suite: 'run-lifecycle',
      checks: [{ id: 'run.created', title: 't', judge: passing }],
    });
    const nothing = { role: 'r', fork: null, answered: null, answer: null, problem: null, workflowId: 'w' };
    const run = { type: 'run', runId: 'r', ...nothing, events: [], snapshot: {}, exchanges: [], id: 'o1' };
    const decided = (value: string) => scenario.judge([{ ...run, [document]: { [name]: value } }], OPTIONS);
    const reason = `the host shows the credential in o1, at /${document}/${name}: it was taken out, and nothing can be compared with it`;
    expect(decided('[redacted]')).toMatchObject([{ verdict: 'inconclusive', reason }]);
    expect(decided('[redacted] or not')).toMatchObject([{ verdict: 'pass' }]);
  });
});
