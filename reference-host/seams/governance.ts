import { deleteData } from '../governance/delete-data.ts';
import { expireEvents } from '../governance/expire.ts';
import type { Host, Route } from '../http/route.ts';
import { member } from '../json.ts';
import { ofRun, seam } from './seam.ts';

/** The test-only endpoints about retention, deleted data and audit. They know the runs of the caller's tenant only. */
export function governanceSeamRoutes(host: Host): readonly Route[] {
  return [
    {
      ...seam('retention/expire', 'Let the first events of a run expire', CHANGING),
      handle: ofRun(host, (run, body) => expireEvents(host, run, member(body, 'beforeSeq'))),
    },
    {
      ...seam('data/delete', 'Delete a value that a run has recorded', CHANGING),
      handle: ofRun(host, (run, body) => deleteData(host, run, member(body, 'path'))),
    },
    {
      ...seam('audit', 'The audit records about a run', { 404: CHANGING[404] }),
      handle: ofRun(host, (run) => ({ status: 200, body: { events: host.store.audit.about(run.runId) } })),
    },
  ];
}

const CHANGING = { 404: 'There is no such run', 409: 'A run that may need the data is not over' };
