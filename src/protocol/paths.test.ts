import { describe, expect, it } from 'vitest';
import { diffPath, eventsPath, forkPath, interruptPath, pollPath, runPath, workflowPath } from './paths.ts';

describe('paths', () => {
  it('are those of the wire contract', () => {
    expect(runPath('r')).toBe('/v1/runs/r');
    expect(eventsPath('r')).toBe('/v1/runs/r/events');
    expect(pollPath('r')).toBe('/v1/runs/r/events/poll');
    expect(forkPath('r')).toBe('/v1/runs/r:fork');
    expect(diffPath('r', 's')).toBe('/v1/runs/r:diff?against=s');
    expect(interruptPath('r', 'n')).toBe('/v1/runs/r/interrupts/n');
    expect(workflowPath('w')).toBe('/v1/workflows/w');
  });

  it.each([
    ['a/b?c#d', '/v1/runs/a%2Fb%3Fc%23d'],
    ['\n::error::', '/v1/runs/%0A%3A%3Aerror%3A%3A'],
    ['\ud800', '/v1/runs/%EF%BF%BD'],
  ])('hold %j as one segment', (id, path) => {
    expect(runPath(id)).toBe(path);
  });
});
