import { listed as listedNames } from '../../src/contract/listed.ts';
import { notApplicable, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { type Defect, defectOf, failureIn, listed } from './cell-defects.ts';
import { orderInStream } from './crash-stores.ts';
import { type InvocationEvent, keysOf } from './invocation-events.ts';
import type { Matrix } from './matrix.ts';
import { type Cell, holdsAny, isCaughtUp } from './read-cell.ts';
import { holdsWhole } from './shown-answers.ts';
import { withoutRuns } from './told.ts';

const NONE = 'no run completed after a death between PutEffect and the end of the append';
const BETWEEN = 'expose a failpoint between PutEffect and the append, such as after-put-effect';
const WRITTEN = ['finished', 'committed'] as const;

/**
 * Judges that catch-up completed the stream (sem §1, §2 window 3): the events that the run that was not cut has of its call
 * stand in the log of one that was, too, and say what they say there. Cells with another defect are for the rows of their windows.
 */
export function judgeCatchUp(matrix: Matrix): Outcome {
  const { singles, pairs, uncut, control } = matrix;
  const cells = [...singles, ...pairs];
  if (keepsNoEffects(cells, matrix)) {
    return notApplicable('the host keeps no effect store, from which it could catch up', [uncut]);
  }
  const caughtUp = cells.filter((cell) => isCaughtUp(cell) && cell.cell.log !== null);
  if (caughtUp.length === 0) return withoutRuns(matrix) ?? undecidedUntil(BETWEEN, NONE, [uncut]);
  const absent = WRITTEN.find((step) => !uncut.invocations.some((each) => each.step === step));
  if (absent !== undefined) {
    return undecided(`the run that was not cut shows no event ${absent} of its call, which others could be held to`, [
      uncut,
    ]);
  }
  if (orderInStream(uncut) !== undefined) {
    const left = undecided('the run that was not cut shows the events of its call in another order', [uncut]);
    return rests('once.write-order.found', left);
  }
  const sound = caughtUp.filter((cell) => defectOf(cell, control) === undefined);
  if (sound.length === 0) {
    return rests('once.effect-not-appended', undecided('every run of window 3 shows another defect', caughtUp));
  }
  return failureIn(sound, (cell) => incomplete(cell, uncut)) ?? pass(sound, `${sound.length} cells: ${listed(sound)}`);
}

/** Whether a host that finds a result in its stream never finds an effect, and names no failpoint for one. */
function keepsNoEffects(cells: readonly Cell[], { placing }: Matrix): boolean {
  const found = cells.flatMap(({ allFound }) => allFound);
  const isPast = found.some(({ stream }) => stream === 'finished' || stream === 'committed');
  return isPast && !placing.hasEffects && found.every(({ effect }) => !effect);
}

function incomplete(cell: Cell, uncut: Cell): Defect | undefined {
  for (const step of WRITTEN) {
    const wanted = uncut.invocations.find((each) => each.step === step);
    if (wanted === undefined) continue;
    const event = cell.invocations.find((each) => each.step === step && each.outcome !== 'failure');
    if (event === undefined) {
      return ['not-caught-up', `one ${wanted.event.type} of a call that did not fail`, logOf(cell)];
    }
    const [written, control] = [
      { cell, event },
      { cell: uncut, event: wanted },
    ];
    const other = otherKey(written, control) ?? otherOutcome(written, control) ?? withoutResult(written, control);
    if (other !== undefined) return ['caught-up-otherwise', ...other];
  }
  const late = orderInStream(cell);
  return late && ['caught-up-late', late[1], logOf(cell)];
}

/** An event of a cell's call. */
interface Written {
  readonly cell: Cell;
  readonly event: InvocationEvent;
}

type Other = readonly [expected: string, actual: string] | undefined;

/** A key under which the call was not declared: nobody finds the result again by it (sem §4.1). */
function otherKey(written: Written, control: Written): Other {
  const keys = declaredKeys(written);
  if (keys.length === 0 || !isDeclared(control) || isDeclared(written)) return undefined;
  const expected = `${placeOf(written)} with the idempotency_key of the call's start, ${keys.join(' or ')}`;
  return [expected, written.event.key ?? 'no key'];
}

function isDeclared(written: Written): boolean {
  const { key } = written.event;
  return key !== undefined && declaredKeys(written).includes(key);
}

function declaredKeys({ cell }: Written): readonly string[] {
  return keysOf(cell.invocations.filter(({ step }) => step === 'started'));
}

function otherOutcome(written: Written, control: Written): Other {
  const isUsual = written.event.step === 'finished' && control.event.outcome === 'success';
  if (!isUsual || written.event.outcome === 'success') return undefined;
  return [`${placeOf(written)} with outcome success`, 'no outcome'];
}

/** A result that stands in the stream where nobody died: what is not in the event cannot be injected from it. */
function withoutResult(written: Written, control: Written): Other {
  const { nonces } = written.cell;
  if (written.event.step !== 'finished' || nonces.length === 0) return undefined;
  const expected = `${placeOf(written)} with the result, ${nonces.join(' or ')}`;
  if (holdsResult(control) && !holdsResult(written)) return [expected, 'something else'];
  const isPart = isWhole(control) && !isWhole(written);
  return isPart ? [`${expected}, whole`, JSON.stringify(written.event.result) ?? 'nothing'] : undefined;
}

function holdsResult({ cell, event }: Written): boolean {
  return holdsAny(event.event.payload, cell.nonces);
}

function isWhole({ cell, event }: Written): boolean {
  return holdsWhole(event.event.payload, cell);
}

function placeOf({ event: { event } }: Written): string {
  return `${event.type} at sequence ${event.sequence}`;
}

/** What the log holds from the first event of the call on. */
function logOf({ events, invocations }: Cell): string {
  const types = events.slice(invocations[0]?.index ?? 0).map(({ type, sequence }) => `${type} (${sequence})`);
  return listedNames(types, 8);
}
