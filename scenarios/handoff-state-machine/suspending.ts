import type { Scenario } from '../../src/runner/scenario.ts';
import { CLARIFY, ESCALATE, seeded, TELLER } from './fixtures.ts';
import { judgeSuspends } from './judge-suspends.ts';
import { handoffScenario } from './row.ts';
import { driveSuspending } from './suspending-drive.ts';

function suspending(kind: 'clarify' | 'escalate', workflowId: string): Scenario {
  return handoffScenario({
    id: `handoff.${kind}`,
    title: `A supervisor decides to ${kind}`,
    needs: seeded(workflowId, TELLER),
    rows: [
      {
        id: `handoff.loop.${kind}`,
        title: `A decision to ${kind} suspends the run until it is answered; then the loop goes on`,
        judge: (check, seen) => judgeSuspends(check, seen, kind),
      },
    ],
    drive: (probe) => driveSuspending(probe, workflowId),
  });
}

/** Decisions that ask somebody. */
export const clarify = suspending('clarify', CLARIFY);
export const escalate = suspending('escalate', ESCALATE);
