import { isDeepStrictEqual } from 'node:util';
import type { EndRecord, EvidenceRecord, Json, RunRecord } from '../evidence/types.ts';
import { PLAN, type TargetObservation } from './plan.ts';
import type { Shard } from './shard.ts';

/** A build of a host, as it advertises itself; null where it was not reached. */
export type Build = Pick<TargetObservation, 'implementation' | 'discoverySha256'>;

/** The run line of one file, and whom it met. */
export interface ShardRun {
  readonly file: string;
  readonly run: RunRecord;
  readonly build?: Build | undefined;
}

/** The shards in their order, and the run line of all of them; or why they are no parts of one run. */
export type MergedRun =
  | { readonly ok: true; readonly run: RunRecord; readonly files: readonly string[] }
  | { readonly ok: false; readonly message: string };

/** Options that say where one shard ran: all others are the same in all shards. */
const OWN = new Set(['shard', 'witnessUrl', 'witnessAddress', 'apiKeyFile', 'credentialVariables', 'restartCommand']);

/** Puts the run lines of shards together; `known` are all scenarios in their order. Pure. */
export function mergeRuns(all: readonly ShardRun[], known: readonly string[]): MergedRun {
  const [first, ...others] = all;
  if (first === undefined) return wrong('there is nothing to merge');
  const byIndex = new Map<number, ShardRun>();
  const { of } = shardIn(first.run) ?? { of: 0 };
  for (const each of all) {
    const shard = shardIn(each.run);
    if (shard === undefined) return wrong(`${each.file} is no shard: it was recorded without --shard`);
    if (shard.of !== of) return wrong(`${first.file} is one of ${of} shards, ${each.file} one of ${shard.of}`);
    const other = byIndex.get(shard.index);
    if (other !== undefined) return wrong(`${other.file} and ${each.file} are both shard ${shard.index} of ${of}`);
    byIndex.set(shard.index, each);
  }
  const missing = Array.from({ length: of }, (_, index) => index + 1).filter((index) => !byIndex.has(index));
  if (missing.length > 0) return wrong(`of ${of} shards these are missing: ${missing.join(', ')}`);
  for (const other of others) {
    const problem = otherRun(first, other);
    if (problem !== undefined) return wrong(problem);
  }
  const scenarios = new Set(all.flatMap(({ run }) => run.scenarios));
  const inOrder = [...byIndex].toSorted(([a], [b]) => a - b).map(([, shard]) => shard);
  // What each shard has of its own is the first shard's, in whatever order the files were named.
  const [{ run: leading } = first] = inOrder;
  const { shard: _shard, ...options } = leading.options;
  const [startedAt = first.run.startedAt] = all.map(({ run }) => run.startedAt).toSorted();
  const run: RunRecord = { ...leading, options, startedAt, scenarios: known.filter((id) => scenarios.has(id)) };
  return { ok: true, run, files: inOrder.map(({ file }) => file) };
}

function wrong(message: string): MergedRun {
  return { ok: false, message };
}

/** Which part of a run was recorded; undefined for a whole one. */
function shardIn({ options }: Pick<RunRecord, 'options'>): Shard | undefined {
  const { shard } = options;
  if (typeof shard !== 'object' || shard === null || !('index' in shard) || !('of' in shard)) return undefined;
  const { index, of } = shard as { readonly index: Json; readonly of: Json };
  return typeof index === 'number' && typeof of === 'number' ? { index, of } : undefined;
}

