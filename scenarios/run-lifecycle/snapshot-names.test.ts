import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { recordedRun } from '../../test/recorded-runs.ts';
import { originsIn } from './named-run.ts';
import { forkNameFaults, parentsIn, snapshotNameFaults, snapshotTimeFaults } from './snapshot-names.ts';

const fork = { sourceRunId: 'r1', mode: 'branch', fromSeq: 1, advertised: true };
const SOURCE = recordedRun('r1', { snapshot: { runId: 'r1', status: 'completed', parentRunId: 'handing-off' } });
const BRANCH = recordedRun('r2', { fork, answer: { mode: 'branch' } });
const OTHER = recordedRun('r9', { snapshot: { runId: 'r9', status: 'completed' } });

/** The members of the snapshot of a branch's fork that are not its own. */
function faults(snapshot: Json, { answered = 'replay', before = [SOURCE, BRANCH, OTHER] } = {}): readonly string[] {
  const run = recordedRun('r3', {
    fork: { ...fork, sourceRunId: 'r2', mode: 'replay' },
    answer: { mode: answered },
    snapshot,
  });
  const all = [...before, run];
  return forkNameFaults(run, originsIn(all), parentsIn(all)).map(({ pointer, wrong }) => `${pointer} ${wrong}`);
}

/** What is wrong with an id in the snapshot of a fork of a fork. */
function named(runId: string): readonly string[] {
  const run = recordedRun('r3', { fork: { ...fork, sourceRunId: 'r2', mode: 'replay' }, snapshot: { runId } });
  return snapshotNameFaults(run).map(({ pointer, wrong }) => `${pointer} ${wrong}`);
}

describe('the snapshot of a fork', () => {
  it('names neither its mode nor its parent, or what it comes from, or what its source was handed off by', () => {
    expect(faults({})).toEqual([]);
    expect(faults({ forkMode: null, parentRunId: null })).toEqual([]);
    expect(faults({ forkMode: 'replay', parentRunId: 'r2' })).toEqual([]);
    expect(faults({ forkMode: 'deterministic', parentRunId: 'r1' })).toEqual([]);
    expect(faults({ parentRunId: 'handing-off' })).toEqual([]);
  });

  it('names no other mode, and no run that it does not come from', () => {
    expect(faults({ forkMode: 'branch' })).toEqual(['/forkMode is "branch", not "replay"']);
    expect(faults({ parentRunId: 'r3' })).toEqual(['/parentRunId is "r3", not the source "r2"']);
    expect(faults({ parentRunId: 'r9' })).toEqual(['/parentRunId is "r9", not the source "r2"']);
  });

  it('has its own id, not that of a run that it comes from', () => {
    expect(named('r3')).toEqual([]);
    for (const id of ['r1', 'r2', 'r9']) expect(named(id)).toEqual([`/runId is "${id}", not "r3"`]);
  });

  it('is not held against an answer that names another mode, or a source that nobody read', () => {
    expect(faults({ forkMode: 'branch' }, { answered: 'branch' })).toEqual([]);
    expect(faults({ parentRunId: 'r9' }, { before: [SOURCE, OTHER] })).toEqual([]);
  });
});

/** The times of a snapshot that are wrong. */
function timed(snapshot: Json, more: object = {}): readonly string[] {
  return snapshotTimeFaults(recordedRun('r1', { snapshot, ...more })).map(({ pointer }) => pointer);
}

describe('the times of a snapshot', () => {
  const startedAt = '2026-01-01T10:00:00Z';
  it('show an end of a run that has ended alone, and none before its beginning', () => {
    expect(timed({ status: 'waiting-input', startedAt })).toEqual([]);
    expect(timed({ status: 'waiting-input', startedAt, completedAt: null })).toEqual([]);
    expect(timed({ status: 'waiting-input', completedAt: startedAt })).toEqual(['/completedAt']);
    expect(timed({ status: 'completed', startedAt, completedAt: '2026-01-01T11:00:00.5+01:00' })).toEqual([]);
    expect(timed({ status: 'completed', startedAt, completedAt: '2026-01-01T09:59:59.5Z' })).toEqual([]);
    expect(timed({ status: 'completed', startedAt, endedAt: '2026-01-01T09:59:00Z' })).toEqual(['/endedAt']);
  });

  it('say nothing in other forms, or of forks', () => {
    expect(timed({ status: 'completed', startedAt, completedAt: '2026-01-01 09:00' })).toEqual([]);
    expect(timed({ status: 'completed', startedAt: 5, completedAt: '1999-01-01T00:00:00Z' })).toEqual([]);
    expect(timed({ status: 'completed', startedAt, completedAt: '1999-01-01T00:00:00Z' }, { fork })).toEqual([]);
  });
});
