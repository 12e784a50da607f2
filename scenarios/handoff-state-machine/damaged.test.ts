import { describe, expect, it } from 'vitest';
import type { Observation } from '../../src/evidence/types.ts';
import { run } from '../../test/fork-observations.ts';
import { handoffStateMachine } from './index.ts';

const OPTIONS = {
  seed: 1,
  vectors: 0,
  forks: 1,
  recipe: 'rfc-0041',
  volatile: [],
  crash: 'none',
} as const;

const DAMAGED: readonly [string, object][] = [
  ['a run without events', { ...run('handoff'), events: undefined }],
  ['a child whose logs are a number', { type: 'child', parent: 'handoff', runId: 'r', answered: 200, logs: 1 }],
  ['calls that are no list', { type: 'calls', after: 'source', url: 'http://w', calls: null, exchanges: [] }],
  ['an observation of another suite', { type: 'key', exchanges: [] }],
];

describe.each(handoffStateMachine.scenarios.map((scenario) => [scenario.id, scenario] as const))(
  '%s',
  (_, scenario) => {
    it.each(DAMAGED)('decides nothing by %s', (_what, observation) => {
      const judgements = scenario.judge([{ id: 'o1', ...(observation as Observation) }], OPTIONS);
      expect(judgements.map(({ check }) => check)).toEqual(scenario.checks.map(({ id }) => id));
      for (const { verdict, reason } of judgements) {
        expect(verdict).toBe('inconclusive');
        expect(reason).toMatch(/^the evidence is damaged: o1/u);
      }
    });
  },
);
