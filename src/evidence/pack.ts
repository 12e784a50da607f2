import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { collectLargeGarbage } from './garbage.ts';
import { excessOf } from './json-depth.ts';
import type { Json } from './types.ts';

/** A large JSON value as it is kept: deflated, and read again each time that somebody looks at it. */
export interface Packed {
  readonly bytes: Buffer;
  /** Characters of the value's JSON text. */
  readonly length: number;
  /** Whether the value is a list, an object or something else. */
  readonly form: 'list' | 'object' | 'other';
  value(): Json;
}

/** JSON texts from this length on are packed. */
export const PACKED_CHARACTERS = 64 * 1024;
/** Bytes that one packed value may unpack to. */
const MOST_UNPACKED = 64 * 1024 * 1024;
/** Values that were looked at last stay unpacked, up to this many characters of JSON together. */
const RECENT_CHARACTERS = 24 * 1024 * 1024;
const LEVEL = 3;

let held = 0;
const released = new FinalizationRegistry<number>((bytes) => {
  held -= bytes;
});

/** Bytes that packed values take which somebody still holds on to. */
export function packedBytes(): number {
  return held;
}

/** Packs a JSON text. */
export function pack(text: string): Packed {
  collectLargeGarbage();
  const packed = packedFrom(deflateRawSync(text, { level: LEVEL }), text);
  held += packed.bytes.byteLength;
  released.register(packed, packed.bytes.byteLength);
  return packed;
}

/** Reads what was packed. Throws where the bytes hold no JSON text, or one that is longer than anything that is packed. */
export function unpack(bytes: Buffer): Packed {
  const text = inflated(bytes);
  const excess = excessOf(text);
  if (excess !== undefined) throw new RangeError(`what is packed is more than any log: ${excess}`);
  JSON.parse(text);
  return packedFrom(bytes, text);
}

function packedFrom(bytes: Buffer, text: string): Packed {
  const first = /\S/u.exec(text)?.[0];
  const form = first === '[' ? 'list' : first === '{' ? 'object' : 'other';
  const packed: Packed = { bytes, length: text.length, form, value: () => lookAt(packed) };
  return packed;
}

function inflated(bytes: Buffer): string {
  return inflateRawSync(bytes, { maxOutputLength: MOST_UNPACKED }).toString('utf8');
}

let recent: readonly { readonly packed: Packed; readonly value: Json }[] = [];

/** A judge looks at the same logs again and again; all of them unpacked would be too many. */
function lookAt(packed: Packed): Json {
  const known = recent.find((each) => each.packed.bytes === packed.bytes);
  if (known === undefined) collectLargeGarbage();
  const found = known ?? { packed, value: JSON.parse(inflated(packed.bytes)) as Json };
  let room = RECENT_CHARACTERS - packed.length;
  const others = recent.filter((each) => each !== known && (room -= each.packed.length) >= 0);
  recent = [found, ...others];
  return found.value;
}

/** Gives an object a member whose value is unpacked when it is read. */
export function definePacked(target: object, name: string, packed: Packed): void {
  Object.defineProperty(target, name, { get: () => packed.value(), enumerable: true, configurable: true });
  packedMembers.set(target, { ...packedMembers.get(target), [name]: packed });
}

const packedMembers = new WeakMap<object, Readonly<Record<string, Packed>>>();

/** Gives an object a member: packed where it is large. */
export function keepMember(target: object, name: string, value: unknown): void {
  const text = JSON.stringify(value);
  if (text.length < PACKED_CHARACTERS) define(target, name, value);
  else definePacked(target, name, pack(text));
}

/** The members of an object that are packed. */
function packedIn(target: object): Readonly<Record<string, Packed>> {
  return packedMembers.get(target) ?? {};
}

/** Whether some of an object's members are packed. */
export function holdsPacked(target: object): boolean {
  return packedMembers.has(target);
}

/** A member as it is packed; undefined where it is not. One that stands in several places is the same each time. */
export function packedMember(target: object, name: string): Packed | undefined {
  const members = packedIn(target);
  return Object.hasOwn(members, name) ? members[name] : undefined;
}

/** An object of the same members for one look: a packed list or object is unpacked only where somebody looks inside. */
export function unopened<T extends object>(target: T): T {
  const standIns = Object.entries(packedIn(target)).map(
    ([name, packed]) => [name, { value: standIn(packed) }] as const,
  );
  return standIns.length === 0 ? target : (Object.create(target, Object.fromEntries(standIns)) as T);
}

function standIn(packed: Packed): unknown {
  if (packed.form === 'other') return packed.value();
  const inside = (): object => packed.value() as object;
  return new Proxy(packed.form === 'list' ? [] : {}, {
    get: (_, name): unknown => Reflect.get(inside(), name),
    has: (_, name) => Reflect.has(inside(), name),
    ownKeys: () => Reflect.ownKeys(inside()),
    getOwnPropertyDescriptor: (_, name) => Reflect.getOwnPropertyDescriptor(inside(), name),
  });
}

/** Gives an object a member of its own, whatever it is called. */
export function define(target: object, name: string, value: unknown): void {
  if (!(name in target)) Reflect.set(target, name, value);
  else Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

/** One object of the members of two, those of the second where both have one: what is packed stays so. */
export function copyPacked<T extends object, M extends object>(source: T, more: M): T & M {
  const copy: Record<string, unknown> = {};
  for (const from of [source, more]) {
    const members = packedIn(from);
    for (const name of Object.keys(from)) {
      if (from === source && Object.hasOwn(more, name)) continue;
      const packed = Object.hasOwn(members, name) ? members[name] : undefined;
      if (packed === undefined) define(copy, name, Reflect.get(from, name));
      else definePacked(copy, name, packed);
    }
  }
  return copy as T & M;
}
