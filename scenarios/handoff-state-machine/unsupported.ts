import { noExecutionModel } from '../../src/contract/gates.ts';
import { startRun } from '../shared/run-observation.ts';
import { withHiddenEvents } from './drive.ts';
import { HANDOFF } from './fixtures.ts';
import { HANDED, judgeUnsupported, PLAIN } from './judge-unsupported.ts';
import { handoffScenario } from './row.ts';

/** Hosts without the model. */
export const unsupported = handoffScenario({
  id: 'handoff.unsupported',
  title: 'A host that does not support the execution model',
  gate: noExecutionModel,
  needs: [],
  rows: [
    {
      id: 'handoff.not-unless-supported',
      title: 'A host that does not support the model emits no handoff events',
      judge: judgeUnsupported,
    },
  ],
  drive: async (probe) => {
    const runs = [
      startRun(probe, { workflowId: 'conformance-noop', inputs: {} }, { role: PLAIN }),
      startRun(probe, { workflowId: HANDOFF, inputs: {} }, { role: HANDED }),
    ];
    return Promise.all(runs.map(async (run) => withHiddenEvents(probe, await run)));
  },
});
