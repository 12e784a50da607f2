import { hash } from 'node:crypto';
import { define, definePacked, pack, PACKED_CHARACTERS, unpack, type Packed } from './pack.ts';
import type { Observation, ObservationRecord } from './types.ts';

/** What packs the large members of a run's observations. */
export interface Packer {
  /**
   * The record with its large members packed. `spend` is given the length of its line; where it throws, the record is not kept
   * and no later one refers to it.
   */
  pack(record: ObservationRecord, spend?: (bytes: number) => void): ObservationRecord;
}

/** The member of a written observation that holds its packed members: base64, or where the same value stands already. */
const PACKED = 'packed';
const SAME = '=';

/**
 * Makes a packer. A value that an earlier observation holds too is kept once: the same log is read by many. In memory a
 * packed member is unpacked whenever it is read; on its line it stands in `packed`.
 */
export function createPacker(): Packer {
  const places = new Map<string, { readonly packed: Packed; readonly place: string }>();
  return {
    pack: (record, spend = () => undefined) => {
      const line = JSON.stringify(record);
      if (line.length < PACKED_CHARACTERS) {
        spend(Buffer.byteLength(line));
        return record;
      }
      const small: Record<string, unknown> = {};
      const large: [name: string, packed: Packed, written: string][] = [];
      const added = new Map<string, { readonly packed: Packed; readonly place: string }>();
      for (const [name, value] of Object.entries(record.observation)) {
        const text = JSON.stringify(value);
        if (name === 'exchanges' || text.length < PACKED_CHARACTERS) {
          define(small, name, value);
          continue;
        }
        const digest = hash('sha256', text, 'hex');
        const known = places.get(digest) ?? added.get(digest);
        const packed = known?.packed ?? pack(text);
        if (known === undefined) added.set(digest, { packed, place: `${SAME}${record.id}/${name}` });
        large.push([name, packed, known?.place ?? packed.bytes.toString('base64')]);
      }
      const written = { ...small, [PACKED]: Object.fromEntries(large.map(([name, , text]) => [name, text])) };
      const observation = withPacked(small, large, written);
      spend(large.reduce((sum, [, , text]) => sum + text.length, Buffer.byteLength(JSON.stringify(small)) + 200));
      for (const [digest, place] of added) places.set(digest, place);
      return { ...record, observation };
    },
  };
}

function withPacked(
  small: object,
  large: readonly (readonly [string, Packed, string])[],
  written: object,
): Observation {
  const observation = { ...small };
  for (const [name, packed] of large) definePacked(observation, name, packed);
  Object.defineProperty(observation, 'toJSON', { value: () => written });
  return observation as Observation;
}

/** Characters that all packed values of one evidence file may unpack to. */
const MOST_UNPACKED = 1024 * 1024 * 1024;

/**
 * Makes the function that reads a line's packed members; other lines stay as they are. Throws where one cannot be
 * unpacked, or all of them are more than any run records.
 */
export function createUnpacker(): (record: ObservationRecord) => ObservationRecord {
  const places = new Map<string, Packed>();
  let left = MOST_UNPACKED;
  return (record) => {
    const { [PACKED]: written, ...small } = record.observation as Observation & { readonly packed?: unknown };
    if (typeof written !== 'object' || written === null) return record;
    const large = Object.entries(written).map(([name, text]): readonly [string, Packed, string] => {
      if (typeof text !== 'string') throw new TypeError(`/observation/packed/${name} is no text`);
      const known = places.get(text);
      if (known === undefined && text.startsWith(SAME)) throw new TypeError(`nothing is packed at ${text.slice(1)}`);
      const packed = known ?? unpack(Buffer.from(text, 'base64'));
      left -= known === undefined ? packed.length : 0;
      if (left < 0) throw new RangeError(`the file unpacks to more than ${MOST_UNPACKED} characters`);
      places.set(`${SAME}${record.id}/${name}`, packed);
      return [name, packed, text];
    });
    return { ...record, observation: withPacked(small, large, { ...small, [PACKED]: written }) };
  };
}
