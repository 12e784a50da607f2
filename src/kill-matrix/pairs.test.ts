import { describe, expect, it } from 'vitest';
import { defaultParts, type HostParts } from '../../reference-host/index.ts';
import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import { SUITES } from '../../scenarios/index.ts';
import type { CheckReport } from '../contract/report.ts';
import { pairProblems, pairsOf, withBoth } from './pairs.ts';

function mutant(id: string, kills: readonly string[], parts: Partial<HostParts> = {}): Mutant {
  return { id, breaks: id, kills, parts: () => parts };
}

const RUNS = mutant('no-runs', ['run.created']);
const FORKS = mutant('no-forks', ['fork.created']);
const ORDER = mutant('order', ['handoff.happy-path', 'handoff.loop']);
const SHARED_IDS = mutant('shared-ids', ['fork.created.own-id']);
const KEYS = mutant('keys', ['cache-key.sorts-tools']);

function check(id: string, verdict: CheckReport['verdict'], more: Partial<CheckReport> = {}): CheckReport {
  const where = { suite: 'u', scenario: 's', requirement: id, level: 'MUST', title: id } as const;
  return { id, ...where, verdict, evidence: [], durationMs: 1, ...more };
}

/** Adds a text to every answer. */
function adding(text: string): Partial<HostParts> {
  return { middleware: (next) => async (request) => new Response((await (await next(request)).text()) + text) };
}

const names = (seed: number): readonly string[] =>
  pairsOf([RUNS, FORKS, ORDER, KEYS, SHARED_IDS], SUITES, seed).map(
    ({ foundation, other }) => `${foundation.id} ${other.id}`,
  );

describe('the pairs', () => {
  it('are each broken foundation with each mutant of the suites after it', () => {
    expect(names(1).toSorted()).toEqual(['no-forks order', 'no-runs keys', 'no-runs no-forks', 'no-runs order']);
    expect(names(1)).toEqual(names(1));
    expect(new Set([1, 2, 3, 4, 5].map((seed) => names(seed).join()))).not.toHaveProperty('size', 1);
  });

  it('stand around each other in one host, or do not fit', async () => {
    const pair = { foundation: mutant('a', [], adding('a')), other: mutant('b', [], adding('b')) };
    const both = withBoth(pair, defaultParts)?.middleware?.(() => new Response('-'));
    expect(await (await both?.(new Request('http://h')))?.text()).toBe('-ab');
    const said = (name: string) =>
      mutant(name, [], { snapshotOnWire: (shown) => ({ ...shown, [name]: shown['status'] }) });
    const shown = withBoth({ foundation: said('a'), other: said('b') }, defaultParts)?.snapshotOnWire?.({ status: 1 });
    expect(shown).toEqual({ status: 1, a: 1, b: 1 });
    const numbered = mutant('c', [], { firstSequence: 2 });
    expect(withBoth({ foundation: numbered, other: numbered }, defaultParts)).toBeUndefined();
    expect(withBoth({ foundation: numbered, other: pair.other }, defaultParts)).toHaveProperty('firstSequence', 2);
  });
});

describe('a pair', () => {
  const pair = { foundation: RUNS, other: { ...ORDER, alsoBreaks: { 'handoff.output-mapping': 'r' } } };
  const red = check('run.created', 'fail');
  const resting = check('handoff.loop', 'inconclusive', { restsOn: 'run.created' });

  it('is right where both are named, or the second rests on the first', () => {
    expect(pairProblems(pair, [red, resting])).toEqual([]);
    expect(pairProblems(pair, [red, check('handoff.loop', 'fail'), check('handoff.output-mapping', 'fail')])).toEqual(
      [],
    );
  });

  it('is wrong where one is hidden or a third row is red', () => {
    expect(pairProblems(pair, [check('run.created', 'pass'), resting])).toHaveLength(2);
    expect(
      pairProblems(pair, [red, check('handoff.loop', 'inconclusive'), check('handoff.happy-path', 'pass')]),
    ).toEqual(['no-runs + order: order is hidden: handoff.happy-path pass, handoff.loop inconclusive']);
    expect(pairProblems(pair, [red, resting, check('fork.created', 'fail')])).toEqual([
      'no-runs + order turns fork.created red, which neither names',
    ]);
  });
});
