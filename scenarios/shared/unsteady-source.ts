import type { Probe } from '../../src/host/probe.ts';
import { startUntilOther } from './replays.ts';
import { type RunObservation, startRun } from './run-observation.ts';
import { stage, valid } from './seams.ts';
import { showsOthers } from './shown-values.ts';

const WALL_CLOCK = 'conformance-determinism-wall-clock';
const MODEL = 'conformance-phase4-replay-divergence';
const MODEL_NODE = 'structured-call';

/** The role of a run whose replay differs although its code is the same. */
export const UNSTEADY = 'unsteady source';

/** What a vendor can do for hosts whose code no test can change. */
export const HOW_TO_DIVERGE = `expose workflow-revision, seed ${WALL_CLOCK}, or seed ${MODEL} and expose mock-ai/program`;

/** The programs of these nodes are staged. */
export const STAGED_NODES = [`mock-ai:${MODEL_NODE}`];

/**
 * Makes a source that a replay cannot match: one that read the machine's clock, else one whose model is another since
 * (readings, Replay: staged again counts as changed). The last of the runs is that source, if it was made.
 */
export async function driveUnsteady(probe: Probe): Promise<readonly RunObservation[]> {
  const request = { workflowId: WALL_CLOCK, inputs: {} };
  const source = await startRun(probe, request, { role: UNSTEADY });
  if (source.problem !== null) return driveRestaged(probe);
  const watched = { variables: ['time'], nodes: ['wall-clock'] };
  const fresh = await startUntilOther(probe, request, (run) => showsOthers(source, run, watched));
  return [fresh, source];
}

async function driveRestaged(probe: Probe): Promise<readonly RunObservation[]> {
  const staged = await stage(probe.host, MODEL_NODE, [valid('{"valid":true}')]);
  if (staged.problem !== null) return [];
  const source = await startRun(probe, { workflowId: MODEL, inputs: {} }, { role: UNSTEADY });
  const again = await stage(probe.host, MODEL_NODE, [valid('{"valid":false}')]);
  return source.problem === null && again.problem === null ? [source] : [];
}
