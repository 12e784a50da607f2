import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BadDataFile } from './database.ts';
import { openSqlite } from './sqlite.ts';
import { openStore } from './store.ts';
import { readWal } from './wal.ts';
import { LOG_BYTES, logOf } from './wal-size.ts';
import { sampled } from '../../test/sampled.ts';

const FRAME = 4096 + 24;
const EVENTS = 6;
const RUN = 'run_1';

const folder = mkdtempSync(join(tmpdir(), 'data-file-'));
const killed = join(folder, 'killed.db');
const closed = join(folder, 'closed.db');
const target = join(folder, 'target.db');
/** Where the written part of the killed process's log ends, in bytes. */
let end = 0;

beforeAll(() => {
  const store = openStore(closed, 0);
  store.runs.insert({ runId: RUN, tenant: 'tenant-a', workflowId: 'workflow' });
  for (let n = 0; n < EVENTS; n += 1) {
    store.events.append(RUN, { type: 'log.appended', payload: payloadOf(n) });
  }
  for (const name of ['', '-wal']) copyFileSync(closed + name, killed + name);
  store.close();
  const reading = readWal(logOf(killed));
  end = reading.kind === 'whole' ? reading.end : 0;
});
afterAll(() => rmSync(folder, { recursive: true }));

interface Opened {
  /** How many of the events are there, all in front of the missing ones and as they were written. */
  readonly events: number;
  readonly notice: string | undefined;
}

/** Opens a copy of a data file after a change to it; gives what is there, or why it was refused and left untouched. */
function opened(source: string, change: (file: string, log: string) => void): Opened | string {
  for (const name of ['-wal', '-shm', '-journal']) rmSync(target + name, { force: true });
  copyFileSync(source, target);
  if (existsSync(logOf(source))) copyFileSync(logOf(source), logOf(target));
  change(target, logOf(target));
  const before = contents();
  try {
    return whatIsThere();
  } catch (error) {
    if (!(error instanceof BadDataFile)) throw error;
    const untouched = contents().every((bytes, index) => bytes.equals(before[index] ?? Buffer.of(0)));
    return untouched ? error.message : `changed although ${error.message}`;
  }
}

function whatIsThere(): Opened {
  const store = openStore(target, 0);
  const events = store.events.read(RUN);
  store.close();
  const asWritten = events.filter(
    ({ sequence, payload }, n) => sequence === n && isDeepStrictEqual(payload, payloadOf(n)),
  );
  return { events: asWritten.length === events.length ? events.length : -1, notice: store.notice };
}

function payloadOf(n: number): unknown {
  return { n, text: 'x'.repeat(n === 4 ? 9000 : 100) };
}

function contents(): Buffer[] {
  return [target, logOf(target)].map((path) => (existsSync(path) ? readFileSync(path) : Buffer.alloc(0)));
}

function changeBytes(path: string, change: (bytes: Buffer) => void): void {
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

function flip(path: string, offset: number, bit: number): void {
  const descriptor = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, offset);
  writeSync(descriptor, Buffer.of(byte.readUInt8(0) ^ (1 << bit)), 0, 1, offset);
  closeSync(descriptor);
}

const ALL: Opened = { events: EVENTS, notice: undefined };

const expiredBefore = (sequence: number): string =>
  `INSERT INTO expired_ranges (run_id, before_seq, state) VALUES ('${RUN}', ${sequence}, '{}')`;

