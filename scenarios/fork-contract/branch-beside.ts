import { fail, type Outcome } from '../../src/contract/outcome.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { type AnyRun, wholeRunsIn } from '../shared/every-run.ts';
import { refusedText, refusedWrongly } from '../shared/need.ts';
import { CANCELLED_BRANCH, DUPLICATE, ROLES, WAITING } from './waiting-roles.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/**
 * replay.md, Status codes: a branch of a run that was cancelled, and one from the last event of a run that waits, of which another branch
 * was made, are to be made: the number stands in the log, and there is no other reason to refuse one. Whether other runs that wait are
 * branched is left open, and for what 409 stands is not. Undefined where none was refused so.
 */
export function refusedBeside(everything: Everything): Outcome | undefined {
  const runs = wholeRunsIn(everything).filter(({ scenario }) => scenario === WAITING);
  return ofCancelled(runs) ?? fromItsLast(runs) ?? ofWaiting(runs);
}

function refusedAs(runs: readonly AnyRun[], role: string): AnyRun | undefined {
  return runs.find((run) => run.role === role && refusedWrongly(run));
}

function ofCancelled(runs: readonly AnyRun[]): Outcome | undefined {
  const refused = refusedAs(runs, CANCELLED_BRANCH);
  const source = runs.find(({ role }) => role === ROLES.gone);
  if (refused === undefined || source === undefined || endOf(eventsOf(source)) !== 'cancelled') return undefined;
  const expected = `201 for a branch from the end of ${named(source)}: the host offers the mode branch`;
  return fail({ diagnosis: sharedCause('fork-refused'), expected, actual: refusedText(refused) }, [refused, source]);
}

function fromItsLast(runs: readonly AnyRun[]): Outcome | undefined {
  const refused = refusedAs(runs, ROLES.behind);
  const made = runs.find(({ role, runId }) => role === ROLES.left && runId !== null);
  if (refused === undefined || made === undefined) return undefined;
  const expected = `201 for a branch from sequence ${refused.fork?.fromSeq ?? ''} of a run that waits, as from sequence ${made.fork?.fromSeq ?? ''}: its log holds both`;
  return fail({ diagnosis: sharedCause('fork-refused'), expected, actual: refusedText(refused) }, [refused, made]);
}

function ofWaiting(runs: readonly AnyRun[]): Outcome | undefined {
  const refused = refusedAs(runs, ROLES.left);
  if (refused?.answered !== DUPLICATE) return undefined;
  const expected =
    '201, or why not: 409 is for a duplicate of a fork in flight under its Idempotency-Key alone, and the request had none';
  return fail(
    { diagnosis: sharedCause('fork-refused'), expected, actual: `${refusedText(refused)}, of a run that waits` },
    [refused],
  );
}
