import type { ListQuery, RunHead, RunList } from '../report/view/timeline/model.ts';

/** A run with its log, as whoever has it gives it. */
export interface SourceRun {
  readonly head: RunHead;
  /** The log's events as they came, in order. */
  readonly events: readonly unknown[];
}

/** A value, or the status and the words with which it was refused. */
export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Where the view's runs come from, as one caller may see them. */
export interface RunSource {
  list(query: ListQuery): Promise<Answered<RunList>>;
  read(runId: string): Promise<Answered<SourceRun>>;
}

/** What is answered for a run that is not there, or not the caller's. */
export const NO_SUCH_RUN: Answered<never> = { ok: false, status: 404, message: 'There is no such run.' };

/** An object's own member; undefined of anything that is none. */
export function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Reflect.get(value, name)
    : undefined;
}

export function textOf(value: unknown, name: string): string | undefined {
  const found = member(value, name);
  return typeof found === 'string' ? found : undefined;
}

export function numberOf(value: unknown, name: string): number | undefined {
  const found = member(value, name);
  return typeof found === 'number' ? found : undefined;
}
