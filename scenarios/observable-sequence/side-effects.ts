import { phase4 } from '../../src/contract/gates.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { revise, type SeamAnswer } from '../shared/seams.ts';
import { callsAfter, type CallsObservation } from '../shared/witnessed-run.ts';
import type { RevisionObservation } from './judge-content-addressed.ts';
import { judgeContentAddressed } from './judge-content-addressed.ts';
import { judgeResult, judgeSideEffects } from './judge-tool.ts';

const WORKFLOW = 'conformance-determinism-side-effects';
const [OWN_REVISION, OTHER_REVISION] = ['1.0.0', '2.0.0'];

type Seen = RunObservation | CallsObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const start = (role: string): Promise<RunObservation> =>
    startRun(probe, { workflowId: WORKFLOW, inputs: { witnessUrl: visit.url } }, { role });
  const source = await start('source');
  const sourceCalls = callsAfter('source', visit);
  if (source.problem !== null || sourceCalls.calls.length === 0) return [source, sourceCalls];
  // Unrelated to the source: it moves whatever the host counts, and shows that the tool answers anew.
  const fresh = await start('fresh run');
  const freshCalls = callsAfter('fresh run', visit);
  const replays = await Promise.all(
    forkPoints(source).map(([role, fromSeq]) => startFork(probe, source, { mode: 'replay', fromSeq }, { role })),
  );
  const replayCalls = callsAfter('replays', visit);
  const revised = await replayRevised(probe, source, visit);
  return [source, sourceCalls, fresh, freshCalls, ...replays, replayCalls, ...revised];
}

/** From the start, from the tool's own start, and after it. */
function forkPoints(source: RunObservation): readonly (readonly [role: string, fromSeq: number])[] {
  const events = eventsOf(source);
  const first = events[0]?.sequence ?? 0;
  const tool = events.find(({ type, nodeId }) => type === 'node.started' && nodeId === 'call-tool');
  const after = events.find(({ type, nodeId }) => type === 'node.started' && nodeId === 'after');
  return [
    ['replay from the start', first] as const,
    ...(tool === undefined ? [] : [['replay from the tool', tool.sequence] as const]),
    ...(after === undefined ? [] : [['replay from after the tool', after.sequence] as const]),
  ];
}

/** A replay of the same call by changed code: a node stands before it that was not there. */
async function replayRevised(probe: Probe, source: RunObservation, visit: WitnessVisit): Promise<readonly Seen[]> {
  const changed = await revise(probe.host, WORKFLOW, OTHER_REVISION);
  if (changed.problem !== null) return [observe(changed)];
  try {
    const revised = await startFork(probe, source, { mode: 'replay' }, { role: 'revised replay' });
    return [observe(changed), revised, callsAfter('revised replay', visit)];
  } finally {
    await revise(probe.host, WORKFLOW, OWN_REVISION);
  }
}

function observe({ problem, exchange }: SeamAnswer): RevisionObservation {
  return { type: 'revision', problem, exchanges: [exchange] };
}

/** 0041 §C: what a tool did to the run is cached with what it returned, under the content of what it was asked. */
export const sideEffects = defineJudgedScenario<Seen>({
  id: 'sequence.side-effects',
  suite: 'observable-sequence',
  title: 'Replays of a tool that answers differently each time leave what the recorded call left',
  checks: [
    {
      id: 'sequence.nondeterministic-tool',
      requirement: 'sequence.nondeterministic-tool',
      title: "The tool's result, and what was computed from it, is the recorded one",
    },
    {
      id: 'sequence.side-effects-cached',
      requirement: 'sequence.side-effects-cached',
      title: "State changes and events made inside the tool's node are reproduced, not only its return value",
    },
    {
      id: 'sequence.content-addressed-tools',
      requirement: 'sequence.content-addressed-tools',
      title: 'The recorded call is found again after other runs, and by code with one node more',
    },
  ],
  gate: phase4,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId: WORKFLOW },
  ],
  exclusive: [`workflow:${WORKFLOW}`],
  drive,
  judge: (observations, { volatile }) => [
    judgeResult(observations, volatile),
    judgeSideEffects(observations, volatile),
    judgeContentAddressed(observations, volatile),
  ],
});