function otherRun(first: ShardRun, other: ShardRun): string | undefined {
  const differ = (what: string): string => `${first.file} and ${other.file} have ${what}`;
  const [a, b] = [first.run, other.run];
  if (!isDeepStrictEqual(a.tool, b.tool)) return differ('other versions of the tool');
  // The self-test's host is another one each time, and the same.
  const isOwn = a.options['command'] === 'self-test' && b.options['command'] === 'self-test';
  if (!isOwn && !isDeepStrictEqual(a.target, b.target)) return differ('other targets');
  const names = Object.keys({ ...a.options, ...b.options }).filter((name) => !OWN.has(name));
  const option = names.find((name) => !isDeepStrictEqual(a.options[name], b.options[name]));
  if (option !== undefined) return differ(`another ${option}`);
  if (!isOwn && isOtherBuild(first.build, other.build)) {
    return differ(`met other builds of the host: ${buildText(first.build)}, and ${buildText(other.build)}`);
  }
  const twice = b.scenarios.find((id) => a.scenarios.includes(id));
  return twice === undefined ? undefined : differ(`both the scenario ${twice}`);
}

/** What one of them did not reach can be any build. */
function isOtherBuild(a: Build | undefined, b: Build | undefined): boolean {
  return typeof a?.discoverySha256 === 'string' && typeof b?.discoverySha256 === 'string' && !isDeepStrictEqual(a, b);
}

function buildText({ implementation, discoverySha256 }: Partial<Build> = {}): string {
  return `${implementation ?? 'without a name'} (discovery document ${discoverySha256?.slice(0, 12) ?? ''})`;
}

/** The facts of the target that a record holds, where it does. Throws nothing, whatever the record is. */
export function buildIn(record: EvidenceRecord): Build | undefined {
  if (record.kind !== 'observation' || record.scenario !== PLAN || record.observation.type !== 'target')
    return undefined;
  const [implementation, discoverySha256] = ['implementation', 'discoverySha256'].map((name) => {
    const value: unknown = Reflect.get(record.observation, name);
    return typeof value === 'string' ? value : null;
  }) as [string | null, string | null];
  return { implementation, discoverySha256 };
}

/**
 * The last line of the whole: what ended one shard early ended it. It counts what all of them count, without the observations that
 * were left out.
 */
export function endOfAll(ends: readonly EndRecord[], leftOut: number): EndRecord {
  const { written: _, ...all } = ends.reduce((before, end) => ({
    ...before,
    ...end,
    durationMs: Math.max(before.durationMs, end.durationMs),
  }));
  const counts = ends.flatMap(({ written }) => written ?? []);
  if (counts.length < ends.length) return all;
  const sum = (kind: 'exchange' | 'observation'): number => counts.reduce((total, count) => total + count[kind], 0);
  return { ...all, written: { exchange: sum('exchange'), observation: sum('observation') - leftOut } };
}

/** The end of a shard behind which a drive that had been given up wrote a line more: in the whole it stands before the end. */
export function withLate(end: EndRecord, { kind }: EvidenceRecord): EndRecord {
  const { written } = end;
  if (written === undefined || (kind !== 'exchange' && kind !== 'observation')) return end;
  return { ...end, written: { ...written, [kind]: written[kind] + 1 } };
}

/** Gives the records of one shard after the other ids without gaps, and leaves out what the whole has once. */
export function createMerger(): (record: EvidenceRecord, isFirst: boolean) => EvidenceRecord | undefined {
  const last = { x: 0, o: 0 };
  const ids = new Map<string, string>();
  const renamed = (id: string): string => {
    const known = ids.get(id);
    if (known !== undefined) return known;
    const kind = id.startsWith('x') ? 'x' : 'o';
    last[kind] += 1;
    ids.set(id, `${kind}${last[kind]}`);
    return `${kind}${last[kind]}`;
  };
  return (record, isFirst) => {
    if (record.kind === 'run') {
      ids.clear();
      return undefined;
    }
    if (record.kind === 'exchange') return { ...record, id: renamed(record.id) };
    if (record.kind !== 'observation') return record.kind === 'end' ? undefined : record;
    const { observation, id, scenario } = record;
    // The discovery document was asked for by each shard; the first one's answer is the run's.
    if (scenario === PLAN && observation.type === 'target' && !isFirst) return undefined;
    const exchanges = observation.exchanges.map(renamed);
    return { ...record, id: renamed(id), observation: { ...observation, exchanges } };
  };
}
