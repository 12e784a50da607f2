import { describe, expect, it } from 'vitest';
import { type Files, type Loss, createDisk } from './disk.ts';
import { seeded } from './random.ts';

const FOLDER = 1;
const FILE = 2;
const OLD: Files = new Map([['old', Buffer.from('old')]]);

function diskWith(files: Files = new Map()) {
  const disk = createDisk(files);
  disk.apply({ kind: 'opened', descriptor: FOLDER, file: '' });
  return {
    open: (file: string) => disk.apply({ kind: 'opened', descriptor: FILE, file }),
    write: (offset: number, text: string) =>
      disk.apply({ kind: 'wrote', descriptor: FILE, offset, bytes: Buffer.from(text) }),
    truncate: (size: number) => disk.apply({ kind: 'truncated', descriptor: FILE, size }),
    unlink: (file: string) => disk.apply({ kind: 'unlinked', file }),
    sync: () => disk.apply({ kind: 'synced', descriptor: FILE }),
    syncFolder: () => disk.apply({ kind: 'synced', descriptor: FOLDER }),
    left: (loss: Loss = 'all', seed = 1) =>
      new Map(
        [...disk.afterPowerLoss(loss, seeded(seed))].map(([name, bytes]) => [name, Buffer.from(bytes).toString()]),
      ),
  };
}

describe('a disk after a power loss', () => {
  it('has lost what was not synced', () => {
    const disk = diskWith(OLD);
    disk.open('old');
    disk.write(0, 'new');
    expect(disk.left()).toEqual(new Map([['old', 'old']]));
    disk.sync();
    disk.write(3, 'er');
    expect(disk.left()).toEqual(new Map([['old', 'new']]));
  });

  it('knows a new file once its folder was synced too, and a removed one until then', () => {
    const disk = diskWith(OLD);
    disk.open('new');
    disk.write(0, 'x');
    disk.sync();
    disk.unlink('old');
    expect(disk.left()).toEqual(new Map([['old', 'old']]));
    disk.syncFolder();
    expect(disk.left()).toEqual(new Map([['new', 'x']]));
  });

  it('fills up with zeros what a file grew by, and what it grew by again after it was cut', () => {
    const disk = diskWith(OLD);
    disk.open('old');
    disk.truncate(1);
    disk.truncate(3);
    disk.write(4, 'x');
    disk.sync();
    expect(disk.left()).toEqual(new Map([['old', 'o\0\0\0x']]));
  });

  it('has kept a first part of the writes when the others are lost', () => {
    const disk = diskWith(OLD);
    disk.open('old');
    for (const letter of 'abc') disk.write(0, letter);
    const found = new Set(Array.from({ length: 40 }, (_, seed) => disk.left('suffix', seed).get('old')));
    expect(found).toEqual(new Set(['ald', 'bld', 'cld', 'old']));
  });

  it('has kept any sectors of a write, and may have anything in the others', () => {
    const disk = diskWith(OLD);
    disk.open('old');
    disk.write(0, 'a'.repeat(512) + 'b'.repeat(512));
    const kinds = Array.from({ length: 60 }, (_, seed) => {
      const text = disk.left('some', seed).get('old') ?? '';
      return `${text.startsWith('aaa')} ${text.length > 512 && text.endsWith('bbb')} ${text.startsWith('old')}`;
    });
    expect(new Set(kinds)).toEqual(
      new Set(['true true false', 'true false false', 'false true true', 'false false true']),
    );
  });
});
