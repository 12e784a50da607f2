import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../contract/usage-error.ts';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { readTextFile } from './text-file.ts';

const read = (path: string, most = 100_000): string =>
  readTextFile(path, most, (problem) => new UsageError(`it ${problem}`));

describe('the text of a file', () => {
  it('is read to its last byte, and no further than it may be', async () => {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, 'text');
      const text = 'ä'.repeat(40_000);
      writeFileSync(path, text);
      expect(read(path)).toBe(text);
      expect(read(path, 80_000)).toBe(text);
      expect(() => read(path, 79_999)).toThrow(new UsageError('it is larger than 79999 bytes'));
    });
  });

  it('is read from a pipe', async () => {
    await withTemporaryDirectory(async (directory) => {
      const path = join(directory, 'pipe');
      execFileSync('sh', ['-c', 'mkfifo "$0"', path]);
      const writer = spawn('sh', ['-c', '{ printf one; printf two; } > "$0"', path]);
      expect(read(path)).toBe('onetwo');
      await once(writer, 'close');
    });
  });

  it('ends where a device never does', () => {
    expect(() => read('/dev/zero')).toThrow('it is larger than 100000 bytes');
  });

  it('is none of a directory, of what is not there or of other bytes than UTF-8', async () => {
    await withTemporaryDirectory(async (directory) => {
      mkdirSync(join(directory, 'd'));
      expect(() => read(join(directory, 'd'))).toThrow(new UsageError('it is no file'));
      expect(() => read(join(directory, 'x'))).toThrow('no such file');
      writeFileSync(join(directory, 'b'), Uint8Array.of(0x7b, 0xff));
      expect(() => read(join(directory, 'b'))).toThrow(new UsageError('it is not valid UTF-8'));
    });
  });
});
