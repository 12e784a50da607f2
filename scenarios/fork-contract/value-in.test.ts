import { expect, it } from 'vitest';
import { run } from '../../test/fork-observations.ts';
import { valueIn } from './value-in.ts';

it.each(['output', 'outputs', 'result'])('reads what a node gave as its %s where no variable is shown', (name) => {
  const event = { eventId: 'e', sequence: 1, type: 'node.completed', nodeId: 'configured', payload: { [name]: 7 } };
  const given = run('source', { events: [event], snapshot: {} });
  expect(valueIn(given, 'configured')).toBe(7);
  expect(valueIn(given, 'another')).toBeUndefined();
});
