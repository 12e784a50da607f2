import { setMaxListeners } from 'node:events';
import type { HostRequest } from './client.ts';
import type { Probe } from './probe.ts';
import { whenAborted } from './pause.ts';

/** A part of a scenario's time. */
export interface Share {
  /** Drives as the scenario does, until the share is over. */
  readonly probe: Probe;
  /** Ends the share: what is under way is given up. */
  readonly end: () => void;
}

/**
 * So many milliseconds of a scenario's time: all requests by the share's probe end with it, and nothing that was waited for
 * in vain there counts elsewhere. It has to be ended.
 */
export function shareOf(probe: Probe, ms: number): Share {
  const controller = new AbortController();
  const { signal } = controller;
  setMaxListeners(0, signal);
  const stop = (): void => controller.abort();
  const timer = setTimeout(stop, ms);
  const forget = whenAborted(probe.signal, stop);
  if (probe.signal.aborted) stop();
  const { host } = probe;
  // A share of a share ends its requests, too, before the whole one is over.
  const within = (request: HostRequest): HostRequest => ({
    ...request,
    signal: request.signal === undefined ? signal : AbortSignal.any([request.signal, signal]),
  });
  return {
    probe: {
      ...probe,
      signal,
      host: {
        ...host,
        exchange: (request) => host.exchange(within(request)),
        stream: (request, reader) => host.stream(within(request), reader),
      },
    },
    end: () => {
      clearTimeout(timer);
      forget();
      stop();
    },
  };
}
