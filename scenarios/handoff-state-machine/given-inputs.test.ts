import { describe, expect, it } from 'vitest';
import { childRun, entryOf, eventsOf, HAPPY, handoffRun } from '../../test/handoff-runs.ts';
import { judgementIn, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { GIVEN_BY_ANOTHER } from './fixtures.ts';
import { givenInputs } from './given-inputs.ts';

const CHECK = 'handoff.output-mapping.inputs';
const ROLE = `run of ${GIVEN_BY_ANOTHER.workflowId}`;
const run = handoffRun(HAPPY, { role: ROLE });

/** The child of that run, with these variables. */
function child(variables: Readonly<Record<string, string>>, workflowId: string = GIVEN_BY_ANOTHER.child) {
  const snapshot = { status: 'completed', workflowId, variables };
  return childRun({ parent: ROLE, snapshot });
}

function verdict(...seen: Parameters<typeof verdictOf>[2]): string {
  return verdictOf(givenInputs, CHECK, seen);
}

/** A log whose run was given this input. */
const started = (input: string) => eventsOf([entryOf('start', 'run.started', { inputs: { input } })], 'child-1');

describe('what a child is given', () => {
  it('passes where the child shows what was mapped, whatever that is', () => {
    expect(verdict(run, child({ input: 'hello' }))).toBe('pass');
    const other = handoffRun(HAPPY, { role: ROLE, snapshot: { variables: { sharedVar: 'good day' } } });
    expect(verdict(other, child({ input: 'good day' }))).toBe('pass');
  });

  it('fails where it shows another value', () => {
    expect(verdict(run, child({ input: 'baked-in' }))).toBe('fail input-not-mapped');
    expect(verdict(run, child({ input: 'baked-in' }, `${GIVEN_BY_ANOTHER.child}@2`))).toBe('fail input-not-mapped');
  });

  it('rests where the snapshot is against the log', () => {
    const snapshot = {
      runId: 'another',
      status: 'failed',
      workflowId: GIVEN_BY_ANOTHER.child,
      variables: { input: '' },
    };
    const judgement = judgementIn(givenInputs, CHECK, [run, childRun({ parent: ROLE, snapshot })]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
  });

  it('sees what a child started with', () => {
    const snapshot = { status: 'completed', workflowId: GIVEN_BY_ANOTHER.child };
    const given = (input: string) => childRun({ parent: ROLE, snapshot, events: started(input) });
    expect(verdict(run, given('hello'))).toBe('pass');
    expect(verdict(run, given('x'))).toBe('fail input-not-mapped');
  });

  it('asks nothing of snapshots without variables', () => {
    const bare = handoffRun(HAPPY, { role: ROLE, snapshot: {} });
    const snapshot = { status: 'completed', workflowId: GIVEN_BY_ANOTHER.child };
    expect(verdict(bare, childRun({ parent: ROLE, snapshot }))).toBe('not-applicable');
  });

  it('is open where nothing shows it', () => {
    expect(verdict(run, child({}))).toBe('inconclusive');
    expect(verdict(run, child({ input: 'x' }, 'another worker'))).toBe('inconclusive');
    expect(verdict(run)).toBe('inconclusive');
    expect(verdict(unfinished(run), child({ input: 'x' }))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});
