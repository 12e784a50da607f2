import { isObject, type JsonObject } from '../../json.ts';
import type { HostParts } from '../../parts.ts';
import type { Defects } from '../mutant.ts';

/** Shows snapshots of runs with this status otherwise. */
function showing(status: string, change: (snapshot: JsonObject) => JsonObject): () => Partial<HostParts> {
  return () => ({ snapshotOnWire: (snapshot) => (snapshot['status'] === status ? change(snapshot) : snapshot) });
}

/** The values of a snapshot's member, changed; none where it has none. */
function values(snapshot: JsonObject, member: string, change: (value: unknown) => unknown): JsonObject {
  const shown = snapshot[member];
  if (!isObject(shown)) return snapshot;
  return {
    ...snapshot,
    [member]: Object.fromEntries(Object.entries(shown).map(([name, value]) => [name, change(value)])),
  };
}

/** What a snapshot says of a run that has ended, against the run's own log. */
export const defects: Defects = {
  'failure-shown-as-success': {
    breaks: 'The snapshot of a run whose log ends with run.failed says that it completed.',
    kills: ['run.snapshot-agrees'],
    parts: showing('failed', (snapshot) => ({ ...snapshot, status: 'completed' })),
  },
  'success-shown-as-failure': {
    breaks: 'The snapshot of a run whose log ends with run.completed says that it failed.',
    kills: ['run.snapshot-agrees'],
    parts: showing('completed', (snapshot) => ({ ...snapshot, status: 'failed' })),
  },
  'snapshot-stays-behind': {
    breaks: 'The snapshot of a failed run never says that it has ended.',
    kills: ['run.snapshot-agrees'],
    waits: true,
    parts: showing('failed', (snapshot) => ({ ...snapshot, status: 'running' })),
  },
  'snapshot-error-generalised': {
    breaks: 'The snapshot of a failed run shows one error code for whatever went wrong.',
    kills: ['run.snapshot-agrees'],
    parts: showing('failed', (snapshot) => ({
      ...snapshot,
      error: { code: 'run_failed', message: 'The run failed.' },
    })),
  },
  'snapshot-error-forgotten': {
    breaks: 'The snapshot of a failed run says that there was no error.',
    kills: ['run.snapshot-agrees'],
    parts: showing('failed', (snapshot) => ({ ...snapshot, error: null })),
  },
  'snapshot-variables-initial': {
    breaks: 'The snapshot of a run that has ended shows no value that the run gave its variables.',
    kills: ['run.snapshot-agrees'],
    parts: showing('completed', (snapshot) => values(snapshot, 'variables', () => null)),
  },
  'snapshot-channels-emptied': {
    breaks: 'The snapshot of a run that has ended shows empty channels.',
    kills: ['run.snapshot-agrees'],
    parts: showing('completed', (snapshot) => values(snapshot, 'channels', () => [])),
  },
  'end-channels-empty': {
    breaks: 'The snapshot of a replay shows no channels.',
    kills: ['run.snapshot-agrees'],
    parts: () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, channels: {} } : snapshot),
    }),
  },
  'end-variables-empty': {
    breaks: 'The snapshot of a replay shows no variables.',
    kills: ['run.snapshot-agrees'],
    parts: () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, variables: {} } : snapshot),
    }),
  },
  'end-status-stale': {
    breaks: 'The snapshot of a replay that has ended still says that it runs.',
    kills: ['run.snapshot-agrees'],
    waits: true,
    parts: () => ({
      snapshotOnWire: (snapshot) => (snapshot['forkMode'] === 'replay' ? { ...snapshot, status: 'running' } : snapshot),
    }),
  },
  'snapshot-names-another-run': {
    breaks: 'The snapshot of a run names another run.',
    kills: ['run.snapshot-agrees'],
    parts: () => ({ snapshotOnWire: (snapshot) => ({ ...snapshot, runId: 'run_other' }) }),
  },
  'fork-shows-other-variables': {
    breaks: 'The snapshot of a fork shows other values than the log gave the variables.',
    kills: ['run.snapshot-agrees'],
    parts: () => ({
      snapshotOnWire: (snapshot) =>
        snapshot['forkMode'] === undefined || snapshot['forkMode'] === null
          ? snapshot
          : values(snapshot, 'variables', (value) => ({ other: value })),
    }),
  },
};
