import type { HostHandle } from '../../src/host/client.ts';
import { post } from '../../src/host/exchanged.ts';
import { runPath } from '../../src/protocol/paths.ts';

/** A place in a stream that ends its run, in whatever form. */
const ENDED = /run\.(?:completed|failed|cancelled)/u;
/** Stream modes beside the default one. */
const MODES = ['debug', 'values', 'messages'];
/** Far past the end of any log. */
const FAR = Number.MAX_SAFE_INTEGER;

/**
 * Requests a run that has ended in every way there is, also in ways that are refused; `others` are runs to compare it
 * with. Nothing is returned: the handle is a listener's.
 */
export async function readEverything(
  handle: HostHandle,
  runId: string,
  others: readonly (string | null)[],
): Promise<void> {
  const path = runPath(runId);
  const against = others.filter((other) => other !== null);
  await Promise.all([
    ...['', '/events', '/events?streamMode=debug', '/events/poll'].map((rest) => get(handle, path + rest)),
    ...['', ...MODES.map((mode) => `?streamMode=${mode}`)].map((query) => stream(handle, `${path}/events${query}`)),
    ...against.flatMap((other) => [
      get(handle, `${path}:diff?against=${encodeURIComponent(other)}`),
      get(handle, `${runPath(other)}:diff?against=${encodeURIComponent(runId)}`),
    ]),
    get(handle, `${path}/events?streamMode=no-such-mode`),
    get(handle, `${path}:diff`),
    post(handle, `${path}:fork`, { mode: 'rewind' }),
    post(handle, `${path}:fork`, { mode: 'replay', fromSeq: FAR }),
    post(handle, `${path}/interrupts/ask`, { resumeValue: { approved: false } }),
  ]);
}

async function get(handle: HostHandle, path: string): Promise<void> {
  await handle.exchange({ method: 'GET', path, headers: { accept: 'application/json' } });
}

/** Reads a stream until it shows the run's end, or is ended by the host. */
async function stream(handle: HostHandle, path: string): Promise<void> {
  let tail = '';
  await handle.stream(
    { method: 'GET', path, headers: { accept: 'text/event-stream' } },
    {
      head: () => 'read',
      text: (chunk) => {
        const text = tail + chunk;
        tail = text.slice(-ENDED_CHARACTERS);
        // The event's own line comes before its data, so the end is complete with the blank line after it.
        return ENDED.test(text) && text.includes('\n\n', text.search(ENDED)) ? 'done' : 'more';
      },
    },
  );
}

/** Enough of a stream to find its end in, where it comes in small chunks. */
const ENDED_CHARACTERS = 65_536;
