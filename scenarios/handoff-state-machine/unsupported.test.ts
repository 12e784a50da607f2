import { describe, expect, it } from 'vitest';
import { unseenRun, verdictOf } from '../../test/recorded-runs.ts';
import { type Entry, HAPPY, handoffRun, told, without } from '../../test/told-handoffs.ts';
import { unsupported } from './unsupported.ts';

const SILENT = without(HAPPY, 'began', 'succeeded', 'completed', 'harvested');

function verdict(...seen: Parameters<typeof verdictOf>[2]): string {
  return verdictOf(unsupported, 'handoff.not-unless-supported', seen);
}

const plain = (log: readonly Entry[] = [told('over', 'run.completed')]) =>
  handoffRun(log, { id: 'o5', role: 'plain run' });
const handed = (log: readonly Entry[]) => handoffRun(log, { role: 'handoff run' });

describe('handoff.not-unless-supported', () => {
  it('passes without events of the state machine; decisions and dispatches are older ones', () => {
    expect(verdict(plain(), handed(SILENT))).toBe('pass');
    expect(verdict(plain(), unseenRun(handed([])))).toBe('pass');
  });

  it.each(['core.workflowChain.event', 'core.dispatch.failed'])('fails with a %s', (type) => {
    expect(verdict(plain(), handed([...SILENT, told('x', type)]))).toBe('fail');
    expect(verdict(plain([told('x', type, null), told('over', 'run.completed')]))).toBe('fail');
  });

  it('is open where no run was seen to its end', () => {
    expect(verdict(unseenRun(plain()), unseenRun(handed(SILENT)))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});
