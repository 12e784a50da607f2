import { member } from '../../src/contract/discovery.ts';
import {
  fail,
  isOutcome,
  pass,
  undecided,
  undecidedUntil,
  type Mismatch,
  type Outcome,
} from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { startFirst } from '../shared/first-run.ts';
import { need, runOf, type SeenRun } from '../shared/need.ts';
import { nodeOf } from '../shared/node-of.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { startFork, type RunObservation } from '../shared/run-observation.ts';
import { ask } from '../shared/seams.ts';
import { invocationIdOf, wrongFormula, type Invocation } from './invocation-id.ts';
import { gatingSeam } from './seam.ts';

/** What the seam says of one run's Layer-2 invocations. */
export interface InvocationsObservation extends Observation {
  readonly type: 'invocations';
  /** The role of the run. */
  readonly of: string;
  readonly problem: string | null;
  readonly invocations: readonly Json[];
}

type Listed = Recorded<InvocationsObservation>;

/** Judges the ids of a run's invocations, and of those of its replay: its own or its source's, where it lists any. */
function judgeLayerTwo(recorded: Recordings): Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const own = listedOf(recorded, source);
  if (own === undefined || own.problem !== null) {
    return undecided(own?.problem ?? 'the seam layer-two was not requested', [source]);
  }
  const mismatch = wrongIn(own, [source], source);
  if (mismatch !== undefined) return fail(mismatch, [own, source]);
  if (own.invocations.length === 0) {
    return undecidedUntil(
      'list each call of a model there',
      `${named(source)} calls models, and the seam layer-two lists no invocation of it`,
      [own],
    );
  }
  if (!own.invocations.some(isComplete)) return undecided(INCOMPLETE, [own, source]);
  const replay = runOf(recorded, 'replay');
  const again = replay === undefined || replay.problem !== null ? undefined : listedOf(recorded, replay);
  if (replay === undefined || again === undefined || again.problem !== null) {
    return pass([own, source], 'the invocations of a replay were not read');
  }
  const mismatchAgain = wrongIn(again, [replay, source], source);
  if (mismatchAgain !== undefined) return fail(mismatchAgain, [again, replay, source]);
  return pass([own, source, again, replay]);
}

function listedOf(recorded: Recordings, { role }: SeenRun): Listed | undefined {
  return ofType<InvocationsObservation>(recorded, 'invocations').find(({ of }) => of === role);
}

/** The first invocation that is not what it must be; a replay may list those of its source. */
function wrongIn({ invocations }: Listed, runs: readonly SeenRun[], source: SeenRun): Mismatch | undefined {
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

const INCOMPLETE =
  'no id can be worked out again: the seam layer-two has to list {nodeId, attempt, providerKey, invocationId}';

/** Whether an id and what it is made of are listed: that they are, the documents say of no seam. */
function isComplete(listed: Json): boolean {
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

const id = 'recovery.layer-two-id';
const title = 'The Layer-2 invocation id is sha256(run:node:attempt:providerKey)';

/** Fixtures whose nodes ask a model, the one with the most first. */
const MODELS = ['conformance-determinism-llm-nodes', 'conformance-phase4-replay-divergence'];

async function readInvocations(probe: Probe, { runId, role: of }: RunObservation): Promise<InvocationsObservation> {
  const none = { type: 'invocations', of, invocations: [] } as const;
  if (runId === null) return { ...none, problem: 'there is no run', exchanges: [] };
  const { body, problem, exchange } = await ask(probe.host, 'layer-two', { runId });
  const [list, exchanges] = [member(body, 'invocations'), [exchange]];
  if (Array.isArray(list)) return { ...none, invocations: list as readonly Json[], problem, exchanges };
  return { ...none, problem: problem ?? 'the seam layer-two gave no list of invocations', exchanges };
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { run: source } = await startFirst(probe, MODELS, 'source');
  const ofSource = await readInvocations(probe, source);
  const replay = await startFork(probe, source, { mode: 'replay' }, { role: 'replay' });
  return [source, ofSource, replay, await readInvocations(probe, replay)];
}

/** replay.md §C: the identity of an invocation, which recovery and replay look it up by. */
export const layerTwo = defineScenario({
  suite: 'replay-governance',
  id,
  title,
  needs: [gatingSeam('layer-two')],
  exclusive: ['mock-ai:llm-nodes', 'mock-ai:structured-call'],
  drive,
  checks: [{ id, title, judge: judgeLayerTwo }],
});
