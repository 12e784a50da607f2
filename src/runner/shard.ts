import type { Scenario } from './scenario.ts';

/** A part of all selected scenarios, runs or mutants: the i-th of n, from 1. */
export interface Shard {
  readonly index: number;
  readonly of: number;
}

/**
 * What scenarios cost, in tenths of a second of the bundled host's self-test; those that are not here take less than a second, and most of
 * them about two tenths. Only their proportion counts, for shards that take about as long.
 */
const COSTS: ReadonlyMap<string, number> = new Map([
  ['once.every-cut', 297],
  ['once.failed-call.crash', 236],
  ['once.empty-result', 213],
  ['once.stream-wins', 146],
  ['once.reclaim', 113],
  ['once.single-owner.reclaim', 111],
  ['once.idempotency-key.per-call', 109],
  ['sequence.sweep', 105],
  ['once.verified-recovery.strict', 65],
  ['once.verified-recovery.human', 58],
  ['recovery.layer-two-lookup', 58],
  ['once.verified-recovery.warn', 52],
  ['once.doubt-in-forks', 41],
  ['cache-key.reproducible-offline', 30],
  ['replay.no-second-external-call', 23],
  ['refusal.valid-to-refusal', 21],
  ['fork.branch-acts.approval', 17],
  ['replay.divergence', 17],
  ['once.verification-strict', 16],
  ['cache-key.nodes-use-it', 15],
  ['replay.facts', 14],
  ['cache-key.deterministic', 14],
  ['once.verification-warn', 14],
  ['handoff.replays', 14],
  ['schema.wire', 13],
  ['run.creating', 12],
  ['run.resuming', 12],
  ['run.snapshot', 11],
  ['cache-key.not-a-security-boundary', 11],
  ['once.failed-call', 10],
]);
const USUAL = 2;

/**
 * The scenarios of one shard, in their order: the same for everyone who asks for it. Those that share a host resource stay together, so that shards
 * may run beside each other; the rest is dealt out by what it costs, the dearest first.
 */
export function shardOf(scenarios: readonly Scenario[], { index, of }: Shard): readonly Scenario[] {
  const parts = Array.from({ length: of }, () => ({ cost: 0, ids: new Set<string>() }));
  const groups = together(scenarios).map((group) => ({ group, cost: costOf(group) }));
  for (const { group, cost } of groups.toSorted((a, b) => b.cost - a.cost)) {
    const least = parts.reduce((best, part) => (part.cost < best.cost ? part : best));
    least.cost += cost;
    for (const { id } of group) least.ids.add(id);
  }
  return scenarios.filter(({ id }) => parts[index - 1]?.ids.has(id) === true);
}

function costOf(group: readonly Scenario[]): number {
  return group.reduce((sum, { id }) => sum + (COSTS.get(id) ?? USUAL), 0);
}

/** Groups of scenarios that share resources, directly or by others. */
function together(scenarios: readonly Scenario[]): readonly (readonly Scenario[])[] {
  const groups: { readonly resources: Set<string>; readonly members: Scenario[] }[] = [];
  for (const scenario of scenarios) {
    const mine = groups.filter(({ resources }) => scenario.exclusive.some((name) => resources.has(name)));
    const [first, ...others] = mine;
    const group = first ?? { resources: new Set<string>(), members: [] };
    if (first === undefined) groups.push(group);
    for (const name of scenario.exclusive) group.resources.add(name);
    group.members.push(scenario);
    for (const other of others) {
      for (const name of other.resources) group.resources.add(name);
      group.members.push(...other.members);
      groups.splice(groups.indexOf(other), 1);
    }
  }
  return groups.map(({ members }) => members);
}
