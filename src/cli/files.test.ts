import { existsSync, linkSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkFiles, makeFolder, type NamedFile } from './files.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'files-'));
  writeFileSync(join(folder, 'a'), 'a');
  mkdirSync(join(folder, 'below'));
  linkSync(join(folder, 'a'), join(folder, 'hard'));
  symlinkSync('a', join(folder, 'symbolic'));
  symlinkSync('new', join(folder, 'dangling'));
  symlinkSync('loop', join(folder, 'loop'));
});
afterAll(() => rmSync(folder, { recursive: true }));

const SPECIAL = /^(?:-|\/)/u;
function named(option: string, path: string): NamedFile {
  return { option, path: SPECIAL.test(path) ? path : join(folder, path) };
}

function check(inputs: readonly string[], outputs: readonly string[]): string {
  try {
    checkFiles(
      inputs.map((path) => named('the input', path)),
      outputs.map((path, index) => named(`--output${index}`, path)),
    );
    return 'fine';
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message.replaceAll(folder, '')}` : '';
  }
}

describe('checkFiles', () => {
  it.each(['a', 'hard', 'symbolic', 'below/../a', './a'])('refuses an output that is the input, as %s', (path) => {
    expect(check(['a'], ['-', path])).toMatch(/^UsageError: --output1 would overwrite the input, which is read: \//u);
  });

  it('refuses an output that is an input which is not there yet', () => {
    expect(check(['new', 'loop'], ['dangling'])).toMatch(/^UsageError: --output0 would overwrite the input/u);
  });

  it.each([
    ['a', 'hard'],
    ['new', 'new'],
    ['new', 'dangling'],
    ['new', 'below/../new'],
  ])('refuses two outputs that are one file, %s and %s', (one, other) => {
    expect(check([], [one, other])).toMatch(/^UsageError: --output0 and --output1 are one file: \//u);
    expect(check([], [other, one])).toMatch(/are one file/u);
  });

  it('refuses standard output twice, by any of its names', () => {
    for (const other of ['-', '/dev/stdout', '/dev/fd/1']) {
      expect(check([], ['-', 'new', other])).toBe(
        'UsageError: --output0 and --output2 both go to standard output: give one of them a file',
      );
    }
  });

  it.runIf(existsSync('/proc/self'))('refuses what can be written in name only', () => {
    expect(check([], ['/proc/report.xml'])).toMatch(/^UsageError: --output0: cannot write \/proc\/report\.xml: E/u);
  });

  it.each([
    ['no/such', 'ENOENT'],
    ['below', 'is a directory'],
    ['a/b', 'ENOTDIR'],
    ['loop', 'ELOOP'],
  ])('refuses what cannot be written: %s', (path, says) => {
    expect(check([], [path])).toMatch(/^UsageError: --output0: /u);
    expect(check([], [path])).toContain(says);
  });

  it('lets everything else pass: files of their own, devices twice, inputs twice; and touches nothing', () => {
    const before = readdirSync(folder);
    expect(check(['a', 'hard', '-', 'absent'], ['new', 'new2', 'below/new', '-', '/dev/null', '/dev/null'])).toBe(
      'fine',
    );
    expect(readdirSync(folder)).toEqual(before);
  });
});

describe('a folder', () => {
  it('is made with those above it, and left as it is where it is there', () => {
    const deep = join(folder, 'one', 'two', 'three');
    makeFolder(deep);
    makeFolder(`${deep}/`);
    expect(existsSync(deep)).toBe(true);
  });

  it('is refused where a file is in the way, and where nothing can be made', () => {
    expect(() => makeFolder(join(folder, 'a', 'b'))).toThrow(/EEXIST|ENOTDIR/u);
    expect(() => makeFolder('/proc/none/of/these')).toThrow('ENOENT');
  });
});
