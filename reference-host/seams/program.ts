import type { ProgramEntry } from '../engine/mock-provider.ts';
import { member, stringMember } from '../json.ts';
import { STOP_REASONS, type StopReason } from '../types/provider.ts';

export type ProgramReading =
  | { readonly ok: true; readonly nodeId: string; readonly program: readonly ProgramEntry[] }
  | { readonly ok: false; readonly why: string };

/** Reads a staging request in either of the two forms of the wire contract; `why` is a sentence for the caller. */
export function readProgram(body: unknown): ProgramReading {
  const nodeId = stringMember(body, 'nodeId');
  if (nodeId === undefined || nodeId === '') return { ok: false, why: 'nodeId must be a non-empty string.' };
  const entries = member(body, 'program');
  if (!Array.isArray(entries) || entries.length === 0) return { ok: false, why: 'program must be a non-empty array.' };
  const program: ProgramEntry[] = [];
  for (const entry of entries) {
    const read = readEntry(entry);
    if (read === undefined) return { ok: false, why: `program[${program.length}] is not an entry of a program.` };
    program.push(read);
  }
  return { ok: true, nodeId, program };
}

function readEntry(entry: unknown): ProgramEntry | undefined {
  switch (member(entry, 'mode')) {
    case undefined:
      return stopReasonEntry(entry);
    case 'envelope':
      return { content: member(entry, 'envelope') ?? null, stopReason: 'end_turn' };
    case 'refusal':
      return refused(stringMember(entry, 'refusalReason'));
    default:
      return undefined;
  }
}

function stopReasonEntry(entry: unknown): ProgramEntry | undefined {
  const stopReason = member(entry, 'stopReason') ?? 'end_turn';
  if (!isStopReason(stopReason)) return undefined;
  if (stopReason === 'safety') return refused(stringMember(entry, 'refusalText'));
  const content = member(entry, 'content');
  return content === undefined ? undefined : { content, stopReason };
}

function refused(refusalText: string | undefined): ProgramEntry {
  return { content: null, stopReason: 'safety', ...(refusalText === undefined ? {} : { refusalText }) };
}

function isStopReason(value: unknown): value is StopReason {
  return STOP_REASONS.some((reason) => reason === value);
}
