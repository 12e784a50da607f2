import { expect, it } from 'vitest';
import { isBusy, isParked } from './run-status.ts';

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
