import type { Suite } from '../../src/runner/scenario.ts';
import { branched } from './branched.ts';
import { diagnoses } from './diagnoses.ts';
import { happy, nested, pair, relay, subWorkflow } from './whole-paths.ts';
import { failedReplay } from './failed-replays.ts';
import { givenInputs } from './given-inputs.ts';
import { replayedChildren } from './replayed-children.ts';
import { replays } from './replays.ts';
import { clarify, escalate } from './suspending.ts';
import { cancelled, failing, missing, unmapped } from './unharvested.ts';
import { unsupported } from './unsupported.ts';

/** handoff-state-machine: does a host hand off from planner to worker as the state machine says, and tell it? */
export const handoffStateMachine: Suite = {
  id: 'handoff-state-machine',
  scenarios: [
    happy,
    pair,
    nested,
    subWorkflow,
    unmapped,
    failing,
    cancelled,
    missing,
    relay,
    givenInputs,
    clarify,
    escalate,
    unsupported,
    replays,
    failedReplay,
    replayedChildren,
    branched,
  ],
  diagnoses,
};
