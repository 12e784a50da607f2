import { phase4 } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { revise } from '../shared/seams.ts';
import { judgeHistory, judgeNotACopy } from './judge-not-a-copy.ts';

const check = 'sequence.not-a-copy';
const title = 'Changed code makes the replay diverge visibly: a host that copies the log does not pass';
const WORKFLOW = 'conformance-determinism-constant';
/** A fixture that reads the machine's clock behind the engine's back. */
const WALL_CLOCK = 'conformance-determinism-wall-clock';
const [OWN_REVISION, OTHER_REVISION] = ['1.0.0', '2.0.0'];

/** What the seam that changes the workflow's code answered. */
interface RevisionObservation extends Observation {
  readonly type: 'revision';
  readonly problem: string | null;
}

type Seen = RunObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const source = await startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: 'source' });
  const revised = source.problem === null ? await replayRevised(probe, source) : [];
  if (revised.some((each) => each.type === 'run')) return [source, ...revised];
  const clock = await startRun(probe, { workflowId: WALL_CLOCK, inputs: {} }, { role: 'wall-clock source' });
  if (clock.problem !== null) return [source, ...revised, clock];
  const replay = await startFork(probe, clock, { mode: 'replay' }, { role: 'wall-clock replay' });
  return [source, ...revised, clock, replay];
}

/** Replays by the other revision, and a fresh run that shows what the other revision does. */
async function replayRevised(probe: Probe, source: RunObservation): Promise<readonly Seen[]> {
  const { problem, exchange } = await revise(probe.host, WORKFLOW, OTHER_REVISION);
  const changed = { type: 'revision', problem, exchanges: [exchange] } as const;
  if (problem !== null) return [changed];
  try {
    const after = eventsOf(source).find(({ type, nodeId }) => type === 'node.started' && nodeId === 'after');
    const fromAfter = after === undefined ? [] : [{ mode: 'replay', fromSeq: after.sequence } as const];
    const runs = await Promise.all([
      startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: 'fresh run' }),
      startFork(probe, source, { mode: 'replay' }, { role: 'revised replay' }),
      ...fromAfter.map((body) => startFork(probe, source, body, { role: 'revised replay of the rest' })),
    ]);
    return [changed, ...runs];
  } finally {
    await revise(probe.host, WORKFLOW, OWN_REVISION);
  }
}

/** replay.md, Two modes: at and after fromSeq the current code runs; only the events before it are the source's. */
export const notACopy = defineJudgedScenario<Seen>({
  id: check,
  suite: 'observable-sequence',
  title,
  checks: [
    { id: check, requirement: check, title },
    {
      id: 'sequence.prefix-equal.changed-code',
      requirement: 'sequence.prefix-equal',
      title: "The history below the fork point stays the source's when the code has changed",
    },
  ],
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  exclusive: [`workflow:${WORKFLOW}`],
  drive,
  judge: (observations, { volatile }) => [judgeNotACopy(observations, volatile), judgeHistory(observations, volatile)],
});
