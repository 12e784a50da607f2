import { LATE_MS } from '../../src/host/late.ts';
import { isTerminal, sequenceOf, type Shown } from '../../src/host/log/shown.ts';
import { readFirstAfter, readStream, type WholeLog } from '../../src/host/log/whole.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isEnded } from '../../src/protocol/run-status.ts';
import { answerRun, startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/read-event.ts';
import { isAsking } from '../shared/open-question.ts';
import { ASKING, hasEnded } from '../shared/past-question.ts';
import {
  impatient,
  readBy,
  readByEach,
  type Reading,
  type ReadingObservation,
  recordedReading,
} from '../shared/reading.ts';
import { isObserved, readAgain, type RunObservation } from '../shared/run-observation.ts';
import { awaitStatus } from '../shared/snapshot.ts';
import { foundationBrokenBy } from '../shared/unobserved.ts';

/** The role of the run that is read while it works. */
export const WORKING = 'working run';

/** Ours does more behind its question. */
const [PUBLIC, OURS] = ASKING;

/**
 * A run that asks: polled while it waits, its stream read while it goes on, and all of it once more when it has ended, where it
 * does in time. None where the host runs nothing that asks.
 */
export async function readWorking(probe: Probe): Promise<readonly (RunObservation | ReadingObservation)[]> {
  const { candidate, run } = await startAsking(probe, WORKING, [OURS, PUBLIC]);
  const asking = eventsOf(run).find(isAsking);
  if (!isObserved(run) || hasEnded(run) || asking === undefined) return [];
  const of = { run: WORKING, runId: run.runId } as const;
  const waiting = await readBy(probe, 'poll', { ...of, how: 'waiting' });
  const answer = (): Promise<unknown> => answerRun(probe, run, nodeOf(asking) ?? candidate.nodeId, candidate.goesOn);
  let answered: Promise<unknown> | undefined;
  let resumed: Promise<ReadingObservation | undefined> | undefined;
  const live = await readStream(probe, run.runId, (first) => {
    // Something follows the first event, so that a stream that goes on behind it need wait for nothing.
    resumed = eventsOf(run).length > 1 ? readBehind(probe, of, first) : Promise.resolve(undefined);
    answered = resumed.then(answer);
  });
  await (answered ?? cancelRun(probe, run.runId));
  const behindFirst = await resumed;
  const again = await readStream(probe, run.runId);
  const isCutShort = live !== undefined && live.exchanges.length > 1 && live.cut !== true;
  const further = isCutShort ? await Promise.all(FURTHER.map((role) => readFurther(probe, role))) : [];
  const isOver = again?.events.some(isTerminal) === true || (await endsNow(probe, run));
  const asFarAsItGoes = (read: WholeLog): WholeLog => (isOver ? read : { ...read, cut: true });
  return [
    run,
    waiting,
    live && recordedReading({ ...of, transport: 'sse', how: 'live' }, asFarAsItGoes(live)),
    behindFirst,
    again && recordedReading({ ...of, transport: 'sse', how: 'again' }, asFarAsItGoes(again)),
    ...(isOver ? await readByEach(probe, of) : []),
    ...further.flat(),
  ].filter((each) => each !== undefined);
}

/** The roles of further runs, whose streams are read where that of the first one did not come to its end: once may be the network's doing. */
const FURTHER = ['second working run', 'third working run'] as const;

/** The stream of such a run, opened before its question is answered, and what became of it where it did not come to the end. */
async function readFurther(probe: Probe, role: string): Promise<readonly (RunObservation | ReadingObservation)[]> {
  const { candidate, run } = await startAsking(probe, role, [OURS, PUBLIC]);
  const asking = eventsOf(run).find(isAsking);
  if (!isObserved(run) || hasEnded(run) || asking === undefined) return [];
  const { runId } = run;
  const ends: { readonly at: number; readonly isCut: boolean }[] = [];
  const stream: Probe['host']['stream'] = async (request, reader) => {
    const exchange = await probe.host.stream(request, reader);
    ends.push({ at: Date.now(), isCut: exchange.kind === 'failure' || exchange.cut === true });
    return exchange;
  };
  let over: Promise<number | undefined> | undefined;
  const live = await readStream({ host: { ...probe.host, stream } }, runId, () => {
    const answered = answerRun(probe, run, nodeOf(asking) ?? candidate.nodeId, candidate.goesOn);
    over = answered.then(() => endedAt(probe, runId));
  });
  const [at, [first]] = [await (over ?? cancelRun(probe, runId).then(() => undefined)), ends];
  if (live === undefined) return [run];
  const reading = recordedReading({ run: role, runId, transport: 'sse', how: 'live' }, live);
  if (first === undefined || live.exchanges.length === 1 || live.cut === true) return [run, reading];
  if (!first.isCut) return [run, { ...reading, stopped: 'ended' }];
  const stoodMs = at === undefined ? 0 : first.at - at;
  return [run, stoodMs < Math.max(LATE_MS, probe.timeoutMs / 2) ? reading : { ...reading, stopped: 'still' }];
}

/** When the snapshot of a run said that it has ended; undefined where it did not within a time-out. */
async function endedAt(probe: Probe, runId: string): Promise<number | undefined> {
  const { status } = await awaitStatus(probe, { runId, isEnough: isEnded, patienceMs: probe.timeoutMs });
  return isEnded(status) ? Date.now() : undefined;
}

/** What a stream shows first that goes on behind an event of another one; undefined where that has no id or no number, or nothing comes. */
async function readBehind(
  probe: Probe,
  of: Pick<Reading, 'run' | 'runId'>,
  first: Shown,
): Promise<ReadingObservation | undefined> {
  const sequence = sequenceOf(first);
  if (sequence === undefined || first.id === null) return undefined;
  const after = { sequence, id: first.id };
  const read = await readFirstAfter(impatient(probe), of.runId, after.id);
  return read && recordedReading({ ...of, transport: 'sse', how: 'resumed', after }, read);
}

/** Whether a run comes to its end, by its log or by its snapshot, in the time that runs are waited for: one may take longer. */
async function endsNow(probe: Probe, run: RunObservation): Promise<boolean> {
  const read = await readAgain(probe, run, { role: WORKING });
  return isObserved(read) ? hasEnded(read) : foundationBrokenBy(read) !== undefined;
}
