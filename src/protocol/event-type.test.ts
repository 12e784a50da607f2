import { expect, it } from 'vitest';
import { isNamedType } from './event-type.ts';

it('knows the types of the wire, and no others', () => {
  for (const type of ['run.started', 'log.appended', 'replay.divergedAtRefusal', 'core.workflowChain.event']) {
    expect(isNamedType(type)).toBe(true);
  }
  for (const type of ['heartbeat', 'RUN.STARTED', 'run.archived', '']) expect(isNamedType(type)).toBe(false);
});
