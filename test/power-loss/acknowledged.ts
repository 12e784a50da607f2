import { isDeepStrictEqual } from 'node:util';
import type { Store } from '../../reference-host/store/store.ts';
import type { RunEvent } from '../../reference-host/store/event.ts';
import type { RunRecord } from '../../reference-host/store/runs.ts';

type AnswerKey = Parameters<Store['idempotency']['get']>[0];

/** A line of the workload: a transaction that was about to begin, or one that was acknowledged. */
export type Line =
  | { readonly runId: string; readonly begun: number }
  | {
      readonly runId: string;
      readonly events: readonly RunEvent[];
      readonly run?: RunRecord;
      readonly answer?: { readonly key: AnswerKey; readonly answer: unknown };
    };

/** What the workload wrote: everything acknowledged, and how many events may be there or not, all or none of a run's. */
export interface Acknowledged {
  readonly events: ReadonlyMap<string, readonly RunEvent[]>;
  readonly lines: readonly Line[];
  readonly inFlight: ReadonlyMap<string, number>;
}

/** Reads the workload's lines; half a line at the end was not said. */
export function linesIn(text: string): Line[] {
  const whole = text.slice(0, text.lastIndexOf('\n') + 1);
  return whole
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

/** Sums up what was said. */
export function acknowledgedIn(lines: readonly Line[]): Acknowledged {
  const events = new Map<string, RunEvent[]>();
  const inFlight = new Map<string, number>();
  for (const line of lines) {
    if ('begun' in line) inFlight.set(line.runId, line.begun);
    else {
      inFlight.delete(line.runId);
      events.set(line.runId, [...(events.get(line.runId) ?? []), ...line.events]);
    }
  }
  return { events, lines, inFlight };
}

/** What a store lacks of the acknowledged writes, or holds beside them and the transaction in flight; empty when right. */
export function missingFrom(store: Store, { events, lines, inFlight }: Acknowledged): string[] {
  const problems: string[] = [];
  const runIds = new Set(lines.map(({ runId }) => runId));
  for (const runId of runIds) {
    const expected = events.get(runId) ?? [];
    const found = store.events.read(runId);
    const kept = found.slice(0, expected.length);
    if (!isDeepStrictEqual(kept, expected)) {
      problems.push(`run ${runId}: ${found.length} events, ${expected.length} acknowledged`);
    }
    const more = found.length - expected.length;
    if (more > 0 && more !== inFlight.get(runId)) {
      problems.push(`run ${runId}: ${more} events that nobody wrote`);
    }
  }
  for (const line of lines) {
    if (!('events' in line)) continue;
    if (line.run !== undefined && store.runs.get(line.runId) === undefined) problems.push(`no run ${line.runId}`);
    if (line.answer === undefined) continue;
    const { key, answer } = line.answer;
    if (!isDeepStrictEqual(store.idempotency.get(key), answer)) problems.push(`no answer for ${key.key}`);
  }
  return problems;
}
