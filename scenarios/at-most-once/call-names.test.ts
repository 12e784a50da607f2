import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { runCalled } from '../../test/recorded-runs.ts';
import { callNamesIn, kept, partsOf, untaken } from './call-names.ts';
import { CHARGE } from './fixtures.ts';
import { stepsOf } from './invocation-events.ts';

const started = (payload: Json) => runCalled('r', [['tool_invocation_started', payload, 'charge']]);

describe('callNamesIn', () => {
  it('begins with the names of the wire', () => {
    expect(callNamesIn(started({}), CHARGE)).toEqual({ runIds: ['r'], nodeIds: ['charge'] });
    const named = started({ step_id: 's', jobId: 'j' });
    expect(callNamesIn(named, CHARGE)).toEqual({ runIds: ['r', 'j'], nodeIds: ['charge', 's'] });
    const same = started({ step_id: 'charge', job_id: 'r' });
    expect(callNamesIn(same, CHARGE)).toEqual({ runIds: ['r'], nodeIds: ['charge'] });
  });

  it('takes no name that changes within the call, or is empty', () => {
    const changing = runCalled('r', [
      ['tool_invocation_started', { step_id: 'a' }, 'charge'],
      ['tool_invocation_finished', { step_id: 'b' }, 'charge'],
    ]);
    expect(callNamesIn(changing, CHARGE).nodeIds).toEqual(['charge']);
    expect(callNamesIn(started({ step_id: '' }), CHARGE).nodeIds).toEqual(['charge']);
  });
});

describe('names of a host’s own', () => {
  const names = { runIds: ['r', 'j'], nodeIds: ['n', 's'] };

  it('are left out where they stand for something else, or were others elsewhere', () => {
    expect(untaken(names, [{ runIds: ['j', 'r'], nodeIds: [] }])).toEqual({ runIds: ['r'], nodeIds: ['n', 's'] });
    expect(kept(names, { runIds: ['q'], nodeIds: ['s'] })).toEqual({ runIds: ['r'], nodeIds: ['n', 's'] });
  });
});

describe('partsOf', () => {
  it('has the name that the log gives the tool first, and the fixture’s own', () => {
    const steps = stepsOf(started({ tool_name: 'Charge a card' }), CHARGE);
    const parts = partsOf(steps, CHARGE, { names: { runIds: ['r'], nodeIds: ['charge', 's'] }, args: null });
    expect(parts.map(({ nodeId, toolName }) => `${nodeId} ${toolName}`)).toEqual([
      'charge Charge a card',
      'charge charge-card',
      's Charge a card',
      's charge-card',
    ]);
  });
});
