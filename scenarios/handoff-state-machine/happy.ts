import { driveHandoff } from './drive.ts';
import { HANDOFF, HANDOFF_CHILD, OUTCOME, PUBLIC } from './fixtures.ts';
import { judgeChild } from './judge-child.ts';
import { judgeHarvest } from './judge-harvest.ts';
import { judgeLoop } from './judge-loop.ts';
import { judgeMapping } from './judge-mapping.ts';
import { judgeLinks, judgePath } from './judge-path.ts';
import { handoffScenario } from './row.ts';

const ROLE = 'handoff';
const PATH = { role: ROLE, workers: 1 };
const MAPPED = { role: ROLE, ...OUTCOME };
const DISPATCHED = { role: ROLE, workflowId: HANDOFF_CHILD, nodes: ['supervisor', 'dispatch'] };

/** The public fixture: one worker, whose outcome is harvested. */
export const happy = handoffScenario({
  id: 'handoff.public-fixture',
  title: 'A supervisor hands off to one worker, and ends',
  needs: PUBLIC,
  rows: [
    {
      id: 'handoff.happy-path',
      title: 'dispatch.began, dispatch.succeeded, child.completed and output.harvested, once each, in this order',
      judge: (check, seen) => judgePath(check, seen, PATH),
    },
    {
      id: 'handoff.causation-chain',
      title: "Each transition's causationId is the eventId of the one before it; the first points at the decision",
      judge: (check, seen) => judgeLinks(check, seen, PATH),
    },
    {
      id: 'handoff.harvest-exactly-when',
      title: 'A completed child whose outputs are mapped is harvested, once',
      judge: (check, seen) => judgeHarvest(check, seen, ROLE),
    },
    {
      id: 'handoff.output-mapping',
      title: "Mapped outputs are in the parent's variables before its next decision",
      judge: (check, seen) => judgeMapping(check, seen, MAPPED),
    },
    {
      id: 'handoff.loop',
      title: 'Each turn emits one decision, and terminate ends the run',
      judge: (check, seen) => judgeLoop(check, seen, { role: ROLE, plan: ['next-worker', 'terminate'] }),
    },
    {
      id: 'handoff.child-is-a-run',
      title: 'The dispatched child is a run of its own that can be read',
      judge: (check, seen) => judgeChild(check, seen, DISPATCHED),
    },
  ],
  drive: (probe) => driveHandoff(probe, { workflowId: HANDOFF }, ROLE),
});
