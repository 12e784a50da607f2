// Loaded before a program: its last line on standard error is the processor time that it took, in milliseconds, and its peak resident set, in megabytes.
import { writeSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

if (isMainThread) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
    writeSync(2, `${JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1000 })}\n`);
  });
}
