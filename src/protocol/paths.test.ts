import { describe, expect, it } from 'vitest';
import {
  cancelPath,
  debugPath,
  diffPath,
  DISCOVERY_PATH,
  eventsPath,
  forkPath,
  interruptPath,
  isOnce,
  pollPath,
  runMadeAt,
  runPath,
  RUNS_PATH,
  seamPath,
  workflowPath,
} from './paths.ts';

describe('paths', () => {
  it('are those of the wire contract', () => {
    expect(runPath('r')).toBe('/v1/runs/r');
    expect(eventsPath('r')).toBe('/v1/runs/r/events');
    expect(pollPath('r')).toBe('/v1/runs/r/events/poll');
    expect(forkPath('r')).toBe('/v1/runs/r:fork');
    expect(diffPath('r', 's')).toBe('/v1/runs/r:diff?against=s');
    expect(interruptPath('r', 'n')).toBe('/v1/runs/r/interrupts/n');
    expect(workflowPath('w')).toBe('/v1/workflows/w');
    expect(debugPath('r')).toBe('/v1/runs/r/events?streamMode=debug');
    expect(DISCOVERY_PATH).toBe('/.well-known/openwop');
    expect(seamPath('s')).toBe('/v1/host/sample/test/s');
  });

  it.each([
    [RUNS_PATH, { source: null }],
    [forkPath('a/b'), { source: 'a/b' }],
    [runPath('r'), undefined],
    [eventsPath('r'), undefined],
  ])('make a run at %s: %j', (path, made) => {
    expect(runMadeAt(path)).toEqual(made);
  });

  it.each([
    [interruptPath('r', 'cancel'), true],
    [cancelPath('r'), true],
    [runPath('r'), false],
    [runPath('cancel'), false],
    [forkPath('r'), false],
    [`${eventsPath('r')}?a=/v1/runs/r/cancel`, false],
  ])('have an effect once at %s: %j', (path, once) => {
    expect(isOnce(`http://h/base${path}`)).toBe(once);
  });

  it.each([
    ['a/b?c#d', '/v1/runs/a%2Fb%3Fc%23d'],
    ['\n::error::', '/v1/runs/%0A%3A%3Aerror%3A%3A'],
    ['\ud800', '/v1/runs/%EF%BF%BD'],
  ])('hold %j as one segment', (id, path) => {
    expect(runPath(id)).toBe(path);
  });
});
