import type { Witness } from '../evidence/witness.ts';
import type { Exchange, HostHandle } from './client.ts';
import type { CrashBench } from './crash.ts';
import type { RunRequest } from './runs.ts';

/** Whether the host has a fixture, and how that is known. */
export interface FixtureState {
  readonly isThere: boolean;
  readonly because: string;
}

/** Whether a host carries out any of the runs that it makes, as those show that were followed in a whole conformance run. */
export interface Standstill {
  /** Notes a run that came to an end, or to what it was waited for. */
  readonly moved: () => void;
  /** Notes a run that was waited for as long as any is, and whose log could be read and went on no further at the last. */
  readonly stood: (runId: string) => void;
  /** The first run that stood still, where none has moved. */
  readonly standing: () => string | undefined;
  /** Notes a run whose log was read to its end by this caller. */
  readonly ended: (by: Caller) => void;
  /** Notes that a time-out was waited for in vain. */
  readonly waited: (vain: Vain) => void;
  /** Whether it was so before, and this caller has read no run's log to its end; logs without an event may be those of some runs alone. */
  readonly isVain: (vain: Vain, by: Caller) => boolean;
}

/** Under which credential a host is asked. */
type Caller = Pick<HostHandle, 'caller'>;

/**
 * What may be waited for in vain: a log that is refused, the first event and the end of one whose run has ended, and the end of one
 * that goes on and on.
 */
export type Vain = 'refused' | 'empty' | 'endless' | 'growing';

/** What a scenario drives with. Everything sent through it is recorded. */
export interface Probe {
  readonly host: HostHandle;
  /** Whether it is asked under a credential: without one, none can be left out. */
  readonly hasCredential?: boolean;
  /** The same host under the second tenant's credential, where one was given. */
  readonly otherTenant: HostHandle | undefined;
  /** The same host under a credential that may read but not create, where one was given. */
  readonly limited: HostHandle | undefined;
  /** The same host under a credential that may not read runs, where one was given. */
  readonly blind?: HostHandle | undefined;
  /** The second host, where one was given. */
  readonly hostB: HostHandle | undefined;
  /** The harness's own endpoints, which the host under test calls while it runs a fixture; undefined where none listens. */
  readonly witness: Witness | undefined;
  /** The hosts that the scenario may kill; undefined where the caller allows none (`--crash none`). */
  readonly crash?: CrashBench | undefined;
  /** The run's request for the discovery document, which needs no credential. */
  readonly discoveryExchange: Exchange;
  /** The same with the credential, where it was refused without one. */
  readonly discoveryAgain?: Exchange | undefined;
  /** The document that they gave, or undefined where it could not be read. */
  readonly discovery: unknown;
  /** By workflow, what is known of the fixtures that the run needs, where it has registered those that were lacking. */
  readonly fixtures?: ReadonlyMap<string, FixtureState> | undefined;
  /** Workflows that the caller says the host has (`--workflow`), each as it is run: they count as advertised ones do. */
  readonly named?: readonly Pick<RunRequest, 'workflowId' | 'inputs'>[] | undefined;
  /** How many requests the scenario may have under way at once. */
  readonly concurrency: number;
  /** Milliseconds that one exchange may take. */
  readonly timeoutMs: number;
  /** Aborted when the scenario's time is up or the run is interrupted. */
  readonly signal: AbortSignal;
  /** Whether the host carries out any run; nobody asks where absent. */
  readonly standstill?: Standstill | undefined;
  /** Notes a child run of the first host, as an exchange told of it: its id is no other run's either. */
  readonly noteChild?: (runId: string, exchange: string) => void;
}
