import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../src/contract/package-root.ts';
import { validate } from '../../src/contract/validate.ts';
import { goldenRequests } from './golden.ts';

const requestOf = (name: string): string =>
  goldenRequests('rfc-0041').find((each) => each.name === name)?.request ?? '';

describe('the golden vectors', () => {
  it('fit their schema', () => {
    const text = readFileSync(packageFile('fixtures', 'vectors', 'cache-key-golden.json'), 'utf8');
    expect(validate('cache-key-vectors', JSON.parse(text))).toEqual([]);
    expect(validate('cache-key-vectors', { recipe: 'spec-rfc-0041', vectors: [{ name: 'x' }] })).not.toEqual([]);
  });

  it('are sent as the file spells them', () => {
    expect(requestOf('temperature-negative-zero')).toContain('-0.0');
    expect(requestOf('number-small-exponent')).toContain('1e-07');
  });

  it('leave out the one vector whose fields the later recipe takes in', () => {
    expect(goldenRequests('rfc-0041')).toHaveLength(27);
    expect(goldenRequests('rfc-0150')).toHaveLength(26);
  });
});
