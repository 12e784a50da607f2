import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
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

/** Judges the ids of a run's invocations, and of those of its replay: its own or its source's, where it lists any. */
export function judgeLayerTwo(observations: readonly Recorded<Observation>[], check: string): Judgement {
  const [source, replay] = [runOf(observations, 'source'), runOf(observations, 'replay')];
  const left = unseen(check, [source]);
  if (left !== undefined || source === undefined) return left ?? undecided(check, 'no run was driven', []);
  const own = listedOf(observations, source);
  if (own === undefined || own.problem !== null) {
    return undecided(check, own?.problem ?? 'the seam layer-two was not asked', [source]);
  }
  const wrong = wrongIn(own, [source], source);
  if (wrong !== undefined) return wrongId(check, wrong, [own, source]);
  if (own.invocations.length === 0) {
    return undecided(check, `${named(source)} calls models, and the seam layer-two lists no invocation of it`, [own]);
  }
  if (!own.invocations.some(isComplete)) return undecided(check, INCOMPLETE, [own, source]);
  const again = replay === undefined || replay.problem !== null ? undefined : listedOf(observations, replay);
  if (replay === undefined || again === undefined || again.problem !== null) {
    const reason = 'the invocations of a replay were not read';
    return passing(check, [own, source], reason);
  }
  const wrongAgain = wrongIn(again, [replay, source], source);
  if (wrongAgain !== undefined) return wrongId(check, wrongAgain, [again, replay, source]);
  return passing(check, [own, source, again, replay]);
}

function listedOf(observations: readonly Recorded<Observation>[], run: SeenRun): Listed | undefined {
  return observations.find((each): each is Listed => each.type === 'invocations' && (each as Listed).of === run.role);
}

interface Wrong {
  readonly expected: string;
  readonly actual: string;
  readonly diagnosis?: Diagnosis;
}

/** The first invocation that is not what it must be; a replay may list those of its source. */
function wrongIn({ invocations }: Listed, runs: readonly SeenRun[], source: SeenRun): Wrong | undefined {
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
    const diagnosis = ways
      .map((way) => (typeof id === 'string' ? wrongFormula(id, way) : undefined))
      .find((each) => each !== undefined);
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

function wrongId(check: string, wrong: Wrong, evidence: readonly { readonly id: string }[]): Judgement {
  return failing(check, wrong, evidence);
}
