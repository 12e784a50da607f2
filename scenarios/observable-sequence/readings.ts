import { isTerminal, sequenceOf } from '../../src/host/log/shown.ts';
import { type Transport, TRANSPORTS, unansweredBy } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunRequest } from '../../src/host/runs.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { cancelPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { startAsking } from '../shared/answering.ts';
import { bounds } from '../shared/compare-runs.ts';
import { EVERY_VALUE } from '../shared/every-value.ts';
import { type Candidates, firstExecuted } from '../shared/first-executed.ts';
import { CANCEL_ENDED, CANCELLED_AFTER_ITS_END, cancelRun } from '../shared/cancel.ts';
import { FAILING_FIXTURES, PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { refusedWrongly } from '../shared/need.ts';
import { hasEnded } from '../shared/past-question.ts';
import {
  readBy,
  readByEach,
  type Reading,
  type ReadingObservation,
  readSeen,
  recordedReading,
} from '../shared/reading.ts';
import { type RequestedObservation, sendRequest } from '../shared/requested.ts';
import {
  isObserved,
  offersMode,
  readAgain,
  startFork,
  startRun,
  type RunObservation,
} from '../shared/run-observation.ts';
import { readWhole } from './fork-everywhere.ts';
import {
  CANCELLED_ONCE,
  FAILING,
  judgeAgreement,
  REPLAY,
  REPLAY_AGAIN,
  RICHER,
  RICHER_FORKS,
  VALUED,
} from './judge-agreement.ts';
import { judgeMonotonic, judgeTerminal } from './judge-logs.ts';
import { readWorking } from './working-run.ts';

type LogObservation = RunObservation | ReadingObservation | RequestedObservation;

async function drive(probe: Probe): Promise<readonly LogObservation[]> {
  const driven = await Promise.all([
    driveEnded(probe),
    readWorking(probe),
    cancelFirst(probe, PUBLIC_FIXTURES, 'run that is cancelled after its end'),
    cancelFirst(probe, FAILING_FIXTURES, 'failing run that is cancelled after its end'),
    cancelTwice(probe),
  ]);
  return driven.flat();
}

async function cancelFirst(
  probe: Probe,
  fixtures: Parameters<typeof startFirst>[1],
  role: string,
): Promise<readonly LogObservation[]> {
  const { run } = await startFirst(probe, fixtures, role);
  return cancelEnded(probe, run);
}

/** A run that waits and is cancelled, which is its end. None where the host runs nothing that asks. */
async function cancelTwice(probe: Probe): Promise<readonly LogObservation[]> {
  const role = 'run that is cancelled twice';
  const { run: waiting } = await startAsking(probe, role);
  if (!isObserved(waiting) || hasEnded(waiting)) return [];
  const { status } = await cancelRun(probe, waiting.runId);
  if (!isSuccess(status)) return [];
  const run = await readAgain(probe, waiting, { role });
  if (!isObserved(run)) return [];
  const readings = await readByEach(probe, { run: CANCELLED_ONCE, runId: run.runId });
  return [...readings, ...(await cancelEnded(probe, run)), ...(await refusedReplay(probe, run))];
}

/** The replay of a cancelled run from its last event, where that is refused: what else it comes to no document says. */
async function refusedReplay(probe: Probe, cancelled: RunObservation): Promise<readonly RunObservation[]> {
  if (!hasEnded(cancelled) || !offersMode(probe.discovery, 'replay')) return [];
  const body = { mode: 'replay', fromSeq: bounds(cancelled).last } as const;
  const replay = await startFork(probe, cancelled, body, { role: 'replay of a cancelled run', until: () => true });
  await cancelRun(probe, replay.runId);
  return refusedWrongly(replay) ? [replay] : [];
}

/** A run that is to be cancelled when it has ended, which changes nothing: read past its end after that, and its snapshot again. */
async function cancelEnded(probe: Probe, run: RunObservation): Promise<readonly LogObservation[]> {
  if (!isObserved(run) || !hasEnded(run)) return [run];
  const about = { row: CANCEL_ENDED, name: 'the cancellation of a run that has ended', body: '{}' } as const;
  const cancelled = await sendRequest(probe.host, cancelPath(run.runId), about);
  const again = await readAgain(probe, run, { role: `${run.role}, ${CANCELLED_AFTER_ITS_END}` });
  const [reading] = await readWhole(probe, run);
  // A list may show the end later than the stream: that there is one was seen.
  if (reading?.events.some(isTerminal) !== true) return [run, cancelled, again];
  return [run, cancelled, again, { ...reading, exchanges: [...cancelled.exchanges, ...reading.exchanges] }];
}

/** Workflows that put out what they are given. */
const GIVEN: Candidates<RunRequest> = [
  { workflowId: 'conformance-identity', inputs: { payload: EVERY_VALUE } },
  { workflowId: 'conformance-determinism-identity', inputs: { value: EVERY_VALUE } },
];

/** Runs that are read when they have ended. */
async function driveEnded(probe: Probe): Promise<readonly LogObservation[]> {
  const [{ run }, { run: failing }, ...richer] = await Promise.all([
    startFirst(probe, PUBLIC_FIXTURES, 'run'),
    startFirst(probe, FAILING_FIXTURES, FAILING),
    ...RICHER.map(({ role, workflowIds }) => startFirst(probe, workflowIds, role)),
    firstExecuted(GIVEN, (request) => startRun(probe, request, { role: VALUED })),
  ]);
  if (run.runId === null || run.problem !== null) return [run];
  const fork = offersMode(probe.discovery, 'replay')
    ? await startFork(probe, run, { mode: 'replay', fromSeq: bounds(run).middle }, { role: REPLAY })
    : undefined;
  const again =
    fork !== undefined && isObserved(fork)
      ? await startFork(probe, fork, { mode: 'replay' }, { role: REPLAY_AGAIN })
      : undefined;
  const richerRuns = richer.map((each) => each.run).filter(isObserved);
  const others = [failing, fork, again, ...richerRuns].filter((each) => each !== undefined);
  const [all, ...rest] = await Promise.all([
    readAll(probe, run.runId),
    ...others.map((other) => readSeen(probe, other)),
  ]);
  return [run, ...others, ...all, ...rest.flat(), ...(await forkRicher(probe, richerRuns[0]))];
}

/** Forks from the middle of a run that writes more, read over every transport: the shortest runs have no history to speak of. */
async function forkRicher(probe: Probe, source: RunObservation | undefined): Promise<readonly LogObservation[]> {
  if (source === undefined) return [];
  const offered = RICHER_FORKS.filter(({ mode }) => offersMode(probe.discovery, mode));
  const forked = offered.map(async ({ role, mode }): Promise<readonly LogObservation[]> => {
    const fork = await startFork(probe, source, { mode, fromSeq: bounds(source).middle }, { role });
    return isObserved(fork) ? [fork, ...(await readSeen(probe, fork))] : [];
  });
  return (await Promise.all(forked)).flat();
}

/** The run over every transport: from the start, resumed in the middle, and once more at last. */
async function readAll(probe: Probe, runId: string): Promise<readonly ReadingObservation[]> {
  const whole = { run: 'run', runId, how: 'start' } as const;
  const started = await Promise.all(TRANSPORTS.map((transport) => readBy(probe, transport, whole)));
  const found = started.filter((reading) => reading !== undefined);
  const after = middleIn(found);
  const resuming: Reading | undefined = after === undefined ? undefined : { run: 'run', runId, how: 'resumed', after };
  const resumed = await Promise.all(
    resuming === undefined ? [] : found.map(({ transport }) => readBy(probe, transport, resuming)),
  );
  const [first] = found;
  const again = first === undefined ? undefined : await readBy(probe, first.transport, { ...whole, how: 'again' });
  const missing = TRANSPORTS.filter((_, index) => started[index] === undefined);
  const broken = await Promise.all(missing.map((transport) => readUnanswered(probe, transport, whole)));
  return [...found, ...resumed, again, ...broken].filter((reading) => reading !== undefined);
}

/** What is known of a transport that stumbles: nothing of what it shows. */
async function readUnanswered(
  probe: Probe,
  transport: Transport,
  whole: Reading,
): Promise<ReadingObservation | undefined> {
  const exchange = await unansweredBy(probe, transport, whole.runId);
  const nothing = { partial: false, cut: true, events: [] } as const;
  return exchange === undefined
    ? undefined
    : recordedReading({ ...whole, transport }, { ...nothing, exchanges: [exchange] });
}

/** An event in the middle of the longest reading, with the id that the stream gave it. */
function middleIn(readings: readonly ReadingObservation[]): Reading['after'] {
  const [longest] = readings.toSorted((a, b) => b.events.length - a.events.length);
  const event = longest?.events[Math.floor(longest.events.length / 2)];
  const sequence = event === undefined ? undefined : sequenceOf(event);
  if (sequence === undefined) return undefined;
  const streamed = readings.flatMap(({ events }) => events).find((each) => each.id && sequenceOf(each) === sequence);
  return { sequence, id: streamed?.id ?? String(sequence) };
}

/** replay.md, Why: run state is a fold over a numbered log, so every reading of the log must be the same log. */
export const readings = defineScenario<LogObservation>({
  id: 'sequence.readings',
  suite: 'observable-sequence',
  title: 'Every reading of a run that has ended shows one numbered log with one end',
  foundation: true,
  drive,
  checks: [
    {
      id: 'sequence.monotonic',
      title: 'Sequence numbers are unique and strictly increasing in every reading',
      judge: judgeMonotonic,
    },
    {
      id: 'sequence.single-terminal-event',
      title: 'Exactly one terminal event, and it is last',
      judge: judgeTerminal,
    },
    {
      id: 'sequence.transports-agree',
      title: 'Every transport, read from the start or resumed, shows the same log',
      judge: judgeAgreement,
    },
  ],
});
