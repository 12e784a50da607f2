import { defineScenario } from '../../src/runner/define-scenario.ts';
import { ECHO, PAIR, RELAY, TELLER, TELLER_OUTPUT } from './fixtures.ts';
import { judgeLinks } from './judge-links.ts';
import { judgeLoop } from './judge-loop.ts';
import { judgeRelay } from './judge-mapping.ts';
import { judgePath } from './path.ts';
import { handingOff } from './suite.ts';

const RELAYED = { value: TELLER_OUTPUT, workflowId: ECHO, heardAs: ['heard', 'echoed'], returnedAs: 'relayed' };

/** One decision that names two workers. */
export const pair = defineScenario({
  ...handingOff([PAIR, TELLER, ECHO]),
  id: 'handoff.two-workers',
  title: 'A decision names two workers',
  checks: [
    {
      id: 'handoff.happy-path.two-workers',
      title: 'Each of two workers of one decision goes the whole way, each transition once, in order',
      judge: (seen) => judgePath(seen, 2),
    },
    {
      id: 'handoff.causation-chain.two-workers',
      title: 'The chains of two workers of one decision are not mixed up',
      judge: (seen) => judgeLinks(seen, 2),
    },
  ],
});

/** Two turns with a worker each: the second is given what the first returned. */
export const relay = defineScenario({
  ...handingOff([RELAY, TELLER, ECHO]),
  id: 'handoff.relay',
  title: 'A worker is given what the worker of the turn before returned',
  checks: [
    {
      id: 'handoff.output-mapping.relay',
      title: 'The next worker is given what the one before it returned',
      judge: (seen) => judgeRelay(seen, RELAYED),
    },
    {
      id: 'handoff.causation-chain.turns',
      title: 'The chain of each turn starts with the decision of that turn',
      judge: (seen) => judgeLinks(seen, 2),
    },
    {
      id: 'handoff.loop.turns',
      title: 'Each of several turns emits one decision',
      judge: (seen) => judgeLoop(seen, ['next-worker', 'next-worker', 'terminate']),
    },
  ],
});
