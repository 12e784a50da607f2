import { describe, expect, it } from 'vitest';
import { refusedRun, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import { CHILD, childRun, type Entry, HAPPY, eventsOf, handoffRun, entryOf, without } from '../../test/handoff-runs.ts';
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

  it('fails with one in a child or a replay, and asks for neither', () => {
    const told = [entryOf('x', 'core.workflowChain.event'), entryOf('over', 'run.completed')];
    const fork = { sourceRunId: 'run-parent', mode: 'replay', fromSeq: null, advertised: true } as const;
    const child = childRun({ parent: 'nested run', events: eventsOf(told, CHILD) });
    expect(verdict(plain(), handed(SILENT), child)).toBe('fail unsupported-shown');
    expect(verdict(plain(), handed(SILENT), handoffRun(told, { role: 'full replay', fork }))).toBe(
      'fail unsupported-shown',
    );
    const refused = { ...refusedRun(handoffRun([], { role: 'full replay' })), fork };
    expect(verdict(plain(), handed(SILENT), childRun(), refused)).toBe('pass');
    expect(verdict(unfinished(plain()), unfinished(handed(SILENT)), refused)).toBe('inconclusive');
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
