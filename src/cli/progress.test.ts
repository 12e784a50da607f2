import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createProgressLine } from './progress.ts';

function drawn(isTTY: boolean, columns = 80): string {
  const stream = Object.assign(new PassThrough(), { isTTY, columns }) as PassThrough & NodeJS.WriteStream;
  const line = createProgressLine(stream);
  line.show({ done: 1, total: 2, current: 'a\u001b[2Jb' });
  line.clear();
  return String(stream.read() ?? '');
}

describe('the progress line', () => {
  it('is drawn over on a terminal and wiped at the end, with names made safe', () => {
    expect(drawn(true)).toBe('\r\u001b[K1/2 a\\u{1b}[2Jb\r\u001b[K');
  });

  it('never wraps', () => {
    expect(drawn(true, 6)).toBe('\r\u001b[K1/2 a\r\u001b[K');
  });

  it('is nothing where there is no terminal', () => {
    expect(drawn(false)).toBe('');
  });
});
