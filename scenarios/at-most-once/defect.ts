import type { wrong } from './diagnoses.ts';

/** The name of a cause. */
export type Code = Parameters<typeof wrong>[0];

/** What a cell shows that must not be; `restsOn` where another check owns the cause. */
export interface Defect {
  readonly code: Code;
  readonly expected: string;
  readonly actual: string;
  readonly restsOn?: string;
}

/** What the run that was not cut, the control of all others, shows of its host. */
export interface Control {
  /** Types of events that are shown live and are no part of the log, or read otherwise there. */
  readonly unsteady: ReadonlySet<string>;
  /** Members of events that read otherwise at each reading, whatever the type. */
  readonly restless: ReadonlySet<string>;
  /** Whether the tool's answer stands in the log or in the snapshot. */
  readonly showsResult: boolean;
  /** Whether its log could be read. */
  readonly showsLog: boolean;
  /** Places of answers in which nonces stand that are not the tool's. */
  readonly strays: ReadonlySet<string>;
  /** Variables that hold the tool's answer in the end. */
  readonly variables: readonly string[];
}
