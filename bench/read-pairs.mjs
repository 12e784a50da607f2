// Reads the logs in a folder and parses every line, in a thread for each processor: what any comparison of them costs at least.
import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const threads = availableParallelism();
if (isMainThread) {
  for (let own = 0; own < threads; own += 1) start(own);
} else {
  const { own, folder } = workerData;
  for (const [index, name] of readdirSync(folder).entries()) {
    if (index % threads !== own) continue;
    for (const line of readFileSync(join(folder, name), 'utf8').split('\n')) if (line !== '') JSON.parse(line);
  }
}

function start(own) {
  return new Worker(new URL(import.meta.url), { workerData: { own, folder: process.argv[2] } });
}
