import { handoffReplay } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { callsAfter } from '../shared/witnessed-run.ts';
import { readChain } from './chain.ts';
import { withHiddenEvents } from './drive.ts';
import { seeded, TOOL, TOOL_CHILD } from './fixtures.ts';
import { judgeReplays, SOURCE } from './judge-replays.ts';
import { handoffScenario } from './row.ts';

/** Replays of one handoff at most, the one from its beginning among them. */
const SWEEP = 8;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const request = { workflowId: TOOL, inputs: { witnessUrl: visit.url } };
  const source = await withHiddenEvents(probe, await startRun(probe, request, { role: SOURCE }));
  const seen: Observation[] = [source, callsAfter(SOURCE, visit)];
  if (source.problem !== null || visit.calls().length === 0) return seen;
  for (const fromSeq of [undefined, ...pointsIn(source, Math.min(SWEEP, forks) - 1)]) {
    const role = fromSeq === undefined ? 'full replay' : `replay from ${fromSeq}`;
    const body = { mode: 'replay', ...(fromSeq === undefined ? {} : { fromSeq }) } as const;
    const replay = await withHiddenEvents(probe, await startFork(probe, source, body, { role }));
    seen.push(replay, callsAfter(role, visit));
  }
  return seen;
}

/** Fork points inside the handoff: at its decisions and transitions, at most so many, spread evenly. */
function pointsIn(source: RunObservation, atMost: number): readonly number[] {
  const { decisions, transitions } = readChain(source);
  const all = [...decisions, ...transitions].map(({ event }) => event.sequence).toSorted((a, b) => a - b);
  const count = Math.max(0, Math.min(atMost, all.length));
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (sequence) => sequence !== undefined,
  );
}

/** A handoff whose child acts on the world outside the host. */
export const replays = handoffScenario({
  id: 'handoff.replays',
  title: 'A handoff whose worker calls a tool is replayed',
  gate: handoffReplay,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'not-applicable' }, { kind: 'witness' }, ...seeded(TOOL, TOOL_CHILD)],
  patience: ({ forks }) => 30 + 3 * Math.min(SWEEP, forks),
  rows: [
    {
      id: 'handoff.replays',
      title: "A handoff replays without dispatching a second child's side effects",
      judge: judgeReplays,
    },
  ],
  drive,
});
