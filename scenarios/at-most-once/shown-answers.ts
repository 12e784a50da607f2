import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { writtenValue } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { shown } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/read-event.ts';
import { outputIn } from '../shared/shown-values.ts';
import { CHARGE } from './fixtures.ts';
import { isResult } from './invocation-events.ts';
import { holdsAny, type Cell, type Control } from './read-cell.ts';

/** A nonce that a run shows in a place where it shows what its tool answered, such as `variables.receipt.nonce`. */
export interface ShownNonce {
  readonly place: string;
  readonly nonce: string;
}

/**
 * The members `nonce`, at any depth, of what shows an answer: the result of the call, the change of a variable, the node's
 * output, the variables in the end. What a host wraps around the answer does not matter.
 */
export function shownNonces({ events, invocations, cell }: Cell): readonly ShownNonce[] {
  const results = invocations
    .filter(({ step, outcome }) => step !== 'started' && outcome !== 'failure')
    .map(({ event }) => event);
  const others = events.filter(({ type }) => type === 'variable.changed' || type === 'node.completed');
  return [
    ...[...results, ...others].flatMap(({ type, payload }) => noncesIn(payload, type)),
    ...noncesIn(member(cell.snapshot, 'variables'), 'variables'),
  ];
}

function noncesIn(value: unknown, place: string): readonly ShownNonce[] {
  if (Array.isArray(value)) return value.flatMap((each) => noncesIn(each, `${place}[]`));
  if (!isRecord(value)) return [];
  return Object.entries(value).flatMap(([name, each]) => {
    if (name === 'nonce' && typeof each === 'string') return [{ place: `${place}.nonce`, nonce: each }];
    return noncesIn(each, `${place}.${name}`);
  });
}

/** A place in which a run may show what its tool answered, and what stands there. */
interface ShownAnswer {
  readonly place: string;
  readonly value: unknown;
}

/** How the places of a snapshot's variables begin. */
export const VARIABLES = 'variables.';

/** The place of the node's output. */
const OUTPUT = 'node.completed.output';

/** How the place of a call's result ends. */
const RESULT = '.result';

/** What stands where a run shows its tool's answer: the result of the call, the node's output, variables. */
export function shownAnswers({ events, invocations, cell }: Cell): readonly ShownAnswer[] {
  const results = invocations
    .filter(isResult)
    .map(({ event, result }) => ({ place: `${event.type}${RESULT}`, value: result }));
  const others = events
    .filter((event) => nodeOf(event) === CHARGE.nodeId)
    .flatMap((event): readonly ShownAnswer[] => {
      const { type, payload } = event;
      if (type === 'node.completed') return [{ place: OUTPUT, value: outputIn(payload) }];
      if (type !== 'variable.changed') return [];
      return [{ place: `${type} ${shown(member(payload, 'name'))}`, value: writtenValue(event) }];
    });
  const variables = member(cell.snapshot, 'variables');
  const ended = isRecord(variables) ? Object.entries(variables) : [];
  return [...results, ...others, ...ended.map(([name, value]) => ({ place: `${VARIABLES}${name}`, value }))];
}

/** Whether an answer of the tool stands somewhere in a value with all that it holds, be there more beside it. */
export function holdsWhole(value: unknown, { cell: { calls } }: Cell): boolean {
  const answers = calls.map((call) => member(call, 'answer')).filter(isRecord);
  const isIn = (each: unknown): boolean => {
    if (Array.isArray(each)) return each.some(isIn);
    if (!isRecord(each)) return false;
    const isWhole = answers.some((answer) =>
      Object.entries(answer).every(([name, wanted]) => isDeepStrictEqual(each[name], wanted)),
    );
    return isWhole || Object.values(each).some(isIn);
  };
  return isIn(value);
}

