import type { LogEvent } from '../../../event-log/index.ts';

/** What the Timeline View shows: plain values, of which every text may be a host's. */

/** A fork of a run, or the run that it was forked from. */
export interface RunLink {
  readonly runId: string;
  /** What it is to whoever has recorded it. */
  readonly label?: string;
  readonly workflowId?: string;
  readonly status?: string;
  readonly startedAt?: string;
  readonly parentRunId?: string;
  readonly forkMode?: string;
  readonly fromSeq?: number;
  /** How many forks it has. */
  readonly forks?: number;
}

/** A page of the list of runs. */
export interface RunList {
  readonly runs: readonly RunLink[];
  /** The run that the next, older page begins behind. */
  readonly next?: string;
}

/** What the list was asked for. */
export interface ListQuery {
  readonly search?: string;
  readonly status?: string;
  readonly parentRunId?: string;
  readonly before?: string;
  readonly limit?: number;
}

/** A run, whatever its log says. */
export interface RunHead extends RunLink {
  readonly completedAt?: string;
  readonly error?: string;
  /** The newest forks of it. */
  readonly children: readonly RunLink[];
}

/** The one place of the state that an event has changed. */
export interface StateChange {
  readonly place: string;
  readonly before: unknown;
  readonly after: unknown;
}

export interface TimelineEvent extends LogEvent {
  readonly timestamp?: string;
  /** Milliseconds since the log's first event. */
  readonly offsetMs?: number;
  readonly change?: StateChange;
  /** Its lane, and those whose node is at work when it happens. */
  readonly lane: number;
  readonly active: readonly number[];
}

/** Which events are shown; an absent member excludes none. */
export interface EventFilter {
  readonly type?: string;
  readonly node?: string;
  /** What types have before their first dot. */
  readonly kind?: string;
}

/** A run's log as it is shown: one page of its events. */
export interface Timeline {
  readonly run: RunHead;
  /** The names of the lanes: the run's own first, then its nodes as they come. */
  readonly lanes: readonly string[];
  readonly events: readonly TimelineEvent[];
  /** The number of the log's last event; absent where there is none. */
  readonly last?: number;
  /** Events of the log, and of those the filter lets through. */
  readonly total: number;
  readonly matching: number;
  /** The first numbers of the pages before and behind this one. */
  readonly pages: { readonly before?: number; readonly after?: number };
  readonly filter: EventFilter;
  readonly choices: {
    readonly types: readonly string[];
    readonly nodes: readonly string[];
    readonly kinds: readonly string[];
  };
  /** Whether more events may come. */
  readonly isLive: boolean;
  /** The event that was jumped to, with the states around it. */
  readonly opened?: { readonly sequence: number; readonly before: object; readonly after: object };
  /** What was to be jumped to and is not in the log. */
  readonly notFound?: string;
  /** Where and why the log cannot be read. */
  readonly unreadable?: string;
}

export type ForkMode = 'replay' | 'branch';

/** The request that a deep link leads to. */
export interface ForkDraft {
  readonly runId: string;
  readonly mode: ForkMode;
  readonly fromSeq: number;
}
