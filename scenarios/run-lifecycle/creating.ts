import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startFirst } from '../shared/first-run.ts';
import { isObserved } from '../shared/run-observation.ts';
import { driveKeys, judgeAtOnce, judgeKeys } from './create-keys.ts';
import { driveRefused, judgeRefused } from './refused-runs.ts';
import {
  actAsNobody,
  createWithoutScope,
  driveWithoutCredential,
  judgeWithoutCredential,
  readAsNobody,
} from './without-credential.ts';

/** The shortest public workflow first: many runs of it are made. */
const SHORTEST = ['conformance-noop', 'conformance-multi-node'] as const;

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { workflowId, inputs, run } = await startFirst(probe, SHORTEST, 'run');
  if (!isObserved(run)) return [run];
  const body = JSON.stringify({ workflowId, inputs });
  const requested = await Promise.all([
    driveKeys(probe, { workflowId, inputs }, run),
    driveRefused(probe, run, workflowId),
    probe.hasCredential === true ? driveWithoutCredential(probe, run, body) : [],
    probe.hasCredential === true ? actAsNobody(probe, run) : [],
    probe.hasCredential === true ? readAsNobody(probe, run) : [],
    createWithoutScope(probe, body),
  ]);
  return [run, ...requested.flat()];
}

/** wire-contract, Endpoints: what POST /v1/runs and the readings of a run answer besides what was asked for. */
export const creating = defineScenario({
  id: 'run.creating',
  suite: 'run-lifecycle',
  title: 'Runs are made once under one key, and what makes or reads none is refused in the envelope',
  drive,
  checks: [
    {
      id: 'run.create-idempotency',
      title:
        'A run that is requested twice under one Idempotency-Key is one run, its second answer is marked as stored, and another body is refused with 409',
      judge: judgeKeys,
    },
    {
      id: 'run.create-idempotency.at-once',
      title: 'A run that is requested ten times at once under one Idempotency-Key is one run',
      judge: judgeAtOnce,
    },
    {
      id: 'run.error-envelope',
      title: 'What makes no run is refused with a 4xx, and readings of none with 404, in the envelope',
      judge: judgeRefused,
    },
    {
      id: 'run.error-envelope.no-credential',
      title:
        'Without a credential, creating and reading a run is refused with 401, and creating one without the scope is refused',
      judge: judgeWithoutCredential,
    },
  ],
});
