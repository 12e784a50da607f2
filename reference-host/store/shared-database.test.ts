import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { BadDataFile } from './database.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';
import { openRegionStore, openStore } from './store.ts';
import { LOG_BYTES, logOf } from './wal-size.ts';

const folder = mkdtempSync(join(tmpdir(), 'shared-'));
afterAll(() => rmSync(folder, { recursive: true }));

const RUN = 'run_1';
const NOTE = { type: 'log.appended', payload: {} } as const;

/** Lends both regions' stores on a new file with one run. */
async function withBoth(name: string, work: (a: Store, b: Store, file: string) => unknown): Promise<void> {
  const file = join(folder, name);
  const [a, b] = [openRegionStore(file, 'a', 0), openRegionStore(file, 'b', 0)];
  try {
    a.runs.insert({ runId: RUN, tenant: 'tenant-a', workflowId: 'workflow', region: 'a' });
    await work(a, b, file);
  } finally {
    a.close();
    b.close();
  }
}

describe('a data file that two regions have open', () => {
  it('shows each what the other has written, in one order', async () => {
    await withBoth('order.db', (a, b) => {
      const numbers = [a, b, a, b].map((store) => store.events.append(RUN, NOTE)?.sequence);
      expect(numbers).toEqual([0, 1, 2, 3]);
      expect(a.events.read(RUN)).toEqual(b.events.read(RUN));
      expect(b.runs.get(RUN)).toMatchObject({ region: 'a' });
    });
  });

  it('takes nothing from who knows only of what was before', async () => {
    await withBoth('fence.db', (a, b) => {
      a.events.append(RUN, NOTE);
      expect(b.events.append(RUN, NOTE, 0)?.sequence).toBe(1);
      expect(a.events.append(RUN, NOTE, 0)).toBeUndefined();
      b.events.append(RUN, { type: 'run.cancelled', payload: {} });
      expect(a.events.append(RUN, NOTE)).toBeUndefined();
    });
  });

  it('wakes who waits in the other region', async () => {
    await withBoth('wake.db', async (a, b) => {
      const waiting = a.events.changed(RUN, undefined, AbortSignal.timeout(5_000));
      b.events.append(RUN, NOTE);
      expect(await waiting).toBe(true);
    });
  });

  it('keeps nothing of what was deleted', async () => {
    await withBoth('shed.db', (a, b, file) => {
      const text = 'erase-me-'.repeat(20);
      a.annotations.add({ annotationId: 'ann_1', runId: RUN, signal: { text }, createdAt: '' });
      expect(b.annotations.of(RUN)).toHaveLength(1);
      const other = openSqlite(file);
      other.exec('PRAGMA secure_delete = ON; DELETE FROM annotations');
      other.close();
      b.shed();
      a.events.append(RUN, NOTE);
      for (const name of [file, logOf(file)]) expect(readFileSync(name).includes('erase-me')).toBe(false);
      expect(statSync(logOf(file)).size).toBeGreaterThanOrEqual(LOG_BYTES);
    });
  });

  it('is left closed by the last of them', async () => {
    const file = join(folder, 'closed.db');
    const a = openRegionStore(file, 'a', 0);
    a.runs.insert({ runId: RUN, tenant: 'tenant-a', workflowId: 'workflow' });
    a.close();
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
    const a = openRegionStore(file, 'a', 0);
    for (let n = 0; n < 3; n += 1) a.events.append(RUN, NOTE);
    a.close();
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
