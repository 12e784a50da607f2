import { describe, expect, it } from 'vitest';
import { defaultParts } from '../../reference-host/index.ts';
import { createRenames, isNaming, NAMING, renamedParts } from './renames.ts';

const call = { runId: 'r', nodeId: 'n', tool: 't', args: {}, attempt: 'a' };

describe('renames', () => {
  it('are one to one as long as every name stands for one other', () => {
    const renames = createRenames();
    const note = (conformant: string, own: string, id = 'm') => renames.isOneToOne(id, 'actKey', { conformant, own });
    expect([note('a', 'x'), note('b', 'y'), note('a', 'x')]).toEqual([true, true, true]);
    expect(note('c', 'x')).toBe(false);
    expect(note('b', 'z')).toBe(false);
    expect(note('c', 'x', 'another mutant')).toBe(true);
  });

  it('are those of the parts that gave another name', () => {
    const renames = createRenames();
    renames.isOneToOne('m', 'actKey', { conformant: 'a', own: 'a' });
    renames.isOneToOne('m', 'cacheKey', { conformant: 'a', own: 'b' });
    renames.isOneToOne('same', 'cacheKey', { conformant: 'a', own: 'a' });
    expect([...renames.found].map(([id, parts]) => [id, [...parts]])).toEqual([['m', ['cacheKey']]]);
  });
});

describe('renamed parts', () => {
  it('give other names, one to one, where they are asked to', () => {
    const { ledger } = renamedParts(new Set(['ledger.externalKey']));
    expect(ledger.externalKey(call)).not.toBe(defaultParts.ledger.externalKey(call));
    expect(ledger.externalKey(call)).toBe(ledger.externalKey(call));
    expect(ledger.externalKey({ ...call, nodeId: 'm' })).not.toBe(ledger.externalKey(call));
    expect(ledger.idempotencyKey(call, '{}')).toBe(defaultParts.ledger.idempotencyKey(call, '{}'));
  });

  it.each(NAMING)('rename %s and leave the others', (part) => {
    const parts = renamedParts(new Set([part]));
    const { cacheKey, actKey, llmCache, ledger } = defaultParts;
    const isOther = [
      parts.cacheKey !== cacheKey,
      parts.actKey !== actKey,
      parts.llmCache.invocationId !== llmCache.invocationId,
      parts.llmCache.namespace !== llmCache.namespace,
      parts.ledger.idempotencyKey !== ledger.idempotencyKey,
      parts.ledger.externalKey !== ledger.externalKey,
    ];
    expect(isOther).toEqual(NAMING.map((each) => each === part));
    expect(isNaming(part)).toBe(true);
  });
});
