import type { FileOperation } from './journal.ts';
import type { Random } from './random.ts';

/** What becomes of the writes that no fsync has confirmed when the power fails. */
export type Loss =
  /** None of them reached the disk. */
  | 'all'
  /** The first ones did, the last of those in part. */
  | 'suffix'
  /** Any of their sectors did, in any order; a file that grew holds anything in the others. */
  | 'some';

/** The bytes of each file of a folder. */
export type Files = ReadonlyMap<string, Uint8Array>;

/** A disk under a folder: `apply` what a process does, `afterPowerLoss` what is there when the machine starts again. */
export interface Disk {
  apply(operation: FileOperation): void;
  afterPowerLoss(loss: Loss, random: Random): Files;
}

/** What a disk writes at once or not at all. */
const SECTOR = 512;

type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly size: number };
type Entry = { readonly name: string; readonly file: StoredFile | undefined };

interface StoredFile {
  /** Its own bytes, which a sync changes: nobody else is given them. */
  durable: Uint8Array;
  pending: Change[];
}

/** A disk that keeps only what was synced: a file's content by its own fsync, names by the fsync of the folder. */
export function createDisk(initial: Files): Disk {
  const durableNames = new Map<string, StoredFile>();
  for (const [name, bytes] of initial) durableNames.set(name, { durable: new Uint8Array(bytes), pending: [] });
  const names = new Map(durableNames);
  const open = new Map<number, StoredFile | 'folder'>();
  let pendingNames: Entry[] = [];

  const opened = (name: string): StoredFile => {
    const file = names.get(name) ?? { durable: new Uint8Array(0), pending: [] };
    if (!names.has(name)) pendingNames.push({ name, file });
    names.set(name, file);
    return file;
  };
  const change = (descriptor: number, made: Change): void => {
    const file = open.get(descriptor);
    if (file !== undefined && file !== 'folder') file.pending.push(made);
  };
  const sync = (descriptor: number): void => {
    const file = open.get(descriptor);
    if (file === 'folder') {
      for (const entry of pendingNames) setName(durableNames, entry);
      pendingNames = [];
    } else if (file !== undefined) {
      file.durable = synced(file);
      file.pending = [];
    }
  };
  return {
    apply(operation) {
      switch (operation.kind) {
        case 'opened':
          open.set(operation.descriptor, operation.file === '' ? 'folder' : opened(operation.file));
          return;
        case 'wrote':
          change(operation.descriptor, { offset: operation.offset, bytes: operation.bytes });
          return;
        case 'truncated':
          change(operation.descriptor, { size: operation.size });
          return;
        case 'synced':
          sync(operation.descriptor);
          return;
        case 'unlinked':
          names.delete(operation.file);
          pendingNames.push({ name: operation.file, file: undefined });
      }
    },
    afterPowerLoss(loss, random) {
      const kept = new Map(durableNames);
      for (const entry of survivors(pendingNames, loss, random)) setName(kept, entry);
      return new Map([...kept].map(([name, file]) => [name, contentAfter(file, loss, random)]));
    },
  };
}

function setName(names: Map<string, StoredFile>, { name, file }: Entry): void {
  if (file === undefined) names.delete(name);
  else names.set(name, file);
}

function survivors<T>(pending: readonly T[], loss: Loss, random: Random): readonly T[] {
  if (loss === 'all') return [];
  if (loss === 'suffix') return pending.slice(0, Math.floor(random() * (pending.length + 1)));
  const share = random();
  return pending.filter(() => random() < share);
}

function contentAfter({ durable, pending }: StoredFile, loss: Loss, random: Random): Uint8Array {
  if (loss === 'all') return new Uint8Array(durable);
  if (loss === 'suffix') return changed(durable, cutShort(pending, random));
  const changes = pending.flatMap(sectors);
  const kept = survivors(changes, loss, random);
  const content = changed(durable, kept);
  if (random() < 0.5) return content;
  const survived = new Set(kept);
  const lost = changes.filter((each) => !survived.has(each));
  return changed(scribbled(durable, content.length, { lost, random }), kept);
}

/** The first changes, the last of them ending at a sector's end. */
function cutShort(pending: readonly Change[], random: Random): Change[] {
  const all = pending.flatMap(sectors);
  return all.slice(0, Math.floor(random() * (all.length + 1)));
}

/** A write as one change for each sector of the disk that it touches. */
function sectors(made: Change): Change[] {
  if ('size' in made) return [made];
  const parts: Change[] = [];
  for (let from = 0; from < made.bytes.length;) {
    const offset = made.offset + from;
    const to = Math.min(made.bytes.length, from + SECTOR - (offset % SECTOR));
    parts.push({ offset, bytes: made.bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}

interface Scribbled {
  readonly lost: readonly Change[];
  readonly random: Random;
}

/** The durable content made longer: where a lost write would have made the file grow stands anything. */
function scribbled(durable: Uint8Array, size: number, { lost, random }: Scribbled): Uint8Array {
  const content = new Uint8Array(Math.max(size, durable.length));
  content.set(durable);
  for (const made of lost) {
    if ('size' in made) continue;
    const end = Math.min(size, made.offset + made.bytes.length);
    for (let at = Math.max(made.offset, durable.length); at < end; at += 1) content[at] = random() * 256;
  }
  return content.subarray(0, size);
}

/** What a file holds when all of it is on the disk: where it does not grow, the same bytes changed, for a log is synced hundreds of times. */
function synced({ durable, pending }: StoredFile): Uint8Array {
  const isWithin = pending.every((made) => 'bytes' in made && made.offset + made.bytes.length <= durable.length);
  if (!isWithin) return changed(durable, pending);
  for (const made of pending) if ('bytes' in made) durable.set(made.bytes, made.offset);
  return durable;
}

function changed(content: Uint8Array, changes: readonly Change[]): Uint8Array {
  let size = content.length;
  let largest = size;
  for (const made of changes) {
    size = 'size' in made ? made.size : Math.max(size, made.offset + made.bytes.length);
    largest = Math.max(largest, size);
  }
  const result = new Uint8Array(largest);
  result.set(content);
  let end = content.length;
  for (const made of changes) {
    if ('size' in made) {
      result.fill(0, Math.min(end, made.size), end);
      end = made.size;
    } else {
      result.set(made.bytes, made.offset);
      end = Math.max(end, made.offset + made.bytes.length);
    }
  }
  return result.subarray(0, size);
}
