import { describe, expect, it } from 'vitest';
import { forksOf } from './fork-everywhere.ts';

describe('forksOf', () => {
  it.each([
    [20, 200, 200],
    [500, 200, 200],
    [2000, 200, 50],
    [49_000, 200, 2],
    [49_000, 1, 1],
    [0, 4, 4],
  ])('a log of %i events with --forks %i is forked %i times', (events, forks, made) => {
    expect(forksOf(events, forks)).toBe(made);
  });
});
