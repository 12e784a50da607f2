import type { Outcome } from '../../src/contract/outcome.ts';
import { readVolatile, type VolatilePlaces } from '../../src/event-log/index.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunObservation } from './run-observation.ts';

/**
 * A run without the fields that were declared volatile. What is declared below `/payload/value`, the value of a variable
 * or channel, is taken out of the values in the snapshot as well.
 */
export function withoutVolatile<R extends Pick<RunObservation, 'events' | 'snapshot'>>(
  run: R,
  pointers: readonly string[],
): R {
  if (pointers.length === 0) return run;
  const read = readVolatile(pointers);
  if (!read.ok) return run;
  const { places } = read;
  const inPayload = placesAt(places, 'payload');
  const forEvents = inPayload === undefined ? places : new Map([...places, ['data', inPayload] as const]);
  const inValue = inPayload instanceof Map ? placesAt(inPayload, 'value') : undefined;
  return {
    ...run,
    events: run.events.map((event) => without(event, forEvents)),
    snapshot: inValue === undefined ? run.snapshot : withoutValues(run.snapshot, inValue),
  };
}

function placesAt(places: VolatilePlaces, name: string): VolatilePlaces | true | undefined {
  return places.get(name);
}

function without(value: Json, places: VolatilePlaces): Json {
  if (Array.isArray(value)) return value.map((item: Json, index) => withoutAt(item, places.get(String(index))) ?? null);
  if (!isObject(value)) return value;
  const kept = Object.entries(value).flatMap(([name, member]): (readonly [string, Json])[] => {
    const left = withoutAt(member, places.get(name));
    return left === undefined ? [] : [[name, left]];
  });
  return Object.fromEntries(kept);
}

function withoutAt(value: Json, place: VolatilePlaces | true | undefined): Json | undefined {
  if (place === true) return undefined;
  return place === undefined ? value : without(value, place);
}

/** A snapshot whose every variable and channel lacks the places of their values. */
function withoutValues(snapshot: Json, place: VolatilePlaces | true): Json {
  if (!isObject(snapshot)) return snapshot;
  const parts = ['variables', 'channels'].flatMap((part): (readonly [string, Json])[] => {
    const values = snapshot[part];
    if (!isObject(values)) return [];
    const kept = Object.entries(values).map(([name, value]) => [name, withoutAt(value, place) ?? null] as const);
    return [[part, Object.fromEntries(kept)]];
  });
  return { ...snapshot, ...Object.fromEntries(parts) };
}

function isObject(value: Json | undefined): value is { readonly [key: string]: Json } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A pass says which deviations it rests on: fields that were left out because they were declared volatile. */
export function declaring(outcome: Outcome, volatile: readonly string[]): Outcome {
  if (outcome.kind !== 'pass' || volatile.length === 0) return outcome;
  const deviation = `declared volatile and not compared: ${volatile.join(', ')}`;
  return { ...outcome, reason: outcome.reason === undefined ? deviation : `${outcome.reason}; ${deviation}` };
}
