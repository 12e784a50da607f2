import type { Json } from '../src/evidence/types.ts';
import type { Recorded } from '../src/runner/scenario.ts';
import { idempotencyKey } from '../scenarios/at-most-once/idempotency-key.ts';
import type { PerCallCell } from '../scenarios/at-most-once/per-call.ts';
import { cellOf, type CellFacts, logInWords } from './crash-cells.ts';

/** A cell, and which keys and results its calls show: `A` and `B` are the right keys. */
export interface PerCallFacts extends CellFacts {
  readonly keys?: readonly string[];
  readonly nonces?: readonly string[];
  /** The type of events that show no key. */
  readonly keyless?: string;
}

function keyOf(name: string): string {
  const args: Readonly<Record<string, string>> = { A: '{"step":1}', B: '{"step":2}' };
  const parts = { runId: 'r', nodeId: 'charge', toolName: 'charge-card' };
  const text = args[name];
  return text === undefined ? name : (idempotencyKey({ ...parts, args: text }) ?? '');
}

function logOf(keys: readonly string[], nonces: readonly string[]): readonly Json[] {
  const calls = keys.flatMap((key, index) =>
    logInWords('started finished committed').map((event) => {
      const { payload, ...rest } = event as { readonly payload: object };
      const shown = {
        ...payload,
        idempotency_key: keyOf(key),
        ...('result' in payload ? { result: nonces[index] } : {}),
      };
      return { ...rest, payload: shown };
    }),
  );
  const ends = logInWords('node.completed run.completed');
  const all = [...logInWords('run.started node.started'), ...calls, ...ends];
  return all.map((event, sequence): Json => ({ ...(event as object), eventId: `e-${sequence}`, sequence }));
}

function recorded(facts: PerCallFacts): Recorded<PerCallCell> {
  const { keys = ['A', 'B'], nonces = ['n-1', 'n-2'], keyless, calls = 2, more, ...others } = facts;
  const log = logOf(keys, nonces).map((event): Json => {
    const { type, payload } = event as { readonly type: string; readonly payload: object };
    return type === keyless ? { ...(event as object), payload: { ...payload, idempotency_key: null } } : event;
  });
  const cell = cellOf({ calls, ...others, more: { log, ...more } });
  return { id: `p-${cell.id}`, type: 'per-call-cell', cell, exchanges: [] };
}

/** The run that is not cut and the one that is, of a host that is right where nothing else is given. */
export function perCallRuns(uncut: PerCallFacts = {}, cut: PerCallFacts = {}): readonly Recorded<PerCallCell>[] {
  return [recorded(uncut), recorded({ cut: 'after-ledger-commit', callsThen: 1, ...cut })];
}
