import { member } from '../../src/contract/discovery.ts';
import { diffValues } from '../../src/event-log/index.ts';
import { named, shown } from './compare-runs.ts';
import type { Compared } from './compared.ts';
import type { RunObservation } from './run-observation.ts';

/** Compares status, variables and channels of two runs at their ends (0041 §C.2). */
export function compareStates(source: RunObservation, replay: RunObservation): Compared {
  if (source.snapshot === null || replay.snapshot === null) {
    const run = source.snapshot === null ? source : replay;
    return { kind: 'unreadable', reason: `the snapshot of the ${run.role} could not be read` };
  }
  for (const name of ['status', 'variables', 'channels']) {
    const ids = { sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
    const [a, b] = [member(source.snapshot, name), member(replay.snapshot, name)];
    const [difference] = diffValues(a ?? null, b ?? null, { pointer: `/${name}`, ...ids });
    if (difference === undefined) continue;
    const { pointer } = difference;
    return {
      kind: 'different',
      mismatch: {
        expected: `${pointer}: ${shown(difference.source)} as in the snapshot of ${named(source)}`,
        actual: `${pointer}: ${shown(difference.replay)} in the snapshot of ${named(replay)}`,
      },
    };
  }
  return { kind: 'same' };
}
