import type { Logged } from '../report/view/build-comparison.ts';
import type { ListQuery, RunList } from '../report/view/timeline/model.ts';

/** A value, or the status and the words with which it was refused. */
export type Answered<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly status: number; readonly message: string };

/** Where the view's runs come from, as one caller may see them. */
export interface RunSource {
  list(query: ListQuery): Promise<Answered<RunList>>;
  read(runId: string): Promise<Answered<Logged>>;
}

/** What is answered for a run that is not there, or not the caller's. */
export const NO_SUCH_RUN: Answered<never> = { ok: false, status: 404, message: 'There is no such run.' };
