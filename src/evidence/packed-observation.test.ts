import { deflateRawSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { copyPacked, unopened } from './pack.ts';
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
    const spend = vi.fn<(bytes: number) => void>();
    expect(createPacker().pack(small, spend)).toBe(small);
    expect(spend).toHaveBeenCalledExactlyOnceWith(JSON.stringify(small).length);
  });

  it('that is large reads as before, in memory and from its line, which is short', () => {
    const large = record('o1', { role: 'the run', events });
    let bytes = 0;
    const packed = createPacker().pack(large, (length) => (bytes = length));
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
    const [first, second] = ['o1', 'o2'].map((id) => packer.pack(record(id, { events })));
    if (first === undefined || second === undefined) throw new TypeError('both were packed');
    expect(written(second).observation).toMatchObject({ packed: { events: '=o1/events' } });
    const unpack = createUnpacker();
    unpack(written(first));
    expect({ ...unpack(written(second)).observation }).toMatchObject({ events });
  });

  it('that is not kept is the place of nothing', () => {
    const packer = createPacker();
    const spend = vi.fn<(bytes: number) => void>().mockImplementation(() => {
      throw new RangeError('full');
    });
    expect(() => packer.pack(record('o1', { events }), spend)).toThrow('full');
    const unpack = createUnpacker();
    expect({ ...unpack(written(packer.pack(record('o1', { more: events })))).observation }).toMatchObject({
      more: events,
    });
  });

  it.each([
    ['nests without end', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['holds more values than any log', `[${'[],'.repeat(800_000)}0]`],
  ])('of which a member %s is none', (_, text) => {
    const packed = { events: deflateRawSync(text).toString('base64') };
    expect(() => createUnpacker()(record('o1', { packed }))).toThrow('more than any log');
  });

  it('whose member is called after the prototype keeps it as a member', () => {
    const value = JSON.parse('{"__proto__":{"answer":1}}') as Record<string, Json>;
    const { observation } = createPacker().pack(record('o1', { ...value, events }));
    expect(Object.getPrototypeOf(observation)).toBe(Object.prototype);
    expect((observation as unknown as { readonly answer?: unknown }).answer).toBeUndefined();
  });

  it('that is packed is unpacked only where somebody looks inside', () => {
    const table = Object.fromEntries(events.map((event, index) => [`e${index}`, event]));
    const text = 'x'.repeat(100_000);
    const { observation } = createPacker().pack(record('o1', { role: 'the run', events, table, text }));
    const parse = vi.spyOn(JSON, 'parse');
    const lazy = unopened(observation) as unknown as { readonly events: Json[]; readonly table: object };
    expect([Array.isArray(lazy.events), typeof lazy.table, Array.isArray(lazy.table)]).toEqual([true, 'object', false]);
    // The text has no inside.
    expect(parse).toHaveBeenCalledTimes(1);
    expect([lazy.events.length, lazy.events[4999], 0 in lazy.events]).toEqual([5000, events[4999], true]);
    expect(lazy.table).toEqual(table);
    expect(Object.keys(lazy.table)).toHaveLength(5000);
    parse.mockRestore();
  });

  it.each([
    ['no base64 of anything', 'AAAA', /unexpected end/u],
    ['an earlier place that there is not', '=o7/events', /nothing is packed at o7/u],
    ['no text', 7, /is no text/u],
  ])('that packs %s cannot be read', (_, text, message) => {
    expect(() => createUnpacker()(record('o1', { packed: { events: text } }))).toThrow(message);
  });
});
