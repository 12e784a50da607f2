import { handoffReplay } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { leftWithout, type RecordedRun, runOf } from '../shared/need.ts';
import { isDivergence } from '../shared/read-event.ts';
import { startFork } from '../shared/run-observation.ts';
import { openOf } from '../shared/settle.ts';
import { otherError } from '../shared/shown-error.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { has, readChain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { BROKEN, FAILING, MISSING, seeded } from './fixtures.ts';
import { type AllRecorded, type HandoffRun, readHandoff } from './handoff-run.ts';
import { ROLES } from './observation.ts';
import type { Fault } from './owners.ts';
import { judgeReplayedLinks, otherHandoff, transitionPairs } from './replays.ts';
import { COMMON, startWhole, withHiddenEvents } from './suite.ts';
import { type Phase, placeOf } from './transition.ts';

/** A handoff that goes wrong, and its replay, by their roles; and what its log has to tell. */
interface Failing {
  readonly workflowId: string;
  readonly source: string;
  readonly replay: string;
  readonly phase: Phase;
}

const CHILD: Failing = { workflowId: FAILING, source: ROLES.source, replay: 'full replay', phase: 'child.failed' };
const DISPATCH: Failing = {
  workflowId: MISSING,
  source: 'source whose dispatch fails',
  replay: 'replay of a failed dispatch',
  phase: 'dispatch.failed',
};

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const driven = await Promise.all([CHILD, DISPATCH].map((each) => driveOne(probe, each)));
  return driven.flat();
}

async function driveOne(probe: Probe, { workflowId, ...roles }: Failing): Promise<readonly Observation[]> {
  const source = await startWhole(probe, workflowId, roles.source);
  if (source.problem !== null) return [source];
  const replay = await startFork(probe, source, { mode: 'replay' }, { role: roles.replay });
  return [source, await withHiddenEvents(probe, replay)];
}

/** 0041 §C: replays of a handoff whose child fails, and of one that dispatches nobody, where the host knows it, tell the same. */
function judge(recorded: AllRecorded): Outcome {
  const child = judgeOne(recorded, CHILD);
  if (runOf(recorded, DISPATCH.source)?.problem !== null) return child;
  const dispatch = judgeOne(recorded, DISPATCH);
  return (
    openOf([child, dispatch]) ?? pass([child, dispatch].flatMap((each) => (each.kind === 'pass' ? each.evidence : [])))
  );
}

function judgeOne(recorded: AllRecorded, { source, replay: role, phase }: Failing): Outcome {
  const first = readHandoff(recorded, source);
  if (isOutcome(first)) return first;
  const { run, chain } = first;
  if (!has(chain, phase)) return undecided(`${named(run)} has no ${phase}`, [run]);
  const replay = runOf(recorded, role);
  const left = leftWithout([replay ?? role]);
  if (replay === undefined || left !== undefined) return left ?? undecided('no replay was driven', [run]);
  const mismatch = otherHandoff(first, replay) ?? otherFailure(first, replay);
  if (mismatch !== undefined)
    return fail({ diagnosis: wrong('wrong-path'), restsOn: OWNER, ...mismatch }, [replay, run]);
  const links = judgeReplayedLinks(first, replay);
  const broken = links?.kind === 'rests' ? links.otherwise : links;
  return broken?.kind === 'fail' ? fail({ ...broken, restsOn: OWNER }, [replay, run]) : pass([replay, run]);
}

/** The row about replays of handoffs that go well. */
const OWNER = 'handoff.replays';

/** An error that a transition or the end of the replay shows otherwise than the source does, where the replay does not say that it differs. */
function otherFailure({ run, chain }: HandoffRun, replay: RecordedRun): Fault | undefined {
  if (eventsOf(replay).some(isDivergence)) return undefined;
  const again = readChain(replay);
  const pairs = [
    ...transitionPairs(chain, again),
    ...[({ type }: RunEvent) => type === 'node.failed', endsRun].map((isMeant) =>
      [run, replay].map((each) => eventsOf(each).findLast((event) => isMeant(event))),
    ),
  ];
  for (const [before, after] of pairs) {
    const other = otherError(before, after);
    if (before === undefined || after === undefined || other === undefined) continue;
    return {
      expected: `${other.expected} in ${named(replay)}, as in ${placeOf(before)} of ${named(run)}`,
      actual: `${other.actual} in ${placeOf(after)}`,
      diagnosis: wrong('failure-told-otherwise'),
      restsOn: chain.transitions.some(({ event }) => event === before) ? OWNER : ownerOfEnd(replay, after),
    };
  }
  return undefined;
}

/** How nodes and runs fail again is no matter of handoffs; an end may be against its run's own snapshot. */
function ownerOfEnd(replay: RecordedRun, event: RunEvent): string {
  return endsRun(event) && isAgainstItsLog(replay) ? FOUNDATIONS.snapshots : 'replay.same-failure';
}

/** Handoffs that go wrong. */
export const failedReplay = defineScenario({
  ...COMMON,
  id: 'handoff.replays.failed',
  title: 'Handoffs are replayed whose worker fails, or does not exist',
  gate: handoffReplay,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'not-applicable' }, ...seeded(FAILING, BROKEN)],
  drive,
  checks: [
    {
      id: 'handoff.replays.failed',
      title: 'A replay of a handoff that fails tells the same decisions, transitions and errors',
      judge,
    },
  ],
});
