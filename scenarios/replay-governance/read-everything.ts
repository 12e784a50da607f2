import type { HostHandle } from '../../src/host/client.ts';
import { post } from '../../src/host/exchanged.ts';
import { readConnection } from '../../src/host/log/connection.ts';
import { cursorsAt } from '../../src/host/log/pages.ts';
import {
  debugPath,
  diffPath,
  eventsPath,
  forkPath,
  interruptPath,
  pollPath,
  runPath,
} from '../../src/protocol/paths.ts';
import { reportPath } from './score-report.ts';

/** What a message of a stream that ends its run holds, in whatever form. */
const ENDED = /run\.(?:completed|failed|cancelled)/u;
/** Stream modes beside the default one. */
const MODES = ['debug', 'values', 'messages'];
/** Far past the end of any log. */
const FAR = Number.MAX_SAFE_INTEGER;

/**
 * Requests a run that has ended in every way there is, also in ways that are refused; `others` are runs to compare it
 * with, `pages` the addresses of pages about it. Nothing is returned: the handle is a listener's.
 */
export async function readEverything(
  handle: HostHandle,
  runId: string,
  others: readonly (string | null)[],
  pages: readonly string[] = [],
): Promise<void> {
  const path = runPath(runId);
  const log = eventsPath(runId);
  const against = others.filter((other) => other !== null);
  await Promise.all([
    ...[path, log, debugPath(runId), pollPath(runId)].map((each) => get(handle, each)),
    ...['', ...MODES.map((mode) => `?streamMode=${mode}`)].map((query) => stream(handle, log + query)),
    // Behind the first event of all logs, which resumed readings leave out.
    stream(handle, log, '1'),
    get(handle, pollPath(runId) + (cursorsAt(1)[0] ?? '')),
    ...against.flatMap((other) => [get(handle, diffPath(runId, other)), get(handle, diffPath(other, runId))]),
    ...pages.map((page) => get(handle, page, 'text/html')),
    get(handle, `${log}?streamMode=no-such-mode`),
    get(handle, `${path}:diff`),
    get(handle, reportPath(undefined, runId)),
    post(handle, forkPath(runId), { mode: 'rewind' }),
    post(handle, forkPath(runId), { mode: 'replay', fromSeq: FAR }),
    post(handle, interruptPath(runId, 'ask'), { resumeValue: { approved: false } }),
  ]);
}

async function get(handle: HostHandle, path: string, accept = 'application/json'): Promise<void> {
  await handle.exchange({ method: 'GET', path, headers: { accept } });
}

/** Reads a stream until it shows the run's end, or is ended by the host. */
async function stream(handle: HostHandle, path: string, lastEventId?: string): Promise<void> {
  await readConnection(handle, path, {
    lastEventId,
    take: (message) => (ENDED.test(JSON.stringify(message)) ? 'done' : 'more'),
  });
}
