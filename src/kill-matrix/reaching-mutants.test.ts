import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { always } from '../contract/gates.ts';
import type { Scenario } from '../runner/scenario.ts';
import { reachingMutants } from './reaching-mutants.ts';

function mutants(...ids: readonly string[]) {
  return MUTANTS.filter(({ id }) => ids.includes(id));
}

function reaching(drive: (probe: Parameters<Scenario['drive']>[0]) => unknown) {
  const scenario: Scenario = {
    id: 's',
    suite: 'u',
    title: 't',
    checks: [],
    gate: always,
    needs: [],
    exclusive: [],
    drive: async (probe) => {
      drive(probe);
      return [];
    },
    judge: () => [],
  };
  return reachingMutants([{ id: 'u', scenarios: [scenario] }], mutants('discovery-as-html', 'discovery-not-found'));
}

describe('hosts without a discovery document', () => {
  it('stand for each other where a drive reads the document', async () => {
    expect(await reaching(({ discovery }) => discovery === undefined)).toHaveLength(1);
  });

  it('are all met where a drive reads the answer itself', async () => {
    expect(await reaching(({ discoveryExchange }) => discoveryExchange.kind)).toHaveLength(2);
  });

  it('make no difference where a drive reads neither', async () => {
    expect(await reaching(() => undefined)).toEqual([]);
  });
});
