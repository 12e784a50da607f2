import type { Observation } from '../../src/evidence/types.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { undecided } from '../shared/judging.ts';
import { driveHandoff, withHiddenEvents } from './drive.ts';
import { HANDOFF, HANDOFF_CHILD, NESTED, seeded, SUB_WORKFLOW, TELLER } from './fixtures.ts';
import { judgePath } from './judge-path.ts';
import { childrenOf, type ChildObservation } from './child-run.ts';
import { handoffScenario, type Seen } from './row.ts';

const [OUTER, INNER] = ['outer handoff', 'inner handoff'] as const;
const WHOLE = { workers: 1 } as const;

async function driveNested(probe: Probe): Promise<readonly Observation[]> {
  const seen = await driveHandoff(probe, { workflowId: NESTED }, OUTER);
  return Promise.all(seen.map(async (each) => (each.type === 'child' ? withHiddenEvents(probe, each) : each)));
}

/** The worker of the outer handoff, as a run that hands off itself. */
function asParent(child: Recorded<ChildObservation>): Recorded<Observation> {
  const { id, runId, answered, events, snapshot, problem, exchanges } = child;
  const run = {
    type: 'run' as const,
    role: INNER,
    fork: null,
    answer: null,
    runId,
    answered,
    events,
    snapshot,
    problem,
  };
  return { id, ...run, exchanges };
}

/** Both logs tell their own handoff, whole. */
function judgeNested(check: string, seen: Seen): Judgement {
  const outer = judgePath(check, seen, { role: OUTER, ...WHOLE });
  if (outer.verdict !== 'pass') return outer;
  const [child] = childrenOf(seen, OUTER);
  if (child === undefined) {
    return undecided(check, 'no event of the outer handoff names its child: tell childRunId', seen);
  }
  return judgePath(check, [asParent(child)], { role: INNER, ...WHOLE });
}

/** A worker that hands off itself. */
export const nested = handoffScenario({
  id: 'handoff.nested',
  title: 'A worker hands off to a worker of its own',
  needs: seeded(NESTED, HANDOFF, HANDOFF_CHILD),
  rows: [
    {
      id: 'handoff.happy-path.nested',
      title: 'A handoff and the handoff of its worker both go the whole way, each in the log of its own run',
      judge: judgeNested,
    },
  ],
  drive: driveNested,
});

const DELEGATED = 'sub-workflow';

/** A child without a decision. */
export const subWorkflow = handoffScenario({
  id: 'handoff.sub-workflow',
  title: 'A node delegates to a sub-workflow',
  needs: seeded(SUB_WORKFLOW, TELLER),
  rows: [
    {
      id: 'handoff.happy-path.sub-workflow',
      title: 'A sub-workflow goes the whole way too, each transition once, in order',
      judge: (check, seen) => judgePath(check, seen, { role: DELEGATED, ...WHOLE }),
    },
  ],
  drive: (probe) => driveHandoff(probe, { workflowId: SUB_WORKFLOW }, DELEGATED),
});
