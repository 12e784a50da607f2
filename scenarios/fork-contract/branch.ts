import type { Observation } from '../../src/evidence/types.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { branches } from '../shared/replays.ts';
import { driveBranches, FIRST_BRANCH } from './branch-drive.ts';
import { judgeBranchKey } from './branch-key.ts';
import { branchRefusals } from './branch-refusals.ts';
import { judgeIndependence, judgePrefixes, judgeSwept, seeBranches, type Branches } from './judge-branch.ts';
import { judgeCreated } from './judge-created-branch.ts';
import { judgeOverlay, judgeProjection } from './judge-projection.ts';
import { envelopeCheck, unlessLeft, type Refusing } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';

/** What the rows judge. */
interface Seen extends Refusing {
  readonly seen: Branches;
}

/** Branches of one run from everywhere. */
export const branch = defineScenario<Observation, Seen>({
  id: 'fork.branch',
  suite: 'fork-contract',
  title: 'A run is branched into independent runs with other run options',
  foundation: true,
  needs: [branches],
  drive: driveBranches,
  see: (recorded) => ({
    recorded,
    left: leftWithoutControl(recorded, FIRST_BRANCH),
    seen: seeBranches(recorded),
  }),
  checks: [
    {
      id: 'fork.created.branch',
      title: 'A branch is answered with 201 and all six members, for a new run whose eventsUrl answers',
      judge: ({ recorded }, { everything }) => judgeCreated(recorded, everything),
    },
    ...branchRefusals,
    unlessLeft(envelopeCheck('.branch', 'A refused branch')),
    {
      id: 'fork.branch-applies-overlay',
      title: 'A branch runs with the overlay from its fork point on, and not before',
      judge: ({ seen }) => judgeSwept(seen, judgeOverlay),
    },
    {
      id: 'fork.branch-applies-overlay.projected-state',
      title: "A branch starts from the source's state at its fork point",
      judge: ({ seen }) => judgeProjection(seen),
    },
    {
      id: 'fork.branch-inherits-prefix',
      title: "A branch's history below its fork point is the source's",
      judge: ({ seen }, { options }) => judgePrefixes(seen, options.volatile),
    },
    {
      id: 'fork.branch-is-independent',
      title: 'A branch has a run id and a log of its own, and its end changes no other run',
      judge: ({ seen }) => judgeIndependence(seen),
    },
    {
      id: 'fork.idempotency-key.branch',
      title: 'A branch that is requested twice under one Idempotency-Key is one run',
      judge: ({ recorded, left }) => left ?? judgeBranchKey(recorded, FIRST_BRANCH),
    },
    unlessLeft({
      id: 'fork.source-untouched.branch',
      title: 'Branches leave the log and the snapshot of their source as they were',
      judge: judgeUntouched,
    }),
  ],
});
