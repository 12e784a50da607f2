import { member } from '../../src/contract/discovery.ts';
import { isRecord } from '../../src/host/run-event.ts';
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

/** What the run that was not cut tells of where its host shows answers. */
export function controlOfAnswers(uncut: Cell): Pick<Control, 'strays' | 'variables'> {
  const { nonces, cell } = uncut;
  const shown = shownNonces(uncut);
  const others = shown.filter(({ nonce }) => !nonces.includes(nonce));
  const strays = others.length < shown.length ? others.map(({ place }) => place) : [];
  const variables = member(cell.snapshot, 'variables');
  const names = isRecord(variables) ? Object.keys(variables).filter((name) => holdsAny(variables[name], nonces)) : [];
  return { strays: new Set(strays), variables: names };
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
  if (!isRecord(ended)) return undefined;
  const name = variables.find((each) => Object.hasOwn(ended, each) && !holdsAny(ended[each], nonces));
  return name === undefined
    ? undefined
    : [`${answers} in variables.${name}`, JSON.stringify(member(ended, name)) ?? 'nothing'];
}

/**
 * A variable that holds the tool's answer where nobody died, and that a completed run neither shows in the end nor ever wrote: what is
 * injected is what the call did (sem §2).
 */
export function lostVariable(
  { outcome, nonces, cell, events }: Cell,
  { variables }: Control,
): readonly [expected: string, actual: string] | undefined {
  const shown = member(cell.snapshot, 'variables');
  if (outcome !== 'completed' || nonces.length === 0 || cell.log === null || !isRecord(shown)) return undefined;
  const isWritten = (name: string): boolean =>
    events.some(({ type, payload }) => type === 'variable.changed' && member(payload, 'name') === name);
  const lost = variables.find((name) => (member(shown, name) ?? null) === null && !isWritten(name));
  return lost === undefined
    ? undefined
    : [`${nonces.join(' or ')} in variables.${lost}`, 'nothing, and no event wrote it'];
}
