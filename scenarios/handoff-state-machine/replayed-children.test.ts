import { describe, expect, it } from 'vitest';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { judgementIn, observed, replayCalled, runCalled, type Said, say, verdictOf } from '../../test/recorded-runs.ts';
import { GIVEN, HANDOFF } from './fixtures.ts';
import { replayedChildren, replayRole, sourceRole } from './replayed-children.ts';

const ROW = 'replay.no-second-child';
const [{ workflowId, variable }] = GIVEN;

function naming(...children: readonly string[]): readonly Said[] {
  const named = children.map((childRunId) =>
    say('core.workflowChain.event', { phase: 'dispatch.succeeded', workerId: 'w', childRunId }),
  );
  return [say('run.started'), ...named, say('run.completed')];
}

function child(runId: string, value: string | undefined, problem: string | null = null): Recorded<Observation> {
  const variables = value === undefined ? {} : { [variable]: value };
  const snapshot = { runId, status: 'completed', variables };
  const rest = { parent: 'p', answered: 200, events: [], logs: null, problem };
  return observed(`o-${runId}`, 'child', { runId, snapshot, ...rest });
}

const SOURCE = runCalled('src', naming('c1'), { role: sourceRole(workflowId) });
const replay = (...children: readonly string[]): Recorded<Observation> =>
  replayCalled('rep', naming(...children), { role: replayRole(workflowId, undefined) });
const again = (...children: readonly string[]): Recorded<Observation> =>
  replayCalled('again', naming(...children), { role: `replay of the ${replayRole(workflowId, undefined)}`, of: 'rep' });
const verdict = (...recorded: readonly Recorded<Observation>[]): string => verdictOf(replayedChildren, ROW, recorded);

describe('replay.no-second-child', () => {
  const given = child('c1', 'Alice');

  it('passes with the recorded child, and with one of its own that was given the same', () => {
    expect(verdict(SOURCE, given, replay('c1'))).toBe('pass');
    expect(verdict(SOURCE, given, replay('c2'), child('c2', 'Alice'))).toBe('pass');
    const bare = runCalled('src', naming('c1'), { role: sourceRole(HANDOFF) });
    expect(verdict(bare, replay('c2'))).toBe('pass');
  });

  it('fails with a second child, or with one that was given something else', () => {
    expect(verdict(SOURCE, given, replay('c1', 'c2'))).toBe('fail second-child');
    expect(verdict(SOURCE, given, replay('c2'), child('c2', 'baked-in'))).toBe('fail child-given-otherwise');
    expect(verdict(SOURCE, given, replay('c2'), child('c2', undefined))).toBe('fail child-given-otherwise');
  });

  it('looks at the other children where the source names itself, and rests where it names no other', () => {
    const [source, alone] = [naming('src', 'c1'), naming('src')].map((log) =>
      runCalled('src', log, { role: sourceRole(workflowId) }),
    ) as [typeof SOURCE, typeof SOURCE];
    const itself = child('rep', undefined);
    expect(verdict(source, given, replay('rep', 'c2'), itself, child('c2', 'Alice'))).toBe('pass');
    expect(verdict(source, given, replay('rep', 'c2'), child('c2', 'x'))).toBe('fail child-given-otherwise');
    expect(verdict(SOURCE, given, replay('rep'), itself)).toBe('fail child-given-otherwise');
    const judgement = judgementIn(replayedChildren, ROW, [alone, replay('rep')]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'handoff.child-is-a-run' });
  });

  it('looks at a replay of the replay as well', () => {
    expect(verdict(SOURCE, given, replay('c1'), again('c1'))).toBe('pass');
    expect(verdict(SOURCE, given, replay('c1'), again('c1', 'c2'))).toBe('fail second-child');
  });

  it('is undecided where the log names no child, or none shows what it was given', () => {
    expect(verdict(SOURCE, given, replay())).toBe('inconclusive');
    expect(verdict(SOURCE, given)).toBe('inconclusive');
    expect(verdict(SOURCE, child('c1', undefined), replay('c2'), child('c2', undefined))).toBe('inconclusive');
    expect(verdict(SOURCE, given, replay('c2'), child('c2', undefined, 'it has not ended'))).toBe('inconclusive');
    const bare = observed('o-c2', 'child', { ...child('c2', undefined), snapshot: { runId: 'c2' } });
    expect(verdict(SOURCE, given, replay('c2'), bare)).toBe('inconclusive');
    expect(verdict(runCalled('src', naming(), { role: sourceRole(workflowId) }), replay('c1'))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});

function worker(runId: string, of: string, input: string): Recorded<Observation> {
  const snapshot = { runId, workflowId: of, status: 'completed', variables: { input } };
  const rest = { parent: 'p', answered: 200, events: [], logs: null, problem: null };
  return observed(`o-${runId}`, 'child', { runId, snapshot, ...rest });
}

describe('replay.no-second-child of two workers', () => {
  const [, , { workflowId: both }] = GIVEN;
  const source = runCalled('src', naming('a', 'b'), { role: sourceRole(both) });
  const own = replayCalled('rep', naming('a', 'b2'), { role: replayRole(both, undefined) });
  const seen = [source, worker('a', 'first', 'default'), worker('b', 'second', 'override'), own];

  it('compares each with its own', () => {
    expect(verdict(...seen, worker('b2', 'second', 'override'))).toBe('pass');
    expect(verdict(...seen, worker('b2', 'second', 'default'))).toBe('fail child-given-otherwise');
  });

  it('is undecided where nothing tells whose it is', () => {
    expect(verdict(...seen, worker('b2', 'third', 'default'))).toBe('inconclusive');
  });
});

const swept = (...runs: readonly Recorded<Observation>[]): string =>
  verdictOf(
    replayedChildren,
    ROW,
    [],
    runs.map((run) => ({ ...run, scenario: 'sequence.sweep' })),
  );

describe('replay.no-second-child of what a sweep saw', () => {
  const theirs = runCalled('their', naming('c1', 'c1'), { role: 'source of vendor.flow' });
  const from = (fromSeq: number, ...children: readonly string[]) =>
    replayCalled(`their${fromSeq}`, naming(...children), { of: 'their', from: fromSeq });
  it('passes with the recorded child, and with one of its own', () => {
    expect(swept(theirs, from(0, 'c1', 'c1'))).toBe('pass');
    expect(swept(theirs, from(0, 'c2', 'c2'))).toBe('pass');
  });

  it('fails with a second one', () => {
    expect(swept(theirs, from(0, 'c1', 'c1'), from(3, 'c1', 'c1', 'c2'))).toBe('fail second-child');
  });

  it('says nothing of a replay that begins within a dispatch, nor of workflows without children', () => {
    expect(swept(theirs, from(2, 'c1', 'c2'))).toBe('inconclusive');
    const bare = runCalled('their', naming(), { role: 'source of vendor.flow' });
    expect(swept(bare, from(0, 'c2'))).toBe('inconclusive');
  });
});
