import { member } from '../../src/contract/discovery.ts';
import type { Mismatch } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { ask } from '../shared/seams.ts';
import { invocationIdOf, wrongFormula, type Invocation } from './invocation-id.ts';

/** What the seam says of one run's Layer-2 invocations. */
export interface InvocationsObservation extends Observation {
  readonly type: 'invocations';
  /** The role of the run. */
  readonly of: string;
  readonly problem: string | null;
  readonly invocations: readonly Json[];
}

type Listed = Recorded<InvocationsObservation>;

/** What the seam said of a run, where it was requested. */
export function listedOf(recorded: Recordings, { role }: SeenRun): Listed | undefined {
  return ofType<InvocationsObservation>(recorded, 'invocations').find(({ of }) => of === role);
}

/** The first invocation that is not what it must be; a replay may list those of its source. */
export function wrongIn({ invocations }: Listed, runs: readonly SeenRun[], source: SeenRun): Mismatch | undefined {
  const nodes = new Set([...runs, source].flatMap(eventsOf).map(nodeOf));
  for (const listed of invocations) {
    const id = member(listed, 'invocationId');
    const read = readInvocation(listed);
    if (read === undefined || id === undefined) continue;
    if (!nodes.has(read.nodeId)) {
      return { expected: `a node of ${runs.map(named).join(' or ')}`, actual: `nodeId ${shown(read.nodeId)}` };
    }
    const ways = runs.flatMap(({ runId }) => (runId === null ? [] : [{ ...read, runId }]));
    if (ways.some((way) => invocationIdOf(way) === id)) continue;
    const [first] = ways;
    const [diagnosis] = ways.flatMap((way) => (typeof id === 'string' ? (wrongFormula(id, way) ?? []) : []));
    return {
      expected: first === undefined ? 'the id of a run' : `${invocationIdOf(first)} = sha256(${textOf(first)})`,
      actual: `${shown(id)} for ${shown(listed)}`,
      ...(diagnosis === undefined ? {} : { diagnosis }),
    };
  }
  return undefined;
}

/** Whether an id and what it is made of are listed: that they are, the documents say of no seam. */
export function isComplete(listed: Json): boolean {
  return readInvocation(listed) !== undefined && member(listed, 'invocationId') !== undefined;
}

function readInvocation(listed: Json): Omit<Invocation, 'runId'> | undefined {
  const [nodeId, attempt, providerKey] = ['nodeId', 'attempt', 'providerKey'].map((name) => member(listed, name));
  const counted = typeof attempt === 'number' && Number.isSafeInteger(attempt) ? String(attempt) : attempt;
  if (typeof nodeId !== 'string' || typeof counted !== 'string' || typeof providerKey !== 'string') return undefined;
  return { nodeId, attempt: counted, providerKey };
}

function textOf({ runId, nodeId, attempt, providerKey }: Invocation): string {
  return shown([runId, nodeId, attempt, providerKey].join(':'));
}

/** Requests the invocations of a run at the seam. */
export async function readInvocations(
  probe: Probe,
  { runId, role: of }: RunObservation,
): Promise<InvocationsObservation> {
  const none = { type: 'invocations', of, invocations: [] } as const;
  if (runId === null) return { ...none, problem: 'there is no run', exchanges: [] };
  const { body, problem, exchange } = await ask(probe.host, 'layer-two', { runId });
  const [list, exchanges] = [member(body, 'invocations'), [exchange]];
  if (Array.isArray(list)) return { ...none, invocations: list as readonly Json[], problem, exchanges };
  return { ...none, problem: problem ?? 'the seam layer-two gave no list of invocations', exchanges };
}
