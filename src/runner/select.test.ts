import { describe, expect, it } from 'vitest';
import { bareScenario } from '../../test/bare-scenario.ts';
import type { Scenario } from './scenario.ts';
import { covers, excludedChecks, selectScenarios, type Selection } from './select.ts';

function scenario(suite: string, id: string, ...requirements: readonly string[]): Scenario {
  const checks = requirements.map((requirement) => ({ id: requirement, requirement, title: 't' }));
  return bareScenario({ id, suite, checks });
}

const suites = [
  { id: 'a', scenarios: [scenario('a', 'a.1', 'r1', 'r2'), scenario('a', 'a.2', 'r3')] },
  { id: 'b', scenarios: [scenario('b', 'b.1', 'r2')] },
];
const all: Selection = { suites: [], scenarios: [], requirements: [] };

function selected(selection: Partial<Selection>) {
  const result = selectScenarios(suites, { ...all, ...selection });
  return result.ok ? result.scenarios.map(({ id }) => id) : result.message;
}

describe('selectScenarios', () => {
  it.each<[Partial<Selection>, readonly string[]]>([
    [{}, ['a.1', 'a.2', 'b.1']],
    [{ suites: ['b', 'a'] }, ['a.1', 'a.2', 'b.1']],
    [{ suites: ['b'] }, ['b.1']],
    [{ scenarios: ['a.2'] }, ['a.2']],
    [{ requirements: ['r2'] }, ['a.1', 'b.1']],
    [{ suites: ['a'], requirements: ['r2'] }, ['a.1']],
  ])('with %j selects %j', (selection, expected) => {
    expect(selected(selection)).toEqual(expected);
  });

  it('names every name that matches nothing', () => {
    expect(selected({ suites: ['a', 'x'], scenarios: ['y'], requirements: ['r1', 'z'] })).toBe(
      'no suite is called "x"; no scenario is called "y"; no requirement is called "z"',
    );
  });

  it('asks back where a name is near', () => {
    const [one] = suites;
    const long = [{ ...one, id: 'a', scenarios: [scenario('a', 'fork.created', 'fork.created.run')] }];
    const message = (scenarios: readonly string[]) => selectScenarios(long, { ...all, scenarios });
    expect(message(['fork.creatd'])).toEqual({
      ok: false,
      message: 'no scenario is called "fork.creatd"; did you mean fork.created?',
    });
  });

  it('takes a check for the scenario that gives its verdict, unless a scenario is called so', () => {
    expect(selected({ scenarios: ['r3'] })).toEqual(['a.2']);
    const named = [...suites, { id: 'c', scenarios: [scenario('c', 'r3', 'r4')] }];
    const result = selectScenarios(named, { ...all, scenarios: ['r3'] });
    expect(result.ok && result.scenarios.map(({ id }) => id)).toEqual(['r3']);
  });

  it('leaves out the check of a name alone, and all of a requirement, scenario or suite that no check is called', () => {
    const parts = ['r', 'r.part'].map((id) => ({ id, requirement: 'r', title: 't' }));
    const named = [
      ...suites,
      { id: 'c', scenarios: [{ ...scenario('c', 'r'), checks: parts }, scenario('c', 'c.2', 'r5')] },
    ];
    expect([...excludedChecks(named, ['r'])]).toEqual(['r']);
    expect([...excludedChecks(named, ['c', 'a.1'])]).toEqual(['r1', 'r2', 'r', 'r.part', 'r5']);
    const wide = [
      { id: 'd', scenarios: [{ ...scenario('d', 'd.1'), checks: [{ id: 'q.part', requirement: 'q', title: 't' }] }] },
    ];
    expect([...excludedChecks(wide, ['q'])]).toEqual(['q.part']);
    expect(selected({ exclude: ['r1', 'r3'] })).toEqual(['a.1', 'b.1']);
  });

  it('leaves out a scenario of whose checks each is left out or not asked for', () => {
    expect(selected({ requirements: ['r2'], exclude: ['r1'] })).toEqual(['a.1', 'b.1']);
    expect(selected({ requirements: ['r1'], exclude: ['r1'] })).toBe('nothing is selected');
    expect(selected({ requirements: ['r1', 'r3'], exclude: ['r1'] })).toEqual(['a.2']);
  });

  it('says when known names have nothing in common', () => {
    expect(selected({ suites: ['b'], requirements: ['r3'] })).toBe('nothing is selected');
  });
});

describe('covers', () => {
  it('asks for the requirement, not the check', () => {
    const one = { ...scenario('a', 'a', 'r'), checks: [{ id: 'r.part', requirement: 'r', title: 't' }] };
    expect([covers(one, 'r'), covers(one, 'r.part')]).toEqual([true, false]);
  });
});
