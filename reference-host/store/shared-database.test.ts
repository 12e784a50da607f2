import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadDataFile } from './database.ts';
import { openSqlite } from './sqlite.ts';
import { openRegionStore, openStore, type Store } from './store.ts';
import { LOG_BYTES, logOf } from './wal-size.ts';
import { useFolder } from '../../test/host-lives.ts';

const folder = useFolder('shared-');

const RUN = 'run_1';
const NOTE = { type: 'log.appended', payload: {} } as const;

describe('a data file that two regions have open', () => {
  const shared = join(folder, 'shared.db');
  let a: Store;
  let b: Store;
  let runs = 0;
  const newRun = (): string => {
    const runId = `run_${(runs += 1)}`;
    a.runs.insert({ runId, tenant: 'tenant-a', workflowId: 'workflow', region: 'a' });
    return runId;
  };

  beforeAll(() => {
    [a, b] = [openRegionStore(shared, 'a', 0), openRegionStore(shared, 'b', 0)];
  });
  afterAll(() => {
    a.close();
    b.close();
  });

  it('shows each what the other has written, in one order', () => {
    const runId = newRun();
    const numbers = [a, b, a, b].map((store) => store.events.append(runId, NOTE)?.sequence);
    expect(numbers).toEqual([0, 1, 2, 3]);
    expect(a.events.read(runId)).toEqual(b.events.read(runId));
    expect(b.runs.get(runId)).toMatchObject({ region: 'a' });
  });

  it('takes nothing from who knows only of what was before', () => {
    const runId = newRun();
    a.events.append(runId, NOTE);
    expect(b.events.append(runId, NOTE, 0)?.sequence).toBe(1);
    expect(a.events.append(runId, NOTE, 0)).toBeUndefined();
    b.events.append(runId, { type: 'run.cancelled', payload: {} });
    expect(a.events.append(runId, NOTE)).toBeUndefined();
  });

  it('wakes who waits in the other region', async () => {
    const runId = newRun();
    const waiting = a.events.changed(runId, undefined, AbortSignal.timeout(60_000));
    b.events.append(runId, NOTE);
    expect(await waiting).toBe(true);
  });

  it('keeps nothing of what was deleted', () => {
    const runId = newRun();
    const text = 'erase-me-'.repeat(20);
    a.annotations.add({ annotationId: 'ann_1', runId, signal: { text }, createdAt: '' });
    expect(b.annotations.of(runId)).toHaveLength(1);
    const other = openSqlite(shared);
    other.exec('PRAGMA secure_delete = ON; DELETE FROM annotations');
    other.close();
    b.shed();
    a.events.append(runId, NOTE);
    for (const name of [shared, logOf(shared)]) expect(readFileSync(name).includes('erase-me')).toBe(false);
    expect(statSync(logOf(shared)).size).toBeGreaterThanOrEqual(LOG_BYTES);
  });

  it('is left closed by the last of them', async () => {
    const file = join(folder, 'closed.db');
    const region = openRegionStore(file, 'a', 0);
    region.runs.insert({ runId: RUN, tenant: 'tenant-a', workflowId: 'workflow' });
    region.close();
    expect(existsSync(`${file}-wal`)).toBe(false);
    const alone = openStore(file, 0);
    expect(alone.notice).toBeUndefined();
    expect(alone.runs.get(RUN)).not.toHaveProperty('region');
    alone.close();
    const again = openRegionStore(file, 'a', 0);
    expect(again.runs.unfinished()).toHaveLength(1);
    again.close();
  });

  it('is refused where it is damaged, or somebody else’s', () => {
    const file = join(folder, 'damaged.db');
    const region = openRegionStore(file, 'a', 0);
    for (let n = 0; n < 3; n += 1) region.events.append(RUN, NOTE);
    region.close();
    const other = openSqlite(file);
    other.exec('DELETE FROM events WHERE sequence = 1');
    other.close();
    expect(() => openRegionStore(file, 'b', 0)).toThrow(/damaged: run run_1 lacks its event 1/);
    const text = join(folder, 'text.db');
    writeFileSync(text, 'This is not a database. '.repeat(100));
    const foreign = join(folder, 'foreign.db');
    const theirs = openSqlite(foreign);
    theirs.exec('CREATE TABLE notes (note TEXT)');
    theirs.close();
    for (const each of [text, foreign, join(folder, 'no', 'such', 'host.db'), '']) {
      expect(() => openRegionStore(each, 'a', 0)).toThrow(BadDataFile);
    }
  });
});