describe('a data file', () => {
  it('is opened without a word when its last process closed it', () => {
    expect(opened(closed, () => undefined)).toEqual(ALL);
  });

  it('is opened without a word when its last process was killed between two writes', () => {
    expect(opened(killed, () => undefined)).toEqual(ALL);
  });

  it('is refused with place and remainder, or tells of its last write, after any single flipped bit of its log', () => {
    const places = [0, 4, 8, 12, 16, 20, 24, 28];
    for (let frame = 32; frame < end; frame += FRAME) {
      places.push(...[0, 7, 8, 12, 16, 20, 24, 2000, FRAME - 1].map((offset) => frame + offset));
    }
    const tried = sampled(places);
    const found = tried.map((place, index) => opened(killed, (_, log) => flip(log, place, index % 8)));
    const refused = [...found.entries()].filter(([, result]) => typeof result === 'string');
    const told = found.filter((result) => typeof result !== 'string');
    expect(refused.length).toBeGreaterThan(3 * told.length);
    expect(
      told.filter(({ events, notice }) => events !== EVENTS - 1 || !/last write is not whole/.test(notice ?? '')),
    ).toEqual([]);
    for (const [index, result] of refused) {
      expect(`${tried[index]}: ${JSON.stringify(result)}`).toMatch(
        /^\d+: "\S*target\.db-wal is damaged at byte \d+: .*; intact are .*target\.db and the log's first \d+ transactions, up to byte \d+/,
      );
    }
    expect(opened(killed, (_, log) => flip(log, end + FRAME * 2, 0))).toMatchObject({ events: EVENTS });
  });

  it('tells of it when its log was cut off anywhere', () => {
    const places = [0, 10, 32];
    for (let frame = 32; frame < end; frame += FRAME) {
      places.push(...[12, 24, 600, FRAME - 1, FRAME].map((offset) => frame + offset));
    }
    for (const place of sampled([...places, end + 100, LOG_BYTES - 1])) {
      const result = opened(killed, (_, log) => truncateSync(log, place));
      const text = typeof result === 'string' ? result : (result.notice ?? 'nothing told');
      expect(`${place}: ${text}`).toMatch(/cut off|is gone or empty: what only the log held is lost/);
    }
  });

  it('tells of it when its log is gone', () => {
    expect(opened(killed, (_, log) => rmSync(log))).toMatchObject({
      notice: expect.stringContaining('is gone or empty') as string,
    });
  });

  it('is opened with a line about the last write when that was not finished', () => {
    const whole = readFileSync(logOf(killed));
    for (const from of [end - FRAME + 24, end - 2000, end - 512]) {
      const result = opened(killed, (_, log) => writeFileSync(log, Buffer.from(whole).fill(0, from, end)));
      expect(result).toEqual({
        events: EVENTS - 1,
        notice: expect.stringMatching(/the last write is not whole/) as string,
      });
    }
  });

  it('is refused when more than the last write is missing from its log', () => {
    const whole = readFileSync(logOf(killed));
    const frames = Array.from({ length: Math.ceil((end - 3 * FRAME - 32) / FRAME) }, (_, index) => 32 + index * FRAME);
    for (const frame of sampled(frames)) {
      const result = opened(killed, (_, log) => writeFileSync(log, Buffer.from(whole).fill(0, frame, frame + 512)));
      expect(result).toContain(`${logOf(target)} is damaged at byte ${frame}`);
    }
  });

  it('is refused when SQLite finds a page that is not right', () => {
    const result = opened(closed, (file) => changeBytes(file, (bytes) => bytes.fill(0xff, 4096 * 2 + 1, 4096 * 2 + 9)));
    expect(result).toMatch(/^\S*target\.db is damaged: .*(page|Tree).*; intact tables: .*\w/);
  });

  it.each([
    ['DELETE FROM events WHERE sequence = 3', 'run run_1 lacks its event 3; the events before it are intact'],
    ['DELETE FROM events WHERE sequence < 3', 'run run_1 begins with event 3; other events are intact'],
    [
      `DELETE FROM events WHERE sequence < 3; ${expiredBefore(4)}`,
      'run run_1 begins with event 3; other events are intact',
    ],
    [
      `DELETE FROM events WHERE sequence < 3 OR sequence = 4; ${expiredBefore(3)}`,
      'run run_1 lacks its event 4; the events before it are intact',
    ],
    ["UPDATE events SET payload = '{' WHERE sequence = 2", 'event 2 of run run_1 is not the JSON that was written'],
    ["UPDATE runs SET fork_overlay = '{'", 'run run_1 is not the JSON that was written'],
  ])('is refused after %s', (sql, message) => {
    const result = opened(closed, (file) => {
      const database = openSqlite(file);
      database.exec(sql);
      database.close();
    });
    expect(result).toContain(`${target} is damaged: ${message}`);
  });

  it('is opened when its first events have expired', () => {
    const result = opened(closed, (file) => {
      const database = openSqlite(file);
      database.exec(`DELETE FROM events WHERE sequence < 3; ${expiredBefore(3)}`);
      database.close();
    });
    expect(result).toMatchObject({ notice: undefined });
  });

  it('is opened when a change of its journal mode was interrupted', () => {
    const result = opened(closed, (file) => {
      const database = openSqlite(file);
      database.exec('PRAGMA synchronous = OFF; BEGIN IMMEDIATE; CREATE TABLE never (x TEXT)');
      const journal = readFileSync(`${file}-journal`);
      database.exec('ROLLBACK');
      database.close();
      writeFileSync(`${file}-journal`, journal);
    });
    expect(result).toEqual(ALL);
  });
});
