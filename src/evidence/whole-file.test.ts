import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isSpecial, openWholeFile, targetOf } from './whole-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'whole-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const text = (name: string): string => readFileSync(at(name), 'utf8');

describe('a whole file', () => {
  it('is the old one until it is kept, and leaves nothing beside it', () => {
    writeFileSync(at('a'), 'old');
    const file = openWholeFile(at('a'));
    file.write('ne');
    expect(text('a')).toBe('old');
    file.write('w');
    file.keep();
    expect(text('a')).toBe('new');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('stays the old one where it is dropped, and an absent one absent', () => {
    writeFileSync(at('a'), 'old');
    for (const name of ['a', 'b']) {
      const file = openWholeFile(at(name));
      file.write('new');
      file.drop();
      file.drop();
    }
    expect(text('a')).toBe('old');
    expect(readdirSync(folder)).toEqual(['a']);
  });

  it('keeps the mode that the old one had, and gives a new one the mode that was asked for', () => {
    writeFileSync(at('a'), 'old');
    chmodSync(at('a'), 0o640);
    for (const name of ['a', 'b']) openWholeFile(at(name), 0o600).keep();
    expect([statSync(at('a')).mode & 0o777, statSync(at('b')).mode & 0o777]).toEqual([0o640, 0o600]);
  });

  it('is written through links, and they stay links', () => {
    writeFileSync(at('a'), 'old');
    symlinkSync('a', at('to-a'));
    symlinkSync('b', at('to-b'));
    for (const name of ['to-a', 'to-b']) {
      const file = openWholeFile(at(name));
      file.write('new');
      file.keep();
    }
    expect([text('a'), text('b')]).toEqual(['new', 'new']);
    expect([lstatSync(at('to-a')).isSymbolicLink(), lstatSync(at('to-b')).isSymbolicLink()]).toEqual([true, true]);
  });

  it('parts from its other names: a hard link keeps the old one', () => {
    writeFileSync(at('a'), 'old');
    linkSync(at('a'), at('b'));
    const file = openWholeFile(at('a'));
    file.write('new');
    file.keep();
    expect([text('a'), text('b')]).toEqual(['new', 'old']);
  });

  it('is written directly where the path is a device, and says what the device says', () => {
    const file = openWholeFile('/dev/null');
    file.write('gone');
    file.keep();
    expect(isSpecial('/dev/null')).toBe(true);
    expect(isSpecial('/dev/stdout')).toBe(true);
    expect(isSpecial(folder)).toBe(false);
    const full = openWholeFile('/dev/full');
    expect(() => full.write('x')).toThrow(/ENOSPC/u);
    full.drop();
  });

  it('throws where it cannot be: no such directory, a directory', () => {
    expect(() => openWholeFile(at('no/such'))).toThrow(/ENOENT/u);
    const onDirectory = openWholeFile(folder);
    expect(() => onDirectory.keep()).toThrow(/EISDIR|EEXIST|ENOTEMPTY|EBUSY/u);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('knows where links end, dangling ones too', () => {
    symlinkSync('c', at('b'));
    symlinkSync('b', at('a'));
    expect(targetOf(at('a'))).toBe(targetOf(at('c')));
    symlinkSync('loop', at('loop'));
    expect(() => targetOf(at('loop'))).toThrow(/ELOOP/u);
  });
});
