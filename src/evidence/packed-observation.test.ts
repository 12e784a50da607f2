import { describe, expect, it } from 'vitest';
import { copyPacked } from './pack.ts';
import { createPacker, createUnpacker } from './packed-observation.ts';
import type { Json, ObservationRecord } from './types.ts';

const events: readonly Json[] = Array.from({ length: 5000 }, (_, sequence) => ({ sequence, type: 'a.b', payload: {} }));

function record(id: string, more: Readonly<Record<string, Json>>): ObservationRecord {
  return { kind: 'observation', id, scenario: 's', observation: { type: 't', exchanges: ['x1'], ...more } };
}

function written(packed: ObservationRecord): ObservationRecord {
  return JSON.parse(JSON.stringify(packed)) as ObservationRecord;
}

describe('an observation', () => {
  it('that is small stays as it is', () => {
    const small = record('o1', { events: events.slice(0, 10) });
    expect(createPacker().pack(small)).toEqual({ record: small, bytes: JSON.stringify(small).length });
  });

  it('that is large reads as before, in memory and from its line, which is short', () => {
    const large = record('o1', { role: 'the run', events });
    const { record: packed, bytes } = createPacker().pack(large);
    const line = JSON.stringify(packed);
    expect(line.length).toBeLessThan(JSON.stringify(large).length / 5);
    expect(bytes).toBeGreaterThanOrEqual(line.length);
    for (const each of [packed, createUnpacker()(written(packed))]) {
      expect({ ...each.observation }).toEqual(large.observation);
      expect(JSON.stringify(each)).toBe(line);
      expect({ ...copyPacked(each.observation, { id: 'o1' }) }).toEqual({ ...large.observation, id: 'o1' });
    }
  });

  it('whose value stands in an earlier one too is written once', () => {
    const packer = createPacker();
    const [first, second] = ['o1', 'o2'].map((id) => packer.pack(record(id, { events })).record);
    if (first === undefined || second === undefined) throw new TypeError('both were packed');
    expect(written(second).observation).toMatchObject({ packed: { events: '=o1/events' } });
    const unpack = createUnpacker();
    unpack(written(first));
    expect({ ...unpack(written(second)).observation }).toMatchObject({ events });
  });

  it.each([
    ['no base64 of anything', 'AAAA', /unexpected end/u],
    ['an earlier place that there is not', '=o7/events', /nothing is packed at o7/u],
    ['no text', 7, /is no text/u],
  ])('that packs %s cannot be read', (_, text, message) => {
    expect(() => createUnpacker()(record('o1', { packed: { events: text } }))).toThrow(message);
  });
});
