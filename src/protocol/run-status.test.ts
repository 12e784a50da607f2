import { describe, expect, it } from 'vitest';
import { endOf, endSaidBy, goesOn, isBusy, isOwnWord, isParked, kindOfStatus, terminalStatus } from './run-status.ts';

describe('the kind of a status', () => {
  it.each([
    ['completed', 'ended'],
    ['cancelled', 'ended'],
    ['waiting-external', 'open'],
    ['cancelling', 'open'],
    ['archived', undefined],
    [7, undefined],
  ])('of %j is %j', (status, kind) => expect(kindOfStatus(status)).toBe(kind));
});

describe('terminalStatus', () => {
  it.each([
    ['run.completed', 'completed'],
    ['run.failed', 'failed'],
    ['run.cancelled', 'cancelled'],
    ['run.started', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
  ])('of %s is %s', (type, status) => {
    expect(terminalStatus(type)).toBe(status);
  });
});

describe('the end of a log', () => {
  it('is its first terminal event', () => {
    const log = ['run.started', 'run.failed', 'run.completed'].map((type) => ({ type }));
    expect(endOf(log)).toBe('failed');
    expect(endOf(log.slice(0, 1))).toBeUndefined();
  });
});

it('tells runs that wait for somebody from those that are worked on', () => {
  for (const status of ['waiting-approval', 'waiting-input', 'paused', 'suspended', 'parked', 'on-hold', 'Blocked']) {
    expect([status, isParked(status), isBusy(status)]).toEqual([status, true, false]);
  }
  for (const status of ['pending', 'running', 'queued', 'in-progress', 'recovering', 'cancelling']) {
    expect([status, isParked(status), isBusy(status)]).toEqual([status, false, true]);
  }
  for (const status of ['completed', 'failed', 'something', undefined, 3]) {
    expect([isParked(status), isBusy(status)]).toEqual([false, false]);
  }
});

describe('a word of the host’s own', () => {
  it('is none of the wire’s, and none for a run that goes on or waits', () => {
    expect(['succeeded', 'COMPLETED', 'archived'].map(isOwnWord)).toEqual([true, true, true]);
    const others = ['completed', 'running', 'processing', 'waiting-clarification', 'on hold', undefined, null, 3];
    expect(others.filter(isOwnWord)).toEqual([]);
  });
});

describe('a status that says that a run goes on', () => {
  it('is one of the wire’s, or another word that can mean nothing else', () => {
    const going = ['running', 'cancelling', 'executing', 'In_Progress', 'queued', 'waiting-clarification', 'awaiting'];
    expect(going.filter((status) => !goesOn(status))).toEqual([]);
    const others = ['completed', 'replayed', 'recovered', 'resumed', 'created', 'archived', 'queued-out', 'waitlisted'];
    expect([...others, undefined, null, 3].filter(goesOn)).toEqual([]);
  });
});

describe('the end that a status says', () => {
  it.each([
    ['completed', 'completed'],
    ['Succeeded', 'completed'],
    ['success', 'completed'],
    ['FAILED', 'failed'],
    ['errored', 'failed'],
    ['canceled', 'cancelled'],
    ['finished', undefined],
    ['archived', undefined],
    ['running', undefined],
    [null, undefined],
  ])('in %j is %j', (status, end) => expect(endSaidBy(status)).toBe(end));
});
