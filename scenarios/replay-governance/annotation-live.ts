import { member } from '../../src/contract/discovery.ts';
import { feedback } from '../../src/contract/gates.ts';
import { fail, isOutcome, notApplicable, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { post } from '../../src/host/exchanged.ts';
import { readConnection } from '../../src/host/log/connection.ts';
import { isTerminal, typeOf, type Shown } from '../../src/host/log/shown.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { debugPath, eventsPath, interruptPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { hasEnded } from '../shared/past-question.ts';
import { isObserved } from '../shared/run-observation.ts';
import { annotate, annotatedAt, holds, leftUnmade, listWith, shownAnnotation } from './annotating.ts';
import { wrong } from './diagnoses.ts';
import { neededRun } from './needed.ts';

const ROW = 'annotation.live';
const RUN = 'waiting run';
const WHEN = 'the run was annotated while its streams were open';

/** One event stream that was open while its run was annotated. */
interface OpenStreamObservation extends Observation {
  readonly type: 'open-stream';
  readonly mode: 'default' | 'debug';
  /** Whether it was an event stream at all. */
  readonly isStream: boolean;
  /** How many messages it had brought before the run was annotated. */
  readonly before: number;
  /** Whether it was over before the run was let go on. */
  readonly isOver: boolean;
  /** The first messages after the annotation. */
  readonly after: readonly Shown[];
}

/** Messages after an annotation that are kept. */
const KEPT = 20;
/** Parts of a time-out: for a stream to begin, and for word of an annotation to go through the host. */
const [BEGINS, REPORTED] = [0.5, 0.3];

/** A stream that is read while other requests are made. */
interface Reading {
  readonly messages: Shown[];
  isOver: boolean;
  readonly end: ReturnType<typeof readConnection>;
}

/** One of the streams, and how many messages it had brought before the run was annotated. */
interface Stream {
  readonly mode: OpenStreamObservation['mode'];
  before: number;
  readonly reading: Reading;
}

function openStream(probe: Probe, path: string, isEnough: (message: Shown) => boolean): Reading {
  const messages: Shown[] = [];
  const end = readConnection(probe.host, path, {
    take: (message) => {
      messages.push(message);
      return isTerminal(message) || isEnough(message) || messages.length > 1000 ? 'done' : 'more';
    },
  });
  const reading = { messages, isOver: false, end };
  void end.finally(() => (reading.isOver = true));
  return reading;
}

/** Follows a run that waits, annotates it, and lets it go on once its streams told of that or had the time to. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { candidate: asking, run } = await startAsking(probe, RUN);
  if (!isObserved(run) || hasEnded(run)) return [run];
  const made: { token?: string } = {};
  // What comes before that may tell of an earlier annotation.
  const tells = (message: Shown): boolean =>
    made.token !== undefined &&
    isOf(message, run.runId) &&
    (typeOf(message) === ANNOTATED || isAbout(message, made.token));
  const streams = (
    [
      ['default', eventsPath(run.runId)],
      ['debug', debugPath(run.runId)],
    ] as const
  ).map(([mode, path]): Stream => ({ mode, before: 0, reading: openStream(probe, path, tells) }));
  const until = (isEnough: (stream: Stream) => boolean, part: number): Promise<boolean> =>
    repeatPaced(
      async () => streams.every((stream) => stream.reading.isOver || isEnough(stream)),
      (all) => all,
      { patienceMs: probe.timeoutMs * part, signal: probe.signal },
    );
  await until(({ reading }) => reading.messages.length > 0, BEGINS);
  for (const each of streams) each.before = each.reading.messages.length;
  const annotated = await annotate(probe, run, WHEN);
  made.token = annotated.token;
  await until(({ before, reading }) => reading.messages.slice(before).some(tells), REPORTED);
  const reported = streams.map((each) => ({ ...each, isOver: each.reading.isOver }));
  await post(probe.host, interruptPath(run.runId, asking.nodeId), { resumeValue: asking.goesOn });
  const observations: OpenStreamObservation[] = [];
  for (const { mode, before, isOver, reading } of reported) {
    const { isStream, exchange } = await reading.end;
    const after = reading.messages.slice(before, before + KEPT);
    observations.push({ type: 'open-stream', mode, isStream, before, isOver, after, exchanges: [exchange.id] });
  }
  return [run, annotated, await listWith(probe, run, WHEN, [annotated]), ...observations];
}

const ANNOTATED = 'run.annotated';

/** Whether a message names no other run. */
function isOf(message: Shown, runId: string | null): boolean {
  return runsNamed(message).every((each) => each === runId);
}

/** The runs that a message names: the event's, and the annotation's target (wire-contract, Endpoints), as far as they are given. */
function runsNamed({ data }: Shown): readonly string[] {
  const payload = member(data, 'payload');
  const holders = [data, payload, member(payload, 'annotation')].flatMap((each) => [each, member(each, 'target')]);
  return holders.map((each) => member(each, 'runId')).filter((each) => typeof each === 'string');
}

function isAbout(message: Shown, token: string | undefined): boolean {
  return token !== undefined && (JSON.stringify(message.data) ?? '').includes(token);
}

/** Judges that at least one of the streams that were open told of the annotation; which modes show it is left open. */
function judgeLive(recorded: Recordings): Outcome {
  const run = neededRun(recorded, RUN);
  if (isOutcome(run)) return run;
  const made = annotatedAt(recorded, WHEN);
  if (made === undefined) return undecided(`${named(run)} did not wait for anybody: let it ask`, [run]);
  if (made.problem !== null) return leftUnmade(made);
  const opened = ofType<OpenStreamObservation>(recorded, 'open-stream');
  const streams = opened.filter(({ isStream }) => isStream);
  if (opened.length === 0) return undecided(`no stream of ${named(run)} was opened`, [run]);
  if (streams.length === 0) {
    return notApplicable(`the host has no event stream: ${named(run)} was read otherwise`, [run]);
  }
  const telling = streams.find(({ after }) =>
    after.some((message) => isOf(message, run.runId) && (typeOf(message) === ANNOTATED || holds(message.data, made))),
  );
  if (telling !== undefined) return pass([telling, made, run]);
  const control = shownAnnotation(recorded, { of: RUN, when: WHEN });
  if (isOutcome(control)) return control;
  const open = streams.filter(({ before, isOver }) => before > 0 && !isOver);
  if (open.length === 0) {
    const reason = `no event stream of ${named(run)} showed an event and stayed open until it was annotated`;
    return undecided(`${reason}: keep streams open to the end of their run`, streams);
  }
  return fail(
    {
      expected: `${ANNOTATED} on an open event stream of ${named(run)}, once the annotation was made`,
      actual: `${open.map(({ mode, after }) => `${mode} mode: ${typesIn(after)}`).join('; ')} after it`,
      diagnosis: wrong('annotation-not-told'),
      // The stream of a run that has ended by now tells of nothing.
      steps: [],
    },
    [...open, made, run],
  );
}

function typesIn(messages: readonly Shown[]): string {
  return messages.length === 0 ? 'nothing' : messages.map(typeAndRuns).join(', ');
}

function typeAndRuns(message: Shown): string {
  const type = typeOf(message) ?? 'an event without a type';
  return type === ANNOTATED ? `${type} of ${runsNamed(message).map(shown).join(', ')}` : type;
}

/** replay.md, Annotations and fork: run.annotated is a live notification. */
export const annotationLive = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'Who follows a run hears that it was annotated',
  gate: feedback,
  patience: () => 60,
  drive,
  checks: [{ id: ROW, title: 'run.annotated goes out on an open event stream of its run', judge: judgeLive }],
});
