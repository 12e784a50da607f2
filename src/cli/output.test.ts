import { describe, expect, it } from 'vitest';
import { shownSafely } from './output.ts';

describe('a file of JSON lines', () => {
  it('says the same, and holds nothing that a terminal or a runner obeys or hides', () => {
    const value = { a: '\u202e \u009b31m \u001b[31m', b: '##vso[task.complete] ::error::x', c: 'äöü' };
    let written = '';
    const file = shownSafely({ write: (text) => void (written += text), keep: () => undefined, drop: () => undefined });
    file.write(`${JSON.stringify(value)}\n`);
    expect(JSON.parse(written)).toEqual(value);
    expect(written).not.toMatch(/[\u202e\u009b\u001b]|##vso\[|::error::/u);
    expect(written).toContain('äöü');
  });
});
