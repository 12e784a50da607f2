import { isOutcome, rests, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, interruptPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { named } from '../shared/compare-runs.ts';
import { judgeInvisibleReading, rowsOf, type Judged } from '../shared/judge-invisible-reading.ts';
import { need } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { ASKING, hasEnded } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { type Kind, requestAbout } from '../shared/request-about.ts';
import { type RequestedObservation, requestsOf } from '../shared/requested.ts';
import { isObserved } from '../shared/run-observation.ts';
import { startOwn, whereServed } from '../shared/second-tenant.ts';

const SOURCE = 'source';

/** A question is answered once (wire-contract, Endpoints): its owner comes too late where another tenant's answer was taken. */
export const ANSWER = {
  kind: 'answer',
  isEverywhere: true,
  step: 'take answers at POST /v1/runs/{runId}/interrupts/{nodeId}',
  spent: [404, 409, 410, 422],
} satisfies Judged;

/** What ends a run that waits may be guarded elsewhere than what is to end one that is over. */
export const CANCEL: Kind = {
  kind: 'cancellation of a run that waits',
  path: ({ runId }) => cancelPath(runId),
  bodies: [{}],
  strangerFirst: true,
};

/** A run that waits; another tenant cancels it and answers it, and then its owner. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { candidate, run } = await startAsking(probe, SOURCE);
  const { otherTenant } = probe;
  if (!isObserved(run) || hasEnded(run) || otherTenant === undefined) return [run];
  const { nodeId, goesOn } = candidate;
  const answer = {
    ...ANSWER,
    path: (about: { readonly runId: string }) => interruptPath(about.runId, nodeId),
    bodies: [{ resumeValue: goesOn }],
  };
  const { runId } = run;
  const own = await startOwn(probe, otherTenant);
  const requested: RequestedObservation[] = [];
  for (const kind of [CANCEL, answer]) {
    requested.push(...(await requestAbout(probe, otherTenant, kind, { runId, against: runId, after: 0 })));
  }
  return [run, own, ...requested];
}

/** Judges that another tenant's answer to a question is not taken. */
export function judgeAnswer(recorded: Recordings): Outcome {
  const runs = need(recorded, SOURCE);
  if (isOutcome(runs)) return runs;
  if (requestsOf(recorded, rowsOf(CANCEL.kind).owner).length > 0) {
    const outcome = judgeInvisibleReading(recorded, CANCEL);
    if (outcome.kind === 'fail') return rests('fork.invisible-run.cancel', outcome);
  }
  if (requestsOf(recorded, rowsOf(ANSWER.kind).owner).length > 0) return judgeInvisibleReading(recorded, ANSWER);
  const { source } = runs;
  return undecidedUntil('show interrupt.requested, and wait for the answer', `${named(source)} did not wait`, [source]);
}

const ROW = 'fork.invisible-run.answer';

/** replay.md, Endpoint and Privacy: what a caller may not see it may not answer either. */
export const invisibleQuestion = defineScenario({
  id: ROW,
  suite: 'fork-contract',
  title: "Another tenant's run takes no answer to its question, and goes on waiting",
  needs: [replays, { kind: 'second-tenant' }, { kind: 'one-of', candidates: ASKING }],
  drive,
  checks: [
    {
      id: ROW,
      title:
        'Another tenant is refused an answer to the question of a run and its cancellation, as of a run that there is not',
      judge: whereServed(judgeAnswer),
    },
  ],
});
