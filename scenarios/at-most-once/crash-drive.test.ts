import { describe, expect, it } from 'vitest';
import { OPTIONS, verdictOf } from '../../test/recorded-runs.ts';
import { toyProbe, type ToyOptions } from '../../test/mortal-toy.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { cellText, type CellObservation, type CrashObservation, type PointsObservation } from './cell.ts';
import { driveMatrix } from './crash-drive.ts';
import { crash } from './crash.ts';
import { useFastClock } from '../../test/fast-clock.ts';

useFastClock();

async function driven(options: ToyOptions = {}) {
  const seen = (await driveMatrix(toyProbe(options).probe)).map((each, index): Recorded<CrashObservation> => ({
    ...each,
    id: `o${index}`,
  }));
  const points = seen.find((each): each is Recorded<PointsObservation> => each.type === 'points');
  const cells = seen.filter((each): each is Recorded<CellObservation> => each.type === 'cell');
  return { seen, points, cells };
}

const SINGLES = ['before-create-run@1', 'before-append-started@1', 'before-execute@1', 'before-append-finished@1'];

describe('driveMatrix', () => {
  it('drives the run that is not cut, every pass of a failpoint, and every pair', async () => {
    const { points, cells, seen } = await driven();
    expect(points).toMatchObject({ by: 'passed', notPassed: ['never-passed'], armsAtStart: true, problem: null });
    expect(cells.slice(0, 6).map(cellText)).toEqual(['the run that was not cut', ...SINGLES, 'before-append-end@1']);
    expect(cells).toHaveLength(1 + 5 + (points?.pairs.length ?? 0));
    expect(points?.pairs.length).toBeGreaterThan(5);
    expect(
      cells.filter(({ cut, deaths, second }) => deaths.length !== (cut === null ? 0 : second === null ? 1 : 2)),
    ).toEqual([]);
    expect(verdictOf(crash, 'once.every-cut', seen)).toBe('pass');
    expect(verdictOf(crash, 'once.every-cut.recovery', seen)).toBe('pass');
    const judgements = crash.judge(seen, OPTIONS).filter(({ verdict }) => verdict === 'fail');
    expect(judgements).toEqual([]);
  });

  it('records what was seen of each: calls, events before the death, how the run was found again', async () => {
    const { cells } = await driven();
    const cellOf = (text: string) => cells.find((each) => cellText(each) === text);
    expect(cellOf('before-create-run@1')).toMatchObject({ created: 'asked again', deaths: [{ how: 'refused' }] });
    const [death] = cellOf('before-append-finished@1')?.deaths ?? [];
    expect(death).toMatchObject({ calls: 1, shown: [{ type: 'tool_invocation_started' }], revival: { ok: true } });
    expect(cellOf('before-append-finished@1')).toMatchObject({
      stopped: 'ended',
      calls: [{ answer: { nonce: 'n0' } }],
    });
  });

  it('takes a few pairs of many in a quick run', async () => {
    const { points } = await driven({ cuts: 'quick' });
    const { pairs = [], pairsThereAre = 0 } = points ?? {};
    expect(pairs.length).toBeGreaterThan(0);
    expect(pairs.length).toBeLessThan(Math.min(7, pairsThereAre));
  });

  it('searches by trial where the host does not tell what it passed', async () => {
    const { points, cells, seen } = await driven({ silent: true, cuts: 'quick' });
    expect(points).toMatchObject({ by: 'trial', notPassed: ['never-passed'] });
    expect(points?.planned.map(({ name, hit }) => `${name}@${hit}`)).toEqual(
      expect.arrayContaining([...SINGLES, 'before-append-end@1']),
    );
    expect(points?.planned).toHaveLength(5);
    expect(cells.some((each) => cellText(each) === 'before-execute@2' && each.deaths.length === 0)).toBe(true);
    expect(verdictOf(crash, 'once.every-cut', seen)).toBe('pass');
  });

  it('searches by trial where the list of what was passed is full', async () => {
    const { points, seen } = await driven({ listed: { most: 40 } });
    expect(points).toMatchObject({ by: 'trial', notPassed: ['never-passed'] });
    expect(points?.planned).toHaveLength(5);
    for (const check of ['once.before-execution', 'once.executed-not-recorded', 'once.every-cut']) {
      expect(verdictOf(crash, check, seen)).toBe('pass');
    }
  });

  it('reads the newest of a list whose total goes on', async () => {
    const { points, seen } = await driven({ listed: { most: 40, newest: true } });
    expect(points).toMatchObject({ by: 'passed', notPassed: ['never-passed'] });
    expect(points?.planned.map(({ name, hit }) => `${name}@${hit}`)).toEqual([...SINGLES, 'before-append-end@1']);
    expect(verdictOf(crash, 'once.every-cut', seen)).toBe('pass');
  });

  it('does not ask again where a request may make a second run', async () => {
    const { cells } = await driven({ idempotent: false, cuts: 'quick' });
    const lost = cells.find((each) => cellText(each) === 'before-create-run@1');
    expect(lost).toMatchObject({ created: 'lost', stopped: 'nothing', runId: null });
  });

  it('makes no pairs where no failpoint can be armed for a start', async () => {
    const { points, seen } = await driven({ armsAtStart: false });
    expect(points).toMatchObject({ pairs: [], armsAtStart: false });
    expect(verdictOf(crash, 'once.every-cut.recovery', seen)).toBe('inconclusive');
  });

  it('gives up a run that hangs', async () => {
    const { cells, seen } = await driven({ hangs: true, timeoutMs: 1_000 });
    expect(cells.filter(({ stopped }) => stopped === 'patience').map(cellText)).toContain('before-execute@1');
    expect(verdictOf(crash, 'once.every-cut', seen)).toBe('fail in-flight-for-ever');
  });

  it('records a host that does not come back', async () => {
    const { cells, seen } = await driven({ staysDown: true });
    expect(cells[1]).toMatchObject({ stopped: 'gone', problem: 'exit code 3' });
    expect(cells.slice(3, 5).map(({ notDriven }) => notDriven)).toEqual(['exit code 3', 'exit code 3']);
    expect(verdictOf(crash, 'once.every-cut', seen)).toBe('inconclusive');
  });

  it('records nothing where no host may be killed', async () => {
    const { probe } = toyProbe();
    expect(await driveMatrix({ ...probe, crash: undefined })).toEqual([]);
  });
});
