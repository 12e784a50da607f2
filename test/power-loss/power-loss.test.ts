import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStore } from '../../reference-host/store/store.ts';
import { type Line, acknowledgedIn, missingFrom } from './acknowledged.ts';
import type { Files, Loss } from './disk.ts';
import type { FileOperation } from './journal.ts';
import { createMachine } from './machine.ts';
import { EVERY_PLACE } from '../sampled.ts';
import { seeded } from './random.ts';
import { compileRecorder, DATA, recordWorkload, type Workload } from './recorded-process.ts';

const LOSSES: readonly Loss[] = ['all', 'suffix', 'some'];
const NOTHING: Files = new Map();

let folder = '';
let recorder = '';
/** A long record, which is read by whoever needs no other. */
let whole: readonly FileOperation[] = [];
/** What is left of the files after each power loss: in memory where that can be, for no real disk has to sync it. */
let rest = '';
beforeAll(() => {
  rest = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'power-loss-'));
  folder = mkdtempSync(join(realpathSync(tmpdir()), 'power-loss-'));
  recorder = compileRecorder(folder);
  whole = record('whole', { transactions: 280, sessions: 2 });
});
afterAll(() => {
  for (const path of [folder, rest]) rmSync(path, { recursive: true });
});

describe('a data file after a power loss', () => {
  it('holds everything that was acknowledged, in order and unchanged, whatever the disk kept of the rest', () => {
    expect(whole.filter(beginsLog).length).toBeGreaterThan(2);
    expect(losePower({ operations: whole, trials: EVERY_PLACE ? 120 : 60, seed: 1 })).toEqual([]);
  });

  it('is what the record of its writer says, to the byte, when nothing is lost', () => {
    const machine = createMachine(whole, NOTHING, []);
    machine.goTo(whole.length);
    const everything = machine.disk.afterPowerLoss('suffix', () => 1 - Number.EPSILON);
    for (const name of [DATA, `${DATA}-wal`]) {
      expect(readFileSync(join(folder, 'whole', name)).equals(everything.get(name) ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('holds it also when the power fails again while the host recovers or later', () => {
    const first = record('again', { transactions: 60, sessions: 1 });
    for (const seed of [2, 3]) {
      const random = seeded(seed);
      const machine = createMachine(first, NOTHING, []);
      machine.goTo(Math.floor(first.length * random()));
      const before = { files: machine.disk.afterPowerLoss('some', random), said: machine.said() };
      const operations = record(`again-${seed}`, { transactions: 60, sessions: 2 }, before.files);
      expect(losePower({ operations, trials: EVERY_PLACE ? 30 : 15, seed, before })).toEqual([]);
    }
  });

  it.each(['NORMAL', 'OFF'] as const)('lacks some of it when synchronous is %s: this test can fail', (synchronous) => {
    const operations = record(synchronous, { transactions: 60, sessions: 1, synchronous });
    expect(losePower({ operations, trials: 45, seed: 5 }).length).toBeGreaterThan(10);
  });
});

/** The log's header: written by each session, and whenever all of the log was taken into the data file. */
function beginsLog(operation: FileOperation): boolean {
  return operation.kind === 'wrote' && operation.offset === 0 && operation.bytes.length === 32;
}

function record(name: string, workload: Workload, files: Files = NOTHING): FileOperation[] {
  return recordWorkload(recorder, filled(join(folder, name), files), workload);
}

function filled(path: string, files: Files): string {
  mkdirSync(path);
  for (const [file, bytes] of files) writeFileSync(join(path, file), bytes);
  return path;
}

interface Trials {
  readonly operations: readonly FileOperation[];
  readonly trials: number;
  readonly seed: number;
  /** What an earlier power loss left, and what had been said by then. */
  readonly before?: { readonly files: Files; readonly said: readonly Line[] };
}

/** Cuts the power at random places and opens what is left; gives what was wrong, the place and the loss named. */
function losePower({ operations, trials, seed, before = { files: NOTHING, said: [] } }: Trials): string[] {
  const random = seeded(seed);
  const machine = createMachine(operations, before.files, before.said);
  const places = Array.from({ length: trials }, () => Math.floor(random() * (operations.length + 1)));
  return places
    .toSorted((a, b) => a - b)
    .flatMap((place, trial) => {
      machine.goTo(place);
      const loss = LOSSES[trial % LOSSES.length] ?? 'all';
      const problems = problemsIn(machine.disk.afterPowerLoss(loss, random), machine.said());
      return problems.map((problem) => `seed ${seed}, operation ${place}, ${loss} lost: ${problem}`);
    });
}

function problemsIn(files: Files, said: readonly Line[]): string[] {
  const path = filled(join(rest, 'host'), files);
  try {
    const store = openStore(join(path, DATA), 0);
    const problems = missingFrom(store, acknowledgedIn(said));
    store.close();
    return problems;
  } catch (error) {
    return [String(error)];
  } finally {
    rmSync(path, { recursive: true });
  }
}
