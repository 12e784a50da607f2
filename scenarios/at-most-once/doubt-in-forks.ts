import { advertisedFailpoints, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { fail, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { forkText, type RecordedRun } from '../shared/need.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import type { ForkBody, RunObservation } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf } from '../shared/witnessed-run.ts';
import { type CellObservation, cellText } from './cell.ts';
import { createCells } from './crash-drive.ts';
import { cutNeeds } from './crash-seams.ts';
import { wrong } from './diagnoses.ts';
import { externalKeys } from './external-key.ts';
import { nameAtStage } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { invocationEvents } from './invocation-events.ts';
import { readCell } from './read-cell.ts';
import { forkUntilSettled } from './settled-run.ts';

/** A run whose host died while its call was in doubt, and was up again. */
export interface DoubtObservation extends Observation {
  readonly type: 'doubt';
  readonly cell: CellObservation;
}

export type DoubtRecording = DoubtObservation | RunObservation | CallsObservation;

const EXPOSE = 'expose a failpoint between the tool and PutEffect whose name says so, such as after-execute';
const SOURCE = 'source';

/** The events of the log at which replays begin, at most; and the replays that do not settle after which no further one is made. */
const MOST = 12;
const HUNG = 2;

/** The failpoint that leaves a call in doubt, the best first: behind the tool, else behind the start of the call. */
export function doubtfulPoint(names: readonly string[]): string | undefined {
  return nameAtStage(names, 2) ?? nameAtStage(names, 1);
}

async function drive(probe: Probe): Promise<readonly DoubtRecording[]> {
  const { crash, witness } = probe;
  const name = doubtfulPoint(advertisedFailpoints(readPart(probe.discovery, 'provable')));
  if (crash === undefined || witness === undefined || name === undefined) return [];
  const visit = witness.visit();
  const own = { ...witness, visit: () => visit };
  const recorded = await crash.use(async (lane) => {
    const cuts = { cut: { name, hit: 1 }, second: null };
    const cell = await createCells(probe)(cuts, { lane, thorough: false, witness: own });
    const doubt: DoubtObservation = { type: 'doubt', cell, exchanges: cell.exchanges };
    return [doubt, callsAfter(SOURCE, visit), ...(await driveForks(probe, { lane, visit, cell }))];
  });
  return recorded ?? [];
}

interface Doubted {
  readonly lane: CrashLane;
  readonly visit: WitnessVisit;
  readonly cell: CellObservation;
}

async function driveForks(probe: Probe, { lane, visit, cell }: Doubted): Promise<readonly DoubtRecording[]> {
  const { outcome, events, invocations } = readCell({ id: '', ...cell });
  const { runId } = cell;
  if (runId === null || invocations.length === 0 || (outcome !== 'failed' && outcome !== 'parked')) return [];
  const recorded: DoubtRecording[] = [];
  const source = { ...NO_RUN, runId, exchanges: cell.exchanges };
  let hung = 0;
  for (const { sequence } of events.slice(0, MOST)) {
    const body: ForkBody = { mode: 'replay', fromSeq: sequence };
    const role = `replay from ${sequence}`;
    const fork = await forkUntilSettled({ ...probe, host: lane.host }, source, body, role);
    recorded.push(fork, callsAfter(role, visit));
    if (fork.runId !== null && fork.problem !== null) hung += 1;
    if (hung >= HUNG) break;
  }
  return recorded;
}

const NO_RUN: RunObservation = {
  type: 'run',
  role: SOURCE,
  fork: null,
  answered: null,
  answer: null,
  runId: null,
  workflowId: ONCE,
  problem: null,
  events: [],
  snapshot: null,
  exchanges: [],
};

/** Judges once.doubt-in-forks: the witness has no further call after replays of a run whose call is in doubt (sem §2). */
function judge(recorded: Recordings): Outcome {
  const [doubt] = ofType<DoubtObservation>(recorded, 'doubt');
  const before = callsOf(recorded, SOURCE);
  if (doubt === undefined || before === undefined) return undecidedUntil(EXPOSE, 'no call was left in doubt', []);
  const left = notInDoubt(doubt);
  if (left !== undefined) return left;
  const forks = ofType<RunObservation>(recorded, 'run').map((fork) => ({ fork, after: callsOf(recorded, fork.role) }));
  let known = externalKeys(before, CHARGE).length;
  for (const { fork, after } of forks) {
    if (after === undefined) return undecided(`calls after ${named(fork)} were not counted`, [doubt, fork]);
    const made = externalKeys(after, CHARGE).length;
    if (!isOnlyOfOtherMode(fork) && made > known) {
      const expected = `no call of ${CHARGE.toolName} by ${forkText(fork)}, whose source is in doubt after a death at ${cellText(doubt.cell)}`;
      const actual = `${made - known} more, after ${known} by then`;
      return fail({ expected, actual, diagnosis: wrong('doubt-called-by-fork') }, [fork, after, doubt, before]);
    }
    known = made;
  }
  const madeUp = forks.find(({ fork }) => endOf(eventsOf(fork)) === 'completed')?.fork;
  if (madeUp !== undefined) {
    const expected = `no end but a failure, or none, of ${forkText(madeUp)}, whose source is in doubt after a death at ${cellText(doubt.cell)}`;
    const actual = 'completed, and nobody called the tool';
    // A host whose replays serve other answers than the recorded ones is named for that.
    const restsOn = 'replay.no-second-external-call.cached-response';
    return fail({ expected, actual, diagnosis: wrong('doubt-completed-by-fork'), restsOn }, [madeUp, doubt, before]);
  }
  const decisive = forks.filter(({ fork }) => comesToCall(fork)).map(({ fork }) => fork);
  if (decisive.length > 0) {
    return pass(
      [doubt, before, ...decisive, ...forks.flatMap(({ after }) => after ?? [])],
      decisive.map(named).join(', '),
    );
  }
  const why = forks.map(({ fork }) => `${fork.role}: ${whyNot(fork)}`).join('; ');
  return undecided(`no replay of a run in doubt came to its call (${why})`, [doubt, ...forks.map(({ fork }) => fork)]);
}

/** The outcome that is left where the call was not left in doubt. */
function notInDoubt(doubt: DoubtObservation & { readonly id: string }): Outcome | undefined {
  const { reached, outcome, calls, invocations } = readCell({ ...doubt.cell, id: doubt.id });
  if (!reached) {
    const { notDriven, problem, stopped } = doubt.cell;
    return undecidedUntil(EXPOSE, `no call was left in doubt (${notDriven ?? problem ?? stopped})`, [doubt]);
  }
  const isDoubtful = invocations.length > 0 && (outcome === 'failed' || outcome === 'parked') && calls < 2;
  if (isDoubtful) return undefined;
  const actual = `the run came out as ${outcome} after ${calls} calls`;
  const reason = `no call was left in doubt: with a death at ${cellText(doubt.cell)} ${actual}`;
  return rests('once.executed-not-recorded', undecided(reason, [doubt]));
}

/** Whether a replay settled whose own log shows the node of the call, or the call itself. */
function comesToCall(fork: RecordedRun): boolean {
  if (fork.problem !== null) return false;
  const events = eventsOf(fork);
  return invocationEvents(events).length > 0 || events.some((event) => nodeOf(event) === CHARGE.nodeId);
}

function whyNot({ answered, runId, problem }: RunObservation): string {
  if (runId === null && answered !== null) return `answered with ${answered}`;
  return problem ?? `its log shows nothing of ${CHARGE.nodeId}`;
}

/** sem §2, window 2: what cannot be known is not found out by a replay. */
export const doubtInForks = defineScenario<DoubtRecording>({
  id: 'once.doubt-in-forks',
  suite: 'at-most-once',
  title: 'Replays of a run whose call may have been made and has no result',
  gate: provableSemantics,
  needs: [replays, ...cutNeeds(ONCE)],
  patience: () => 20,
  drive,
  checks: [
    {
      id: 'once.doubt-in-forks',
      title: 'A replay of a run whose call is in doubt neither makes that call nor makes up what it came to',
      judge,
    },
  ],
});
