import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { named, shown } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { SNAPSHOTS } from '../shared/snapshot-fault.ts';
import { unread } from './judge-untouched.ts';

/** A value that a snapshot does not show. */
export type LostValue = Required<Pick<Difference, 'expected' | 'actual' | 'restsOn'>>;

/**
 * What the snapshot of a branch lost of the state at its fork point, or undefined. A variable or channel that the source
 * had written below `fromSeq` must stand in the branch's snapshot with the value that the branch's own log gives it. Only
 * what the host shows in such a way for the source counts: a snapshot need not show every value, or any (0041 §C.2 reads
 * what there is).
 */
export function lostFromSnapshot(source: RunObservation, branch: RunObservation): LostValue | undefined {
  if (unread(source) !== undefined || unread(branch) !== undefined) return undefined;
  const before = foldEvents(source.events, branch.fork?.fromSeq ?? 0);
  const [own, whole] = [foldEvents(branch.events), foldEvents(source.events)];
  if (!before.ok || !own.ok || !whole.ok) return undefined;
  for (const part of ['variables', 'channels'] as const) {
    const [inSource, inBranch] = [member(source.snapshot, part), member(branch.snapshot, part)];
    if (!isRecord(inSource) || !isRecord(inBranch)) continue;
    for (const name of before.state[part].keys()) {
      const [value, ofSource] = [own.state[part].get(name) ?? null, whole.state[part].get(name) ?? null];
      if (value === null || ofSource === null || !isDeepStrictEqual(member(inSource, name), ofSource)) continue;
      const is = member(inBranch, name);
      if (isDeepStrictEqual(is, value)) continue;
      const place = `/${part} ${shown(name)}`;
      return {
        expected: `${place}: ${shown(value)}, as its log says, in the snapshot of ${named(branch)}`,
        actual: `${shown(is)}; the source had written it before the fork point ${branch.fork?.fromSeq ?? 0}`,
        restsOn: SNAPSHOTS,
      };
    }
  }
  return undefined;
}
