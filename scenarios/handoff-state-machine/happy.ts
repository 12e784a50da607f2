import { defineScenario } from '../../src/runner/define-scenario.ts';
import { HANDOFF_CHILD, OUTCOME, PUBLIC } from './fixtures.ts';
import { judgeChild } from './judge-child.ts';
import { judgeHarvest } from './judge-harvest.ts';
import { judgeLinks } from './judge-links.ts';
import { judgeLoop } from './judge-loop.ts';
import { judgeMapping } from './judge-mapping.ts';
import { judgePath } from './path.ts';
import { handingOff } from './suite.ts';

const DISPATCHED = { workflowId: HANDOFF_CHILD, nodes: ['supervisor', 'dispatch'] };

/** The public fixture: one worker, whose outcome is harvested. */
export const happy = defineScenario({
  ...handingOff(PUBLIC),
  id: 'handoff.public-fixture',
  title: 'A supervisor hands off to one worker, and ends',
  checks: [
    {
      id: 'handoff.happy-path',
      title: 'dispatch.began, dispatch.succeeded, child.completed and output.harvested, once each, in this order',
      judge: (seen) => judgePath(seen, 1),
    },
    {
      id: 'handoff.causation-chain',
      title: "Each transition's causationId is the eventId of the one before it; the first points at the decision",
      judge: (seen) => judgeLinks(seen, 1),
    },
    {
      id: 'handoff.harvest-exactly-when',
      title: 'A completed child whose outputs are mapped is harvested, once',
      judge: judgeHarvest,
    },
    {
      id: 'handoff.output-mapping',
      title: "Mapped outputs are in the parent's variables before its next decision",
      judge: (seen) => judgeMapping(seen, OUTCOME),
    },
    {
      id: 'handoff.loop',
      title: 'Each turn emits one decision, and terminate ends the run',
      judge: (seen) => judgeLoop(seen, ['next-worker', 'terminate']),
    },
    {
      id: 'handoff.child-is-a-run',
      title: 'The dispatched child is a run of its own that can be read',
      judge: (seen) => judgeChild(seen, DISPATCHED),
    },
  ],
});
