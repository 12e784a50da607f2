import { createHash } from 'node:crypto';
import { member } from '../../src/contract/discovery.ts';
import type { Mismatch } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { ask } from '../shared/seams.ts';

/** What an invocation's id is made of (replay.md §C). */
interface Invocation {
  readonly runId: string;
  readonly nodeId: string;
  readonly attempt: string;
  readonly providerKey: string;
}

/** sha256(runId || ':' || nodeId || ':' || attempt || ':' || providerKey), in lowercase hex. */
export function invocationIdOf(invocation: Invocation): string {
  return digestOf(PARTS)(invocation);
}

type Formula = (of: Invocation) => string;

const PARTS = ['runId', 'nodeId', 'attempt', 'providerKey'] as const;

/** The digest of these parts, in this order. */
function digestOf(parts: readonly (keyof Invocation)[], { separator = ':', algorithm = 'sha256' } = {}): Formula {
  return (of) =>
    createHash(algorithm)
      .update(parts.map((part) => of[part]).join(separator))
      .digest('hex');
}

function without(left: keyof Invocation): Formula {
  return digestOf(PARTS.filter((part) => part !== left));
}

function countedFrom(step: number): Formula {
  return (of) => invocationIdOf({ ...of, attempt: String(Number(of.attempt) + step) });
}

type Named = readonly [code: string, message: string, formula: Formula];

const SEPARATORS = ['', '|', '/', '-', '_', '::', '.', '\0', '\n', ' '];
const ALGORITHMS = ['sha1', 'md5', 'sha512'];

/** Wrong formulas that have a name. */
const WRONG: readonly Named[] = [
  ['layer-two-upper-case', 'the digest is in upper case', (of) => invocationIdOf(of).toUpperCase()],
  ['layer-two-algorithm-prefix', 'the digest has a prefix', (of) => `sha256:${invocationIdOf(of)}`],
  ['layer-two-truncated', 'half of the digest is left', (of) => invocationIdOf(of).slice(0, 32)],
  ['layer-two-base64', 'the digest is base64', (of) => Buffer.from(invocationIdOf(of), 'hex').toString('base64')],
  ['layer-two-without-attempt', 'the attempt is left out', without('attempt')],
  ['layer-two-without-run', 'the run is left out', without('runId')],
  ['layer-two-without-node', 'the node is left out', without('nodeId')],
  ['layer-two-without-provider-key', 'the provider key is left out', without('providerKey')],
  ['layer-two-attempt-from-zero', 'attempts are hashed one lower than they are reported', countedFrom(-1)],
  ['layer-two-attempt-one-higher', 'attempts are hashed one higher than they are reported', countedFrom(1)],
  [
    'layer-two-provider-key-first',
    'the provider key stands before the attempt',
    digestOf(['runId', 'nodeId', 'providerKey', 'attempt']),
  ],
  ['layer-two-node-first', 'the node stands before the run', digestOf(['nodeId', 'runId', 'attempt', 'providerKey'])],
  ...SEPARATORS.map((separator): Named => {
    const message = `the parts are joined by ${JSON.stringify(separator)}`;
    return ['layer-two-other-separator', message, digestOf(PARTS, { separator })];
  }),
  ...ALGORITHMS.map((algorithm): Named => {
    return ['layer-two-other-hash', `the digest is ${algorithm}`, digestOf(PARTS, { algorithm })];
  }),
];

/** The wrong formula that gives an id, or undefined. */
function wrongFormula(id: string, of: Invocation): Diagnosis | undefined {
  const found = WRONG.find(([, , formula]) => formula(of) === id);
  return found === undefined ? undefined : { code: found[0], message: found[1] };
}

/** Every name of a wrong formula once, with what is wrong in the words that hold for all formulas of the name. */
export function wrongFormulas(): readonly Diagnosis[] {
  const byCode = new Map(WRONG.map(([code, message]) => [code, message]));
  byCode.set('layer-two-other-separator', 'the parts are not joined by a colon');
  byCode.set('layer-two-other-hash', 'the digest is not SHA-256');
  return [...byCode].map(([code, message]) => ({ code, message }));
}

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
export function listedOf(recorded: Recordings, { role }: RecordedRun): Listed | undefined {
  return ofType<InvocationsObservation>(recorded, 'invocations').find(({ of }) => of === role);
}

/** The first invocation that is not what it must be; a replay may list those of its source. */
export function wrongIn(
  { invocations }: Listed,
  runs: readonly RecordedRun[],
  source: RecordedRun,
): Mismatch | undefined {
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
