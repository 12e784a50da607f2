import { phase4 } from '../../src/contract/gates.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { type RevisionObservation, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { type ReadingObservation, readSeen } from '../shared/reading.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation } from '../shared/witnessed-run.ts';
import { judgeContentAddressed, judgeResult, judgeSideEffects, toolRuns } from './judge-tool.ts';

const WORKFLOW = 'conformance-determinism-side-effects';

type ToolObservation = RunObservation | CallsObservation | RevisionObservation | ReadingObservation;

async function drive(probe: Probe): Promise<readonly ToolObservation[]> {
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
  // What tools write is compared over every transport, too, of a run that nobody forks.
  const read = await readSeen(probe, fresh);
  return [source, sourceCalls, fresh, freshCalls, ...replays, replayCalls, ...revised, ...read];
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
function replayRevised(probe: Probe, source: RunObservation, visit: WitnessVisit): Promise<readonly ToolObservation[]> {
  const role = 'revised replay';
  const use = async (isChanged: boolean): Promise<readonly ToolObservation[]> =>
    isChanged ? [await startFork(probe, source, { mode: 'replay' }, { role }), callsAfter(role, visit)] : [];
  return withCodeChanges<ToolObservation>(probe, WORKFLOW, [{ revision: '2.0.0', use }]);
}

/** 0041 §C: what a tool did to the run is cached with what it returned, under the content of what it was asked. */
export const sideEffects = defineScenario({
  id: 'sequence.side-effects',
  suite: 'observable-sequence',
  title: 'Replays of a tool that answers differently each time leave what the recorded call left',
  gate: phase4,
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId: WORKFLOW },
  ],
  exclusive: [`workflow:${WORKFLOW}`],
  drive,
  see: toolRuns,
  checks: [
    {
      id: 'sequence.nondeterministic-tool',
      title: "The tool's result, and what was computed from it, is the recorded one",
      judge: (runs, { options }) => judgeResult(runs, options.volatile),
    },
    {
      id: 'sequence.side-effects-cached',
      title: "State changes and events made inside the tool's node are reproduced, not only its return value",
      judge: (runs, { options }) => judgeSideEffects(runs, options.volatile),
    },
    {
      id: 'sequence.content-addressed-tools',
      title: 'The recorded call is found again after other runs, and by code with one node more',
      judge: (runs, { options }) => judgeContentAddressed(runs, options.volatile),
    },
  ],
});
