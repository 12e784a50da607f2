// A host's writes, one after the other, with the built store: workload.mjs FILE ACKS TRANSACTIONS SESSIONS [SYNCHRONOUS].
// Before each transaction the line {n, runId, begun} goes to ACKS (a file, or - for standard output), and when it has been acknowledged {n, runId, events,
// run?, answer?}: what must be there from then on.
import { openSync, writeSync } from 'node:fs';
import { closeDatabase, openDatabase } from '../../build/reference-host/store/database.js';
import { createEventLog } from '../../build/reference-host/store/event-log.js';
import { createIdempotencyStore } from '../../build/reference-host/store/of-tenants.js';
import { createRunIndex } from '../../build/reference-host/store/runs.js';
import { createWakers } from '../../build/reference-host/store/wakers.js';
import { createSqliteTables } from '../../build/reference-host/store/sqlite-tables.js';

const [file, acks, transactions, sessions, synchronous] = process.argv.slice(2);
const out = acks === '-' ? 1 : openSync(acks, 'a');
const say = (line) => writeSync(out, `${JSON.stringify(line)}\n`);
const RUNS = 5;

function openStore() {
  const database = openDatabase(file);
  if (synchronous !== undefined) database.exec(`PRAGMA synchronous = ${synchronous}`);
  const tables = createSqliteTables(database, () => closeDatabase(database));
  return {
    events: createEventLog(tables, {
      firstSequence: () => 0,
      now: Date.now,
      wakers: createWakers(),
      fenced: (work) => work(),
    }),
    idempotency: createIdempotencyStore(tables),
    runs: createRunIndex(tables),
    atomically: tables.atomically,
    close: tables.close,
  };
}

/** Sizes differ widely: most events share a page, some need several. */
const payload = (n) => ({
  n,
  text: String.fromCodePoint(0x61 + (n % 26)).repeat(n % 8 === 0 ? 30_000 : (n * 37) % 900),
});

function step({ events, idempotency, runs, atomically }, n, base) {
  const runId = `${base}_${Math.floor(n / RUNS)}`;
  const append = (type) => events.append(runId, { type, nodeId: `node-${n % 3}`, payload: payload(n) });
  if (n % RUNS === 0) {
    say({ n, runId, begun: 2 });
    const run = { runId, tenant: 'tenant-a', workflowId: 'workflow' };
    const key = { tenant: 'tenant-a', endpoint: 'createRun', key: `key-${base}-${n}` };
    const answer = { requestSha256: 'sha', status: 201, body: JSON.stringify(payload(n)) };
    const written = atomically(() => {
      runs.insert(run);
      idempotency.put(key, answer);
      return [append('run.started'), append('node.started')];
    });
    say({ n, runId, events: written, run, answer: { key, answer } });
  } else {
    say({ n, runId, begun: 1 });
    say({ n, runId, events: [append('variable.changed')] });
  }
}

const perSession = Math.ceil(Number(transactions) / Number(sessions));
for (let session = 0; session < Number(sessions); session += 1) {
  const store = openStore();
  for (let n = 0; n < perSession; n += 1) step(store, n, `run_${process.pid}_${session}`);
  if (session < Number(sessions) - 1) store.close();
}
// The last session does not close: it ends as a process that was killed.
process.kill(process.pid, 'SIGKILL');
