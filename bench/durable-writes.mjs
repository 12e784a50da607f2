import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspectDataFile } from '../build/reference-host/store/data-file.js';
import { openStore } from '../build/reference-host/store/store.js';
import { median, timed } from './measure.mjs';

const BATCH = 200;
const ROUNDS = 9;
const FILE_BYTES = 50e6;

/** Transactions a second that survive a power loss, against the same ones in memory; and the check of a data file. */
export async function benchDurableWrites() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  try {
    const durable = await transactionsPerSecond(join(folder, 'durable.db'));
    const volatile = await transactionsPerSecond(undefined);
    const large = join(folder, 'large.db');
    fill(large);
    const checks = [];
    for (let round = 0; round < ROUNDS; round += 1) checks.push(await timed(async () => inspectDataFile(large)));
    const megabytes = statSync(large).size / 1e6;
    return [
      {
        what: 'durable transactions a second / the same in memory',
        measured: `${durable.toFixed(0)} / ${volatile.toFixed(0)}`,
        ratio: durable / volatile,
        goal: 'told only',
      },
      {
        what: `check of a data file when it is opened, ms / MB`,
        measured: `${median(checks).toFixed(0)} ms / ${megabytes.toFixed(0)} MB`,
        ratio: median(checks) / megabytes,
        goal: '<= 3',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** One event of about 200 bytes a transaction, as the host appends them; the median of some batches. */
async function transactionsPerSecond(file) {
  const store = openStore(file, 0);
  const payload = { name: 'receipt', value: 'x'.repeat(150) };
  const rates = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const milliseconds = await timed(async () => {
      for (let n = 0; n < BATCH; n += 1) store.events.append(`run_${round}`, { type: 'variable.changed', payload });
    });
    if (round >= 0) rates.push((BATCH * 1000) / milliseconds);
  }
  store.close();
  return median(rates);
}

/** A data file of many events. */
function fill(file) {
  const store = openStore(file, 0);
  const payload = { items: Array.from({ length: 70 }, (_, id) => ({ id, text: `item ${id}`, score: id / 7 })) };
  // A page holds one such event.
  const bytes = 4096;
  store.atomically(() => {
    for (let n = 0; n * bytes < FILE_BYTES; n += 1) {
      store.events.append(`run_${n >> 8}`, { type: 'variable.changed', payload });
    }
  });
  store.close();
}
