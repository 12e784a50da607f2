import type { Json, Observation } from '../../src/evidence/types.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { isUnknown } from '../shared/first-run.ts';
import { branches, replays } from '../shared/replays.ts';
import { startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { branchBody } from './access-drive.ts';
import { makeCanary } from './canary.ts';
import { AUDIT, FORK, judgeAudit, judgeAuditSecret, seeAudit, type AuditSearchObservation } from './judge-audit.ts';
import { createListener, search, type Planted } from './listen.ts';
import { GOVERNANCE } from './observation-shapes.ts';
import { readEverything } from './read-everything.ts';
import { askSeam, gatingSeam, type SeamObservation } from './seam.ts';

/** Longest that is waited for a record that is written a little later, in milliseconds. */
const PATIENCE_MS = 1000;

/** Forks a run with a secret among its inputs, and requests the audit records. */
async function driveAudit(
  probe: Probe,
  bodyFor: (source: RunObservation) => ForkBody,
): Promise<readonly Observation[]> {
  const canary = makeCanary();
  const planted: Planted = { canaries: [canary], marker: canary.text };
  const listener = createListener(planted);
  const handle = listener.as('source', probe.host);
  const source = await startSensitive({ ...probe, host: handle }, { credentials: { apiKey: canary.text } });
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  await readEverything(handle, runId, []);
  const fork = await startFork(probe, source, bodyFor(source), { role: FORK });
  const records = await repeatPaced(
    () => askSeam(probe, AUDIT, { runId }),
    (each) => each.problem !== null || fork.runId === null || JSON.stringify(each.answer).includes(fork.runId),
    { patienceMs: PATIENCE_MS, signal: probe.signal },
  );
  return [source, listener.heard('source'), fork, ...searched(records, planted)];
}

/** What the workflow does is of no matter: a run holds its inputs. Public hosts seed both. */
async function startSensitive(probe: Probe, inputs: Readonly<Record<string, unknown>>): Promise<RunObservation> {
  const start = (workflowId: string) => startRun(probe, { workflowId, inputs }, { role: 'source' });
  const run = await start('conformance-multi-node');
  return isUnknown(run) ? start('conformance-noop') : run;
}

/** The records, and whether they show the secret. Evidence holds the exchange: the observation need not repeat it. */
function searched(records: SeamObservation, planted: Planted): readonly (SeamObservation | AuditSearchObservation)[] {
  const text = JSON.stringify(records.answer);
  const { shows } = search(planted, text);
  const masked = planted.canaries.reduce((left, { core }) => left.replaceAll(core, '(planted)'), text);
  const spellings = shows.map(({ spelling }) => spelling);
  return [
    shows.length === 0 ? records : { ...records, answer: JSON.parse(masked) as Json },
    { type: 'audit-search', spellings, exchanges: records.exchanges },
  ];
}

const ROW = 'privacy.audit';

/** replay.md, Privacy: replays of a run with a sensitive input. */
export const audit = defineScenario({
  ...GOVERNANCE,
  id: ROW,
  title: 'A replay of a run with sensitive fields leaves an audit record',
  needs: [replays, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, () => ({ mode: 'replay' })),
  see: seeAudit,
  checks: [
    { id: ROW, title: 'The audit names the replay and its source', judge: judgeAudit },
    { id: `${ROW}.no-secret`, title: 'The audit shows no secret of the run', judge: judgeAuditSecret },
  ],
});

/** The same for branches. */
export const branchAudit = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.branch`,
  title: 'A branch of a run with sensitive fields leaves an audit record',
  needs: [branches, gatingSeam(AUDIT)],
  drive: (probe) => driveAudit(probe, branchBody),
  see: seeAudit,
  checks: [{ id: `${ROW}.branch`, title: 'The audit names the branch and its source', judge: judgeAudit }],
});
