// `npm run bench`: medians and pairwise ratios of one run on this machine. Goals are stated, never asserted.
import { benchAudit } from './audit.mjs';
import { benchDurableWrites } from './durable-writes.mjs';
import { benchEventLog } from './event-log.mjs';
import { benchKeyVectors } from './key-vectors.mjs';
import { benchPublicHost } from './public-host.mjs';
import { benchSelfTest } from './self-test.mjs';
import { benchLiveAudit } from './live-audit.mjs';
import { benchStartup } from './startup.mjs';

process.stdout.write(`node ${process.version}\n\n| what | medians | ratio | goal |\n|---|---|---|---|\n`);
for (const bench of [
  benchStartup,
  benchKeyVectors,
  benchEventLog,
  benchAudit,
  benchLiveAudit,
  benchDurableWrites,
  benchSelfTest,
  benchPublicHost,
]) {
  for (const { what, measured, ratio, goal } of await bench()) {
    process.stdout.write(`| ${what} | ${measured} | ${ratio.toFixed(2)} | ${goal} |\n`);
  }
}
