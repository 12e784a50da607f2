import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { recordedRun } from '../../test/recorded-runs.ts';
import { originsIn } from './named-run.ts';
import { forkNameFaults, parentsIn } from './snapshot-names.ts';

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

  it('is not held against an answer that names another mode, or a source that nobody read', () => {
    expect(faults({ forkMode: 'branch' }, { answered: 'branch' })).toEqual([]);
    expect(faults({ parentRunId: 'r9' }, { before: [SOURCE, OTHER] })).toEqual([]);
  });
});
