import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { runPath } from '../../src/protocol/paths.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import { followChild } from './follow-child.ts';
import { askForLog, type LogAnswers } from '../shared/log-answers.ts';

/** A child run as it was read under the id that its parent's log gives. */
export interface ChildObservation extends Observation {
  readonly type: 'child';
  /** The role of its parent. */
  readonly parent: string;
  readonly runId: string;
  /** The status of GET /v1/runs/{childRunId}; null where there was no answer. */
  readonly answered: number | null;
  readonly snapshot: Json;
  /** Its log, where it was seen to its end. */
  readonly events: readonly Json[];
  /** Why it was not; null where it was. */
  readonly problem: string | null;
  /** How its log and its parent's were answered, where its own was given in no way at all; null where it was. */
  readonly logs: { readonly own: LogAnswers; readonly parents: LogAnswers } | null;
}

/** Reads a run that a parent's log names, to its end. */
export async function readChild(probe: Probe, runId: string, of: Parent): Promise<ChildObservation> {
  const base = { type: 'child', parent: of.role, runId, events: [], snapshot: null, logs: null } as const;
  if (!canStandInPath(runId)) {
    return { ...base, answered: null, problem: 'its id cannot stand in a URL', exchanges: [] };
  }
  const exchange = await probe.host.exchange({ method: 'GET', path: runPath(runId) });
  const exchanges = [exchange.id];
  if (exchange.kind === 'failure') return { ...base, answered: null, problem: exchange.reason, exchanges };
  const answered = exchange.status;
  if (answered !== 200) return { ...base, answered, problem: `it was answered with ${answered}`, exchanges };
  const shown = exchange.json.ok ? (exchange.json.value as Json) : null;
  const { followed, nowhere, ...more } = await followChild(probe, runId, () => false);
  const read = [...exchanges, ...more.exchanges];
  if (followed.kind !== 'ended') {
    const problem = followed.kind === 'unfinished' ? followed.reason : 'the run has not ended';
    const asked = await answersOf(probe, nowhere, of);
    return { ...base, answered, snapshot: shown, logs: asked.logs, problem, exchanges: [...read, ...asked.exchanges] };
  }
  const settled = await readSnapshot(probe, probe.host, { runId, ended: followed.status });
  return {
    ...base,
    answered,
    snapshot: settled.snapshot ?? shown,
    events: followed.events.map(({ raw }) => raw as Json),
    problem: null,
    exchanges: [...read, ...settled.exchanges],
  };
}

type Parent = Pick<RunObservation, 'role' | 'runId'>;

/** How the logs of a child and of its parent were answered, where the child's is nowhere. */
async function answersOf(
  probe: Probe,
  nowhere: LogAnswers | null,
  { runId }: Parent,
): Promise<Pick<ChildObservation, 'logs' | 'exchanges'>> {
  if (nowhere === null || runId === null) return { logs: null, exchanges: [] };
  const { answers, exchanges } = await askForLog(probe, runId);
  return { logs: { own: nowhere, parents: answers }, exchanges };
}

/** The children that were read of a parent. */
export function childrenOf(
  observations: readonly Recorded<Observation>[],
  parent: string,
): readonly Recorded<ChildObservation>[] {
  return observations.filter(
    (each): each is Recorded<ChildObservation> =>
      each.type === 'child' && (each as Recorded<ChildObservation>).parent === parent,
  );
}

/** The child with a run id, where it was read. */
export function childWithId(
  children: readonly Recorded<ChildObservation>[],
  runId: string | undefined,
): Recorded<ChildObservation> | undefined {
  return runId === undefined ? undefined : children.find((each) => each.runId === runId);
}

/** The status that a child's snapshot shows, or undefined. */
export function statusOf({ snapshot }: Pick<ChildObservation, 'snapshot'>): string | undefined {
  const status = member(snapshot, 'status');
  return typeof status === 'string' ? status : undefined;
}