/** What the run that was not cut tells of where its host shows answers. */
export function controlOfAnswers(uncut: Cell): Pick<Control, 'strays' | 'variables' | 'wholes'> {
  const { nonces, cell } = uncut;
  const all = shownNonces(uncut);
  const others = all.filter(({ nonce }) => !nonces.includes(nonce));
  const strays = others.length < all.length ? others.map(({ place }) => place) : [];
  const variables = member(cell.snapshot, 'variables');
  const names = isRecord(variables) ? Object.keys(variables).filter((name) => holdsAny(variables[name], nonces)) : [];
  const wholes = shownAnswers(uncut).filter(({ value }) => holdsWhole(value, uncut));
  return { strays: new Set(strays), variables: names, wholes: new Set(wholes.map(({ place }) => place)) };
}

/**
 * What a completed run shows as its tool's answer and the tool never gave (sem §2: what is injected is what was recorded).
 * Nonces are compared, not shapes; a nonce of the host's own stands in the same place without a death.
 */
export function otherAnswer(
  cell: Cell,
  { strays, variables }: Control,
): readonly [expected: string, actual: string] | undefined {
  const { outcome, nonces } = cell;
  if (outcome !== 'completed' || nonces.length === 0 || nonces.length < cell.cell.calls.length) return undefined;
  const answers = nonces.join(' or ');
  const stray = shownNonces(cell).find(({ place, nonce }) => !strays.has(place) && !nonces.includes(nonce));
  if (stray !== undefined) return [`${answers} in ${stray.place}`, stray.nonce];
  const { snapshot } = cell.cell;
  const ended = member(snapshot, 'status') === 'completed' ? member(snapshot, 'variables') : undefined;
  const other = isRecord(ended)
    ? variables.find((each) => Object.hasOwn(ended, each) && !holdsAny(ended[each], nonces))
    : undefined;
  return other === undefined ? undefined : [`${answers} in ${VARIABLES}${other}`, shown(member(ended, other))];
}

/**
 * A place in which a completed run shows something else than its tool's whole answer, which stands there without a death. What catch-up
 * `isWriting` into the stream is judged for itself.
 */
export function partOfAnswer(
  cell: Cell,
  { wholes = new Set() }: Control,
  isWriting: boolean,
): readonly [expected: string, actual: string] | undefined {
  const { outcome, nonces } = cell;
  const { calls } = cell.cell;
  if (outcome !== 'completed' || nonces.length === 0 || nonces.length < calls.length) return undefined;
  // An output that holds nothing of it the row about the stream tells of.
  const isOthers = ({ place, value }: ShownAnswer): boolean =>
    (isWriting && place.endsWith(RESULT)) || (place === OUTPUT && !holdsAny(value, nonces));
  const isMeant = (each: ShownAnswer): boolean =>
    wholes.has(each.place) && (each.value ?? null) !== null && !isOthers(each);
  const all = shownAnswers(cell).filter(isMeant);
  const kept = new Set(all.filter(({ value }) => holdsWhole(value, cell)).map(({ place }) => place));
  const part = all.find(({ place }) => !kept.has(place));
  return part && [`${shown(member(calls.at(-1), 'answer'))} in ${part.place}`, shown(part.value)];
}

/**
 * A variable that holds the tool's answer where nobody died, and that a completed run neither shows in the end nor ever wrote: what is
 * injected is what the call did (sem §2).
 */
export function lostVariable(
  { outcome, nonces, cell, events }: Cell,
  { variables }: Control,
): readonly [expected: string, actual: string] | undefined {
  const ended = member(cell.snapshot, 'variables');
  if (outcome !== 'completed' || nonces.length === 0 || cell.log === null || !isRecord(ended)) return undefined;
  const isWritten = (name: string): boolean =>
    events.some(({ type, payload }) => type === 'variable.changed' && member(payload, 'name') === name);
  const lost = variables.find((name) => (member(ended, name) ?? null) === null && !isWritten(name));
  return lost === undefined
    ? undefined
    : [`${nonces.join(' or ')} in variables.${lost}`, 'nothing, and no event wrote it'];
}
