import { describe, expect, it } from 'vitest';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { PUBLIC } from '../shared/public-workflows.ts';
import { planSweep } from './sweep-others.ts';

const FIXTURES = [
  'conformance-noop',
  'vendor.flow',
  'conformance-approval',
  'conformance-determinism-wall-clock',
  'other',
];

function plan(options: Partial<ScenarioOptions> = {}, fixtures: readonly unknown[] = FIXTURES) {
  const { others, ...rest } = planSweep({ fixtures }, { forks: 200, ...options });
  return { ...rest, others: others.map(({ workflowId }) => workflowId) };
}

describe('the plan of a sweep', () => {
  it('takes public workflows first, then all others, and no fixture of this project', () => {
    expect(plan()).toEqual({
      advertised: 4,
      always: 1,
      others: ['conformance-approval', 'vendor.flow', 'other'],
      leftOut: [],
    });
  });

  it('takes so many, and says which not', () => {
    expect(plan({ sweep: 1 })).toMatchObject({
      others: ['conformance-approval'],
      leftOut: [
        { workflowId: 'vendor.flow', why: '--sweep 1' },
        { workflowId: 'other', why: '--sweep 1' },
      ],
    });
    const none = plan({ sweep: 0 });
    expect(none.others).toEqual([]);
    expect(none.leftOut.map(({ why }) => why)).toEqual(['--sweep none', '--sweep none', '--sweep none']);
  });

  it('takes what was added in any case, once, with its inputs', () => {
    const inputs = { a: 1 };
    const workflows = [{ workflowId: 'other', given: { file: 'f', inputs } }, { workflowId: 'unlisted' }];
    const document = { fixtures: FIXTURES };
    expect(planSweep(document, { forks: 200, sweep: 0, workflows }).others).toEqual([
      { workflowId: 'other', given: { inputs } },
      { workflowId: 'unlisted' },
    ]);
    const [approval] = planSweep(document, {
      forks: 200,
      workflows: [{ workflowId: 'conformance-approval', given: { file: 'f', inputs } }],
    }).others;
    expect(approval).toMatchObject({ given: { inputs }, answer: { nodeId: 'gate' } });
  });

  it('leaves out what is like another one where few forks are made', () => {
    const { others, leftOut } = plan({ forks: 3 }, ['conformance-clarification', 'conformance-approval']);
    expect([others, leftOut]).toEqual([
      ['conformance-approval'],
      [{ workflowId: 'conformance-clarification', why: 'another one is like it, and --forks is below 10' }],
    ]);
  });

  it('tries the kinds of public ones on a host that lists none', () => {
    const { others, always } = plan({}, []);
    expect([others.includes('conformance-delay'), others.includes('conformance-noop'), always]).toEqual([
      true,
      false,
      0,
    ]);
  });

  it('passes over ids that cannot be shown, and over what is none', () => {
    const { others, leftOut, advertised } = plan({}, ['a\u001B[2J', 'x'.repeat(500), 7, 'fine', 'fine']);
    expect([others, leftOut.length, advertised]).toEqual([['fine'], 2, 3]);
  });
});

describe('the public workflows', () => {
  it('stand in the table once, and those that are left out have one that is kept', () => {
    const ids = PUBLIC.map(({ workflowId }) => workflowId);
    const kept = PUBLIC.filter(({ like }) => like === undefined).map(({ workflowId }) => workflowId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(PUBLIC.flatMap(({ like }) => like ?? []).filter((like) => !kept.includes(like))).toEqual([]);
  });
});
