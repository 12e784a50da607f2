import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import { shown } from '../shared/compare-runs.ts';
import { instantOf } from '../shared/instant.ts';
import { isParked } from '../../src/protocol/run-status.ts';
import { isWorkflow } from '../../src/protocol/workflow-id.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { type Origins, originsOf } from './named-run.ts';

/** The parents that snapshots of runs name, by the runs; null for one that names none. */
export type Parents = ReadonlyMap<string, unknown>;

/** What the snapshots of all runs name as their parents. */
export function parentsIn(runs: readonly Pick<RunObservation, 'runId' | 'snapshot'>[]): Parents {
  return new Map(
    runs.flatMap(({ runId, snapshot }) =>
      runId === null || snapshot === null ? [] : [[runId, member(snapshot, 'parentRunId') ?? null] as const],
    ),
  );
}

/**
 * A snapshot that names another run than the one that was asked for, or another workflow than the one that the run was requested of
 * (wire, Documents); it may name that one's version. Old evidence does not hold what was requested.
 */
export function snapshotNameFaults(run: RunObservation): readonly Fault[] {
  return (['runId', 'workflowId'] as const).flatMap((name) => {
    const [is, wanted] = [member(run.snapshot, name), run[name] ?? null];
    if (typeof is !== 'string' || wanted === null || isWorkflow(is, wanted)) return [];
    return [{ pointer: `/${name}`, wrong: `is ${shown(is)}, not ${shown(wanted)}` }];
  });
}

/** How far the clocks of two machines of one host may stand apart, in milliseconds. */
const APART = 1000;

/**
 * The time at which a run ended in a snapshot that says that it waits, or one before its beginning (wire, Documents). A fork may show times
 * of what it was forked from.
 */
export function snapshotTimeFaults({ fork, snapshot }: RunObservation): readonly Fault[] {
  if (fork !== null) return [];
  const waits = isParked(member(snapshot, 'status'));
  const start = instantOf(member(snapshot, 'startedAt'));
  return (['completedAt', 'endedAt'] as const).flatMap((name) => {
    const is = member(snapshot, name);
    const end = instantOf(is);
    if (end === undefined) return [];
    const isEarly = start !== undefined && end < start - APART;
    if (waits) return [{ pointer: `/${name}`, wrong: `is ${shown(is)}, and the run waits` }];
    return isEarly ? [{ pointer: `/${name}`, wrong: `is ${shown(is)}, before the run began` }] : [];
  });
}

const MODES: readonly unknown[] = ['replay', 'branch'];

/**
 * A snapshot of a fork that names another mode than its answer, or as its parent a run that it does not come from (wire, Documents: it
 * need name neither). A fork of a child may keep that one's parent; where the snapshot of a source is not known, any may be that.
 */
export function forkNameFaults(run: RunObservation, origins: Origins, parents: Parents): readonly Fault[] {
  const { fork, answer, snapshot } = run;
  if (fork === null || fork.sourceRunId === null) return [];
  const [mode, parent] = [member(snapshot, 'forkMode'), member(snapshot, 'parentRunId')];
  const isOtherMode = MODES.includes(mode) && mode !== fork.mode && member(answer, 'mode') === fork.mode;
  const before = [...originsOf(run, origins)];
  const known: readonly unknown[] = [...before, ...before.map((id) => parents.get(String(id)))];
  const isStranger = typeof parent === 'string' && parents.has(fork.sourceRunId) && !known.includes(parent);
  return [
    ...(isOtherMode ? [{ pointer: '/forkMode', wrong: `is ${shown(mode)}, not ${shown(fork.mode)}` }] : []),
    ...(isStranger
      ? [{ pointer: '/parentRunId', wrong: `is ${shown(parent)}, not the source ${shown(fork.sourceRunId)}` }]
      : []),
  ];
}
