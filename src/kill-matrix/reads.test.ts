import { describe, expect, it } from 'vitest';
import { locate, readDiscovery } from '../contract/discovery.ts';
import { phase4 } from '../contract/gates.ts';
import { createReads } from './reads.ts';

interface Document {
  readonly limits: object;
  readonly multiAgent: { readonly executionModel: Readonly<Record<string, unknown>> };
  readonly fixtures: readonly string[];
}

const document: Document = {
  limits: { schemaRounds: 1 },
  multiAgent: { executionModel: { supported: true, version: 4, replayDeterminism: { supported: true } } },
  fixtures: ['one', 'two'],
};

/** Whether what a reader finds in `document` is the same in another one. */
function isSame(read: (document: Document) => unknown, other: unknown): boolean {
  const reads = createReads();
  read(reads.view(document) as Document);
  return reads.sameIn(other);
}

const version = (seen: Document): unknown => seen.multiAgent.executionModel.version;
const model = (seen: Document): unknown => seen.multiAgent;
const replay = (seen: object): unknown => locate(seen, ['replay']);
const limitNames = (seen: Document): unknown => Object.keys(seen.limits);
const second = (seen: Document): unknown => seen.fixtures.includes('two');
const rounds = (seen: Document): unknown => {
  const value: unknown = Object.getOwnPropertyDescriptor(seen, 'limits')?.value;
  return (value as { readonly schemaRounds: number }).schemaRounds;
};

describe('reads', () => {
  it('are the same everywhere where nothing was read', () => {
    for (const other of [undefined, null, [], {}, document]) expect(isSame(() => undefined, other)).toBe(true);
  });

  it('give what is there', () => {
    const reads = createReads();
    const seen = reads.view(document) as Document;
    expect(JSON.stringify(seen)).toBe(JSON.stringify(document));
    expect(Array.isArray(seen.fixtures)).toBe(true);
    expect([...seen.fixtures]).toEqual(document.fixtures);
    expect(seen.limits).toBe(seen.limits);
    expect(reads.sameIn(structuredClone(document))).toBe(true);
  });

  it('tell a value that was read from one that was not', () => {
    expect(isSame(version, { ...document, limits: 'none' })).toBe(true);
    expect(isSame(version, { multiAgent: { executionModel: { version: 4 } } })).toBe(true);
    expect(isSame(version, { multiAgent: { executionModel: { version: '4' } } })).toBe(false);
    expect(isSame(version, { multiAgent: 4 })).toBe(false);
    expect(isSame(version, [document])).toBe(false);
    expect(isSame(version, undefined)).toBe(false);
  });

  it('tell the kind of a block, not what is in it', () => {
    expect(isSame(model, { multiAgent: {} })).toBe(true);
    expect(isSame(model, { multiAgent: [] })).toBe(false);
    expect(isSame(model, { multiAgent: true })).toBe(false);
    expect(isSame(model, {})).toBe(false);
  });

  it('tell what was looked for in vain', () => {
    expect(isSame(replay, { limits: 1 })).toBe(true);
    expect(isSame(replay, { replay: false })).toBe(false);
    expect(isSame(replay, { capabilities: { replay: {} } })).toBe(false);
    expect(isSame((seen) => 'replay' in seen, { replay: null })).toBe(false);
    expect(isSame((seen) => Object.hasOwn(seen, 'replay'), { replay: null })).toBe(false);
  });

  it('tell the members of a block that was gone through', () => {
    expect(isSame(limitNames, { limits: { schemaRounds: 1 } })).toBe(true);
    expect(isSame(limitNames, { limits: { schemaRounds: 1, more: 1 } })).toBe(false);
    expect(isSame(limitNames, { limits: {} })).toBe(false);
    expect(isSame((seen) => Object.entries(seen.limits), { limits: { schemaRounds: 2 } })).toBe(false);
  });

  it('tell the items of a list, and its length', () => {
    expect(isSame(second, { fixtures: ['one', 'two'] })).toBe(true);
    expect(isSame(second, { fixtures: ['one', 'two', 'three'] })).toBe(false);
    expect(isSame(second, { fixtures: ['one', 'other'] })).toBe(false);
  });

  it('tell a value that was taken from a descriptor', () => {
    expect(isSame(rounds, { limits: { schemaRounds: 1 } })).toBe(true);
    expect(isSame(rounds, { limits: { schemaRounds: 2 } })).toBe(false);
  });

  it('tell what a reader of discovery documents finds', () => {
    const reads = createReads();
    expect(phase4(readDiscovery(reads.view(document))).open).toBe(true);
    expect([reads.sameIn(structuredClone(document)), reads.sameIn({})]).toEqual([true, false]);
  });

  it('tell whether there is a document, and that all of it was read', () => {
    const reads = createReads();
    reads.handedOut(document);
    expect([reads.sameIn({}), reads.sameIn([]), reads.sameIn(undefined)]).toEqual([true, false, false]);
    reads.whole();
    expect(reads.sameIn(document)).toBe(false);
  });
});
