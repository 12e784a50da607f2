import { isRecord } from '../../src/host/run-event.ts';

/** Where a value is not what it has to be, as a JSON pointer; undefined where it is. */
export type Shape = (value: unknown, pointer: string) => string | undefined;

function simple(is: (value: unknown) => boolean): Shape {
  return (value, pointer) => (is(value) ? undefined : pointer);
}

export const text = simple((value) => typeof value === 'string');
export const number = simple((value) => typeof value === 'number');
export const flag = simple((value) => typeof value === 'boolean');
/** What a host or a tool sent: read defensively wherever it is read. */
export const anything = simple((value) => value !== undefined);

/** One of these texts. */
export function oneOf(...texts: readonly string[]): Shape {
  return simple((value) => typeof value === 'string' && texts.includes(value));
}

/** That, or null. */
export function nullable(shape: Shape): Shape {
  return (value, pointer) => (value === null ? undefined : shape(value, pointer));
}

/** A list, each of it like that. */
export function list(shape: Shape): Shape {
  return (value, pointer) => {
    if (!Array.isArray(value)) return pointer;
    return value.map((each, index) => shape(each, `${pointer}/${index}`)).find((found) => found !== undefined);
  };
}

/** An object with at least these members of its own. */
export function record(members: Readonly<Record<string, Shape>>): Shape {
  return (value, pointer) => {
    if (!isRecord(value)) return pointer;
    return Object.entries(members)
      .map(([name, shape]) => shape(Object.hasOwn(value, name) ? value[name] : undefined, `${pointer}/${name}`))
      .find((found) => found !== undefined);
  };
}

const fork = record({ sourceRunId: nullable(text), mode: text, fromSeq: nullable(number), advertised: flag });

/** A run as scenarios record it. */
export const run = record({
  role: text,
  fork: nullable(fork),
  answered: nullable(number),
  answer: anything,
  runId: nullable(text),
  problem: nullable(text),
  events: list(anything),
  snapshot: anything,
});

/** Where an observation is not what is recorded under its type, as a JSON pointer; undefined where it is. */
export type FaultFinder = (observation: Readonly<Record<string, unknown>>) => string | undefined;

/** Makes the function that finds faults, from the shapes of observations by their types. More members may stand beside these. */
export function faultFinder(shapes: Readonly<Record<string, Shape>>): FaultFinder {
  return (observation) => {
    const { type, exchanges } = observation;
    if (typeof type !== 'string' || !Object.hasOwn(shapes, type)) return '/type';
    return list(text)(exchanges, '/exchanges') ?? shapes[type]?.(observation, '');
  };
}
