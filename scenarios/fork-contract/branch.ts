import { driveBranches, FIRST_BRANCH } from './branch-drive.ts';
import { judgeEnvelopes } from './envelope.ts';
import { judgeAnswer } from './judge-answer.ts';
import { judgeIndependence, judgePrefixes } from './judge-branch.ts';
import { judgeOverlay } from './judge-overlay.ts';
import { judgeProjection } from './judge-projection.ts';
import { judgeRefusals } from './judge-refusals.ts';
import { judgeUntouched } from './judge-untouched.ts';
import { BRANCH, forkScenario } from './row.ts';

const twin = FIRST_BRANCH;

/** Branches of one run from everywhere. */
export const branch = forkScenario({
  id: 'fork.branch',
  title: 'A run is branched into independent runs with other run options',
  needs: [BRANCH],
  rows: [
    {
      id: 'fork.created.branch',
      title: 'A branch is answered with 201 and all six members, for a new run whose eventsUrl answers',
      judge: (check, observations) => judgeAnswer(observations, { check, role: FIRST_BRANCH }),
    },
    {
      id: 'fork.branch-needs-from-seq',
      title: 'A branch without fromSeq is refused with 400 or 422',
      judge: (check, observations) =>
        judgeRefusals(observations, { check, row: 'branch-start', expected: '400, or 422', twin }),
    },
    {
      id: 'fork.error-envelope.branch',
      title: 'A refused branch carries {error, message, details?} and nothing else',
      judge: (check, observations) => judgeEnvelopes(observations, { check, twin }),
    },
    {
      id: 'fork.branch-applies-overlay',
      title: 'A branch runs with the overlay from its fork point on, and not before',
      judge: judgeOverlay,
    },
    {
      id: 'fork.branch-applies-overlay.projected-state',
      title: "A branch starts from the source's state at its fork point",
      judge: judgeProjection,
    },
    {
      id: 'fork.branch-inherits-prefix',
      title: "A branch's history below its fork point is the source's",
      judge: judgePrefixes,
    },
    {
      id: 'fork.branch-is-independent',
      title: 'A branch has a run id and a log of its own, and its end changes no other run',
      judge: judgeIndependence,
    },
    {
      id: 'fork.source-untouched.branch',
      title: 'Branches leave the log and the snapshot of their source as they were',
      judge: (check, observations) =>
        judgeUntouched(observations, { check, before: 'source', after: 'source again', twin }),
    },
  ],
  drive: driveBranches,
});
