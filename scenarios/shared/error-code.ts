import { member } from '../../src/contract/discovery.ts';
import type { RunEvent } from '../../src/host/run-event.ts';

/** The error code that a run.failed event holds, in either place (wire-contract, Documents); undefined where it holds none. */
export function codeInEvent(failed: Pick<RunEvent, 'payload'> | undefined): string | undefined {
  return text(member(member(failed?.payload, 'error'), 'code')) ?? text(member(failed?.payload, 'code'));
}

/** The error code that a snapshot holds; undefined where it holds none. */
export function codeInSnapshot(snapshot: unknown): string | undefined {
  return text(member(member(snapshot, 'error'), 'code'));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
