import { driveHandoff } from './drive.ts';
import { ECHO, PAIR, RELAY, seeded, TELLER, TOLD } from './fixtures.ts';
import { judgeLoop } from './judge-loop.ts';
import { judgeRelay } from './judge-mapping.ts';
import { judgeLinks, judgePath } from './judge-path.ts';
import { handoffScenario } from './row.ts';

const ROLE = 'handoff';
const PATH = { role: ROLE, workers: 2 };
const RELAYED = { role: ROLE, value: TOLD, workflowId: ECHO, heardAs: ['heard', 'echoed'], returnedAs: 'relayed' };

/** One decision that names two workers. */
export const pair = handoffScenario({
  id: 'handoff.two-workers',
  title: 'A decision names two workers',
  needs: seeded(PAIR, TELLER, ECHO),
  rows: [
    {
      id: 'handoff.happy-path.two-workers',
      title: 'Each of two workers of one decision goes the whole way, each transition once, in order',
      judge: (check, seen) => judgePath(check, seen, PATH),
    },
    {
      id: 'handoff.causation-chain.two-workers',
      title: 'The chains of two workers of one decision are not mixed up',
      judge: (check, seen) => judgeLinks(check, seen, PATH),
    },
  ],
  drive: (probe) => driveHandoff(probe, { workflowId: PAIR }, ROLE),
});

/** Two turns with a worker each: the second is given what the first returned. */
export const relay = handoffScenario({
  id: 'handoff.relay',
  title: 'A worker is given what the worker of the turn before returned',
  needs: seeded(RELAY, TELLER, ECHO),
  rows: [
    {
      id: 'handoff.output-mapping.relay',
      title: 'The next worker is given what the one before it returned',
      judge: (check, seen) => judgeRelay(check, seen, RELAYED),
    },
    {
      id: 'handoff.causation-chain.turns',
      title: 'The chain of each turn starts with the decision of that turn',
      judge: (check, seen) => judgeLinks(check, seen, PATH),
    },
    {
      id: 'handoff.loop.turns',
      title: 'Each of several turns emits one decision',
      judge: (check, seen) => judgeLoop(check, seen, { role: ROLE, plan: ['next-worker', 'next-worker', 'terminate'] }),
    },
  ],
  drive: (probe) => driveHandoff(probe, { workflowId: RELAY }, ROLE),
});
