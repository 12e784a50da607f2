import type { Line } from './acknowledged.ts';
import { linesIn } from './acknowledged.ts';
import type { Disk, Files } from './disk.ts';
import { createDisk } from './disk.ts';
import type { FileOperation } from './journal.ts';
import { ACKS } from './recorded-process.ts';

/** A recorded process on a disk that can lose writes, stopped at some operation. */
export interface Machine {
  readonly disk: Disk;
  /** The lines that the workload has said so far: they went to somebody outside, and no power loss takes them back. */
  said(): readonly Line[];
  /** Does everything before this operation; places never go back. */
  goTo(place: number): void;
}

/** A machine at its first operation. `files` and `said` are what an earlier power loss left. */
export function createMachine(operations: readonly FileOperation[], files: Files, said: readonly Line[]): Machine {
  const disk = createDisk(files);
  const lines = [...said];
  let done = 0;
  const acks = new Set<number>();
  const step = (operation: FileOperation): void => {
    if (operation.kind === 'opened') {
      if (operation.file === ACKS) acks.add(operation.descriptor);
      else acks.delete(operation.descriptor);
    }
    const heard = 'descriptor' in operation && acks.has(operation.descriptor);
    if (!heard) disk.apply(operation);
    // The workload writes each line at once.
    else if (operation.kind === 'wrote') lines.push(...linesIn(Buffer.from(operation.bytes).toString('utf8')));
  };
  return {
    disk,
    said: () => [...lines],
    goTo(place) {
      for (const operation of operations.slice(done, place)) step(operation);
      done = place;
    },
  };
}
