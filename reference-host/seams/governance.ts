import type { RunService } from '../engine/run-service.ts';
import { deleteData } from '../governance/delete-data.ts';
import type { GovernedStore } from '../governance/expire.ts';
import { expireEvents } from '../governance/expire.ts';
import type { Route } from '../http/route.ts';
import { isRunId } from '../ids.ts';
import { member, stringMember } from '../json.ts';
import type { GovernancePolicy } from '../policies/governance.ts';
import type { Redactor } from '../privacy/redactor.ts';
import type { RunRecord } from '../store/runs.ts';
import type { Answer } from '../types/answers.ts';
import { invalid, runNotFound } from '../types/answers.ts';
import { seam, seamHandler } from './seam.ts';

export interface GovernanceSeamParts extends GovernedStore {
  readonly runs: RunService;
  readonly redactor: Redactor;
  readonly policy: GovernancePolicy;
}

/** The test-only endpoints about retention, deleted data and audit. They know the runs of the caller's tenant only. */
export function governanceSeamRoutes(parts: GovernanceSeamParts): readonly Route[] {
  const { store, runs } = parts;
  const view = (run: RunRecord): ReturnType<RunService['view']> => runs.view(run);
  return [
    {
      ...seam('retention/expire', 'Let the first events of a run expire', CHANGING),
      handle: ofRun(parts, (run, body) => expireEvents(parts, run, member(body, 'beforeSeq'))),
    },
    {
      ...seam('data/delete', 'Delete a value that a run has recorded', CHANGING),
      handle: ofRun(parts, (run, body) => deleteData({ ...parts, view }, run, member(body, 'path'))),
    },
    {
      ...seam('audit', 'The audit records about a run', { 404: CHANGING[404] }),
      handle: ofRun(parts, (run) => ({ status: 200, body: { events: store.audit.about(run.runId) } })),
    },
  ];
}

const CHANGING = { 404: 'There is no such run', 409: 'A run that may need the data is not over' };

function ofRun({ runs }: GovernanceSeamParts, answer: (run: RunRecord, body: unknown) => Answer): Route['handle'] {
  return seamHandler(({ value }, { tenant }) => {
    const runId = stringMember(value, 'runId');
    if (runId === undefined) return invalid('runId must be a string.');
    const run = isRunId(runId) ? runs.find(tenant, runId) : undefined;
    return run === undefined ? runNotFound() : answer(run, value);
  });
}
