import { feedback } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { isUnknown, startPublic } from '../shared/first-run.ts';
import { readAgain, startRun, type RunObservation } from '../shared/run-observation.ts';
import { INTERRUPT } from '../shared/swept-fixtures.ts';
import { annotate, listAnnotations, readBefore, readLog } from './annotating.ts';
import { judgeLog } from './judge-annotated-log.ts';
import { GOVERNANCE } from './observation-shapes.ts';

const WAITING = 'conformance-determinism-interrupt';
const ROLE = 'run';
const DURING = 'the run was annotated while it waited';
const AFTER = 'the run was annotated after its end';

const until = ({ type }: { readonly type: string }): boolean => type === 'interrupt.requested';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const waiting = await startRun(probe, { workflowId: WAITING, inputs: {} }, { role: ROLE, until });
  if (isUnknown(waiting)) return annotateEnded(probe, await startPublic(probe, ROLE));
  if (waiting.runId === null || waiting.problem !== null) return [waiting];
  const during = await annotate(probe, waiting, DURING);
  const path = interruptPath(waiting.runId, INTERRUPT.nodeId);
  await probe.host.exchange({ method: 'POST', path, body: JSON.stringify({ resumeValue: INTERRUPT.resumeValue }) });
  return [during, ...(await annotateEnded(probe, await readAgain(probe, waiting, { role: ROLE })))];
}

async function annotateEnded(probe: Probe, run: RunObservation): Promise<readonly Observation[]> {
  const before = await readBefore(probe, run);
  const after = await annotate(probe, run, AFTER);
  return [run, ...before, after, await listAnnotations(probe, run, AFTER), ...(await readLog(probe, run))];
}

/** replay.md, Annotations and fork: a live notification at most, never an event of the log. */
export const annotationLog = defineScenario({
  ...GOVERNANCE,
  id: 'annotation.log',
  title: 'run.annotated is never in a persisted or replayed log',
  gate: feedback,
  drive,
  checks: [
    {
      id: 'annotation.not-an-event.log',
      title: 'A run that is annotated while it waits and after its end has no run.annotated in its log',
      judge: (recorded) =>
        judgeLog(recorded, { roles: [ROLE], moments: [DURING, AFTER], controls: [{ of: ROLE, when: AFTER }] }),
    },
  ],
});
