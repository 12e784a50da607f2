import { describe, expect, it } from 'vitest';
import { refusedRun, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { type Entry, HAPPY, handoffRun, entryOf, without } from '../../test/handoff-runs.ts';
import { unsupported } from './unsupported.ts';

const SILENT = without(HAPPY, 'began', 'succeeded', 'completed', 'harvested');

function verdict(...seen: Parameters<typeof verdictOf>[2]): string {
  return verdictOf(unsupported, 'handoff.not-unless-supported', seen);
}

const plain = (log: readonly Entry[] = [entryOf('over', 'run.completed')]) =>
  handoffRun(log, { id: 'o5', role: 'plain run' });
const handed = (log: readonly Entry[]) => handoffRun(log, { role: 'handoff run' });

describe('handoff.not-unless-supported', () => {
  it('passes without events of the state machine; decisions and dispatches are older ones, a failed one too', () => {
    expect(verdict(plain(), handed(SILENT))).toBe('pass');
    expect(verdict(plain(), handed([...SILENT, entryOf('x', 'core.dispatch.failed')]))).toBe('pass');
  });

  it('passes by a plain run in which a supervisor decides', () => {
    expect(verdict(plain(SILENT))).toBe('pass');
  });

  it('fails with a transition of the state machine, in any run', () => {
    const type = 'core.workflowChain.event';
    expect(verdict(plain(), handed([...SILENT, entryOf('x', type)]))).toBe('fail unsupported-shown');
    expect(verdict(plain([entryOf('x', type, null), entryOf('over', 'run.completed')]))).toBe('fail unsupported-shown');
  });

  it('does not apply where no workflow that hands off was executed', () => {
    const nodes = ['start', 'end'].map((nodeId) => ({ ...entryOf(nodeId, 'node.completed'), nodeId }));
    expect(verdict(plain())).toBe('not-applicable');
    expect(verdict(plain(), refusedRun(handed([])))).toBe('not-applicable');
    const failing = [{ ...entryOf('start', 'node.started'), nodeId: 'supervisor' }, entryOf('over', 'run.failed')];
    expect(verdict(plain(), handed(failing))).toBe('not-applicable');
    const lacking = [entryOf('over', 'run.failed', { error: { code: 'unsupported_node_type' } })];
    expect(verdict(plain(), handoffRun(lacking, { role: 'handoff run', problem: 'not executed' }))).toBe(
      'not-applicable',
    );
    expect(verdict(plain(), handed([...nodes, entryOf('over', 'run.completed')]))).toBe('not-applicable');
  });

  it('is open where no run was seen to its end', () => {
    expect(verdict(unfinished(plain()), unfinished(handed(SILENT)))).toBe('inconclusive');
    expect(verdict(plain(), unfinished(handed([])))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});
