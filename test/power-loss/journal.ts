/** One thing that a process did to the files of the watched folder. `file` is a name within it; the folder's own is ''. */
export type FileOperation =
  | { readonly kind: 'opened'; readonly descriptor: number; readonly file: string }
  | { readonly kind: 'wrote'; readonly descriptor: number; readonly offset: number; readonly bytes: Uint8Array }
  | { readonly kind: 'truncated'; readonly descriptor: number; readonly size: number }
  | { readonly kind: 'synced'; readonly descriptor: number }
  | { readonly kind: 'unlinked'; readonly file: string };

const HEAD_BYTES = 20;

/** Reads the records that journal.c wrote about `folder`, in their order. */
export function readJournal(journal: Buffer, folder: string): FileOperation[] {
  const operations: FileOperation[] = [];
  for (let at = 0; at < journal.length;) {
    const end = at + HEAD_BYTES + journal.readUInt32LE(at + 16);
    operations.push(operationIn(journal.subarray(at, end), folder));
    at = end;
  }
  return operations;
}

function operationIn(record: Buffer, folder: string): FileOperation {
  const descriptor = record.readInt32LE(4);
  const number = Number(record.readBigInt64LE(8));
  const bytes = record.subarray(HEAD_BYTES);
  const file = (): string => bytes.toString('utf8').slice(folder.length + 1);
  switch (record.readUInt32LE(0)) {
    case 1:
      return { kind: 'opened', descriptor, file: file() };
    case 2:
      return { kind: 'wrote', descriptor, offset: number, bytes };
    case 3:
      return { kind: 'truncated', descriptor, size: number };
    case 4:
      return { kind: 'synced', descriptor };
    case 5:
      return { kind: 'unlinked', file: file() };
    default:
      throw new Error('the journal is damaged');
  }
}
