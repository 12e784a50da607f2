import type { HostHandle } from './client.ts';
import { cutText, type Cut } from './crash.ts';

/** How something that was started to bring the host back ended. */
export interface StartEnd {
  /** In words, with the exit code or the signal: `exit code 1`. */
  readonly how: string;
  /** Whether that is what a death at a failpoint looks like from here. */
  readonly mayHaveDied: boolean;
  /** Whether no host can come of it any more. */
  readonly isFinal: boolean;
}

/** A start that was begun; `end` is how it ended, as soon as it has. */
export type Start =
  | { readonly ok: true; readonly end: () => StartEnd | undefined }
  | { readonly ok: false; readonly reason: string };

/** A host that may be killed and started again: what is behind a lane, the same for all scenarios of a run. */
export interface CrashHost {
  readonly baseUrl: string;
  readonly apiKey: string | undefined;
  /** The environment variable that stands for the credential in evidence. */
  readonly variable: string;
  readonly armsAtStart: boolean;
  /** How long its workers' leases last, in milliseconds, where whoever started it knows. */
  readonly leaseMs?: number | undefined;
  /** Whether it runs; `handle` is for asking it where nothing else tells. */
  isUp(handle: HostHandle): Promise<boolean>;
  /** Begins to start it after its death, and waits for nothing that is not certain to come unless `signal` ends that. */
  start(failpoint: Cut | undefined, signal: AbortSignal): Promise<Start>;
}

/** Hosts of the harness's own that scenarios may kill. */
export interface CrashHosts {
  readonly hosts: readonly CrashHost[];
  readonly close: () => Promise<void>;
}

/** An environment of a host's own process: `inherited` with FAILPOINT as given, and without it where none is. */
export function armedEnvironment(inherited: NodeJS.ProcessEnv, failpoint: Cut | undefined): NodeJS.ProcessEnv {
  const { FAILPOINT: _, ...rest } = inherited;
  return failpoint === undefined ? rest : { ...rest, FAILPOINT: cutText(failpoint) };
}
