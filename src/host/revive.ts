import type { HostHandle } from './client.ts';
import type { CrashHost, Start } from './crash-host.ts';
import type { Cut, Revival } from './crash.ts';
import { DISCOVERY_PATH } from '../protocol/paths.ts';
import { isAboutCaller } from '../protocol/status.ts';
import { repeatPaced } from './paced.ts';

/** How long a host may take until it answers again. */
const COME_BACK_MS = 30_000;
/** With a failpoint armed a host may be gone again unseen: it is given this many times what its starts took before. */
const ARMED_FACTOR = 4;
const LEAST_ARMED_MS = 2_000;
/** How long a host may take to answer when the command that starts it has failed. */
const AFTER_FAILURE_MS = 3_000;

/** How long hosts are waited for, in milliseconds, where that is not as usual. */
export interface Patience {
  /** Until they answer again. */
  readonly comeBackMs?: number;
  /** At least, with a failpoint armed. */
  readonly leastArmedMs?: number;
}

/** Brings hosts back and remembers how long that takes. */
export interface Reviver {
  revive(handle: HostHandle, failpoint: Cut | undefined, signal: AbortSignal): Promise<Revival>;
}

/**
 * Makes the reviver of one host: begins a start, then waits until GET /.well-known/openwop answers 200, at most
 * so long. One that has to come back by itself and did not, or whose start failed with no failpoint armed, is looked for once more
 * from then on, and neither started nor waited for any more. All its requests go through the handle that it is given, so that evidence has them.
 */
export function createReviver(host: CrashHost, patience: Patience = {}): Reviver {
  const { comeBackMs = COME_BACK_MS, leastArmedMs = LEAST_ARMED_MS } = patience;
  let slowest: number | undefined;
  let stayedAway: string | undefined;
  return {
    revive: async (handle, failpoint, signal) => {
      const begun = performance.now();
      const isGivenUp = stayedAway !== undefined && host.armsAtStart;
      if (stayedAway !== undefined && isGivenUp && failpoint !== undefined) return { ok: false, reason: stayedAway };
      const start = isGivenUp ? NOT_STARTED : await host.start(failpoint, signal);
      if (!start.ok) return start;
      const armedMs = Math.max(leastArmedMs, ARMED_FACTOR * (slowest ?? comeBackMs));
      const patienceMs = failpoint === undefined ? comeBackMs : Math.min(comeBackMs, armedMs);
      const waitMs = stayedAway === undefined ? patienceMs : 0;
      const isBack = await waitUntilBack(handle, start.end, { patienceMs: waitMs, signal });
      const downMs = Math.round(performance.now() - begun);
      if (isBack) {
        slowest = Math.max(slowest ?? 0, downMs);
        stayedAway = undefined;
        return { ok: true, downMs, answered: true };
      }
      if (signal.aborted) return { ok: false, reason: 'the scenario was stopped' };
      const end = start.end();
      if (failpoint !== undefined && end?.mayHaveDied === true) return { ok: true, downMs, answered: false };
      const reason = stayedAway ?? notBack(start.end, { armsAtStart: host.armsAtStart, patienceMs });
      if (!host.armsAtStart || (failpoint === undefined && hasFailed(end))) stayedAway = reason;
      return { ok: false, reason };
    },
  };
}

type End = Extract<Start, { ok: true }>['end'];

const NOT_STARTED: Start = { ok: true, end: () => undefined };

/** Whether a start ended with an error: no host comes of it, unless it left one behind in the background. */
function hasFailed(end: ReturnType<End>): boolean {
  return end !== undefined && !end.mayHaveDied && !end.isFinal;
}

/**
 * Whether the host answers its discovery request, with the credential where it wants one; any other status than 200 is a gateway's, or
 * nobody's.
 */
export async function answersDiscovery(handle: HostHandle): Promise<boolean> {
  const ask = (anonymous: boolean) => handle.exchange({ method: 'GET', path: DISCOVERY_PATH, anonymous });
  const first = await ask(true);
  const wantsCredential = first.kind === 'response' && isAboutCaller(first.status);
  const exchange = wantsCredential ? await ask(false) : first;
  return exchange.kind === 'response' && exchange.status === 200;
}

async function waitUntilBack(
  handle: HostHandle,
  end: End,
  wait: { readonly patienceMs: number; readonly signal: AbortSignal },
): Promise<boolean> {
  let failedAt = Infinity;
  const attempt = async (): Promise<'back' | 'gone' | 'down'> => {
    if (end()?.isFinal === true) return 'gone';
    if (hasFailed(end())) failedAt = Math.min(failedAt, performance.now());
    if (await answersDiscovery(handle)) return 'back';
    return performance.now() - failedAt > AFTER_FAILURE_MS ? 'gone' : 'down';
  };
  return (await repeatPaced(attempt, (state) => state !== 'down', wait)) === 'back';
}

function notBack(end: End, host: { readonly armsAtStart: boolean; readonly patienceMs: number }): string {
  const ended = end();
  const waited = `the host did not answer its discovery request within ${host.patienceMs} ms`;
  if (hasFailed(ended)) {
    return `the restart command failed with ${ended?.how ?? ''}, and the host did not answer: run it by hand to see why`;
  }
  if (ended !== undefined)
    return ended.isFinal ? `the start ended with ${ended.how}` : `${waited}; the start ended with ${ended.how}`;
  return host.armsAtStart ? waited : `${waited}; where it does not come back by itself, give --restart-command`;
}
