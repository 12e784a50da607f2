import { describe, expect, it } from 'vitest';
import { parseExactly } from './exact-json.ts';

const named = (number: string): string => `${number} (a number beyond a double)`;

describe('parseExactly', () => {
  it.each([
    ['1e400', '1e400'],
    ['[-1E+400]', '-1e400'],
    ['{"a":10.0e399}', '1e400'],
    ['{"a" : 0.01e402, "b": 1}', '1e400'],
    [`1${'0'.repeat(400)}`, '1e400'],
    [`[1,-25${'0'.repeat(399)}.50]`, `-25${'0'.repeat(399)}5e-1`],
  ])('names %s', (text, number) => {
    expect(JSON.stringify(parseExactly(text))).toContain(JSON.stringify(named(number)));
  });

  it('keeps all that stands beside it, and the same in strings and names', () => {
    const text = '{"[1e400,":1e400,"b":["x:1e400\\" ,2e400",1e300,-0,1e-400,null],"c":-2e400}';
    expect(parseExactly(text)).toEqual({
      '[1e400,': named('1e400'),
      b: ['x:1e400" ,2e400', 1e300, -0, 0, null],
      c: named('-2e400'),
    });
  });

  it.each(['1e', '[1e400', '1e400.5', '1e400e1', '01e400', '+1e400'])('refuses %s', (text) => {
    expect(() => parseExactly(text)).toThrow(SyntaxError);
  });
});
