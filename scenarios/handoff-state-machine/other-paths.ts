import { isOutcome, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { SeenRun } from '../shared/need.ts';
import { driveHandoff, withHiddenEvents } from './drive.ts';
import { NESTED, PUBLIC, SUB_WORKFLOW, TELLER } from './fixtures.ts';
import { readHandoff, type HandoffRun } from './handoff-run.ts';
import type { ChildObservation } from './observation.ts';
import { judgePath } from './path.ts';
import { handingOff } from './suite.ts';

const [OUTER, INNER] = ['outer handoff', 'inner handoff'] as const;

async function driveNested(probe: Probe): ReturnType<typeof driveHandoff> {
  const driven = await driveHandoff(probe, NESTED, OUTER);
  return Promise.all(driven.map(async (each) => (each.type === 'child' ? withHiddenEvents(probe, each) : each)));
}

/** The worker of the outer handoff, as a run that hands off itself. */
function asParent({ parent: _parent, logs: _logs, ...child }: Recorded<ChildObservation>): SeenRun {
  return { ...child, type: 'run', role: INNER, fork: null, answer: null };
}

/** Each of both logs shows a handoff of its own, whole. */
function judgeNested(outer: HandoffRun): Outcome {
  const outcome = judgePath(outer, 1);
  if (outcome.kind !== 'pass') return outcome;
  const [child] = outer.children;
  if (child === undefined) {
    return undecided('no event of the outer handoff names its child: give childRunId', [outer.run]);
  }
  const inner = readHandoff([asParent(child)], INNER);
  return isOutcome(inner) ? inner : judgePath(inner, 1);
}

/** A worker that hands off itself. */
export const nested = defineScenario({
  ...handingOff([NESTED, ...PUBLIC], OUTER),
  id: 'handoff.nested',
  title: 'A worker hands off to a worker of its own',
  drive: driveNested,
  checks: [
    {
      id: 'handoff.happy-path.nested',
      title: 'A handoff and the handoff of its worker both go the whole way, each in the log of its own run',
      judge: judgeNested,
    },
  ],
});

/** A child without a decision. */
export const subWorkflow = defineScenario({
  ...handingOff([SUB_WORKFLOW, TELLER], 'sub-workflow'),
  id: 'handoff.sub-workflow',
  title: 'A node delegates to a sub-workflow',
  checks: [
    {
      id: 'handoff.happy-path.sub-workflow',
      title: 'A sub-workflow goes the whole way too, each transition once, in order',
      judge: (seen) => judgePath(seen, 1),
    },
  ],
});
