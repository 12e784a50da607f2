import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { runOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { forkPoints, replays } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork } from '../shared/run-observation.ts';
import { makeTrace, spanOf, type SpanObservation } from '../shared/run-span.ts';
import { allPass } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { neededRun } from './needed.ts';

const ROW = 'telemetry.replay-span';
const [REPLAY, WHOLE, BRANCH, AGAIN] = ['replay', 'whole replay', 'branch', 'replay of the replay'] as const;
const ROLES = [REPLAY, WHOLE, BRANCH, AGAIN] as const;
const SOURCE = 'source';

/**
 * Runs a workflow and forks it from a later event in each mode, replays it from its beginning, and the replay again, each run within
 * a trace of its own.
 */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const trace = makeTrace();
  const { run: source } = await startFirst(probe, PUBLIC_FIXTURES, SOURCE, trace.headers);
  if (!isObserved(source)) return [source];
  const original = await spanOf(probe, trace, source);
  const observations: Observation[] = [source, original];
  const fromSeq = forkPoints(source, [], 1)[0] ?? eventsOf(source).at(-1)?.sequence ?? 0;
  let replay: RunObservation | undefined;
  for (const role of ROLES) {
    const mode = role === BRANCH ? BRANCH : REPLAY;
    const forked = role === AGAIN ? replay : source;
    if (forked === undefined || (mode === BRANCH && !offersMode(probe.discovery, BRANCH))) continue;
    const own = makeTrace();
    const body = role === WHOLE ? { mode } : { mode, fromSeq };
    const fork = await startFork(probe, forked, body, { role, headers: own.headers });
    // That a fork is forked, and a run replayed from its beginning, other rows say.
    if ((role === AGAIN || role === WHOLE) && !isObserved(fork)) continue;
    observations.push(fork);
    if (!isObserved(fork)) continue;
    const span = await spanOf(probe, own, fork);
    observations.push(span);
    // Of a host that sends no spans two are waited for, and no third.
    if (original.attributes === null && span.attributes === null) break;
    if (role === REPLAY && span.attributes !== null) replay = fork;
  }
  return observations;
}

type RecordedSpan = Recorded<SpanObservation> & { readonly attributes: { readonly [name: string]: Json } };

/** The span of the run of a role, or the outcome that is left without it. */
function spanFor(recorded: Recordings, run: RecordedRun): RecordedSpan | Outcome {
  const span = ofType<SpanObservation>(recorded, 'span').find(({ role }) => role === run.role);
  if (span === undefined) return undecided(`no span of ${named(run)} was waited for`, [run]);
  const { attributes } = span;
  if (attributes !== null) return { ...span, attributes };
  const reason = `${span.problem ?? ''}: export it with openwop.run_id, or within the trace of the request's traceparent`;
  return undecided(reason, [span, run]);
}

/** Judges the spans of all forks that were made. */
function judgeForks(recorded: Recordings, judge: (fork: RecordedRun, span: RecordedSpan) => Outcome): Outcome {
  const roles = ROLES.filter((role) => role === REPLAY || runOf(recorded, role) !== undefined);
  return allPass(
    roles.map((role) => {
      const fork = neededRun(recorded, role);
      if (isOutcome(fork)) return fork;
      const span = spanFor(recorded, fork);
      return isOutcome(span) ? span : judge(fork, span);
    }),
  );
}

type Facts = NonNullable<RecordedRun['fork']>;

/** Judges one attribute of the spans of forks; 64-bit numbers may come as text. */
function judgeAttribute(
  recorded: Recordings,
  name: string,
  expectedOf: (fork: Facts, answer: Json) => readonly (string | number | null)[],
): Outcome {
  return judgeForks(recorded, (fork, span) => {
    const wanted = fork.fork === null ? [] : expectedOf(fork.fork, fork.answer);
    const value = Object.hasOwn(span.attributes, name) ? span.attributes[name] : undefined;
    const isText = typeof value === 'string' || typeof value === 'number';
    if (isText && wanted.some((each) => String(value) === String(each))) return pass([span, fork]);
    return fail(
      {
        expected: `${name}: ${shown(wanted[0])} on the span openwop.run of ${named(fork)}`,
        actual: shown(value),
        diagnosis: wrong('span-says-otherwise'),
      },
      [span, fork],
    );
  });
}

/** Where a fork begins: a whole replay at 0, or at the first event, if that is what it was answered with. */
function startsOf({ fromSeq }: Facts, answer: Json): readonly (number | null)[] {
  const start = member(answer, 'fromSeq');
  if ((fromSeq ?? 0) !== 0) return [fromSeq];
  return typeof start === 'number' ? [0, start] : [0];
}

/** Judges that the spans of forks are linked to the span of their source. */
function judgeLink(recorded: Recordings): Outcome {
  return judgeForks(recorded, (fork, span) => {
    const source = neededRun(recorded, fork.role === AGAIN ? REPLAY : SOURCE);
    if (isOutcome(source)) return source;
    const original = spanFor(recorded, source);
    if (isOutcome(original)) return original;
    const { context } = original;
    if (context === undefined || context === null)
      return undecided(`the span of ${named(source)} was recorded without its ids`, [original]);
    const { links = [], parentSpanId } = span;
    const isLinked = links.some((link) => link.traceId === context.traceId && link.spanId === context.spanId);
    const isChild = parentSpanId === context.spanId;
    if (isLinked && !isChild) return pass([span, fork, original]);
    const found = links.length === 0 ? 'no links' : shown(links.slice(0, 3));
    return fail(
      {
        expected: `a link, and no parent, from the span of ${named(fork)} to that of its source, ${named(source)}: trace ${context.traceId}, span ${context.spanId}`,
        actual: isChild ? `parentSpanId ${shown(parentSpanId)}; ${found}` : found,
        diagnosis: wrong('span-not-linked'),
      },
      [span, fork, original],
    );
  });
}

/** replay.md, References: what observability says of forks. */
export const replaySpan = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'The span of a fork says what it is a fork of',
  needs: [replays, { kind: 'spans' }],
  patience: () => 60,
  drive,
  checks: [
    {
      id: `${ROW}.source`,
      title: 'The span of a fork carries openwop.replay.source_run_id, its source',
      judge: (recorded) => judgeAttribute(recorded, 'openwop.replay.source_run_id', ({ sourceRunId }) => [sourceRunId]),
    },
    {
      id: `${ROW}.from-seq`,
      title: 'The span of a fork carries openwop.replay.from_seq, where it began',
      judge: (recorded) => judgeAttribute(recorded, 'openwop.replay.from_seq', startsOf),
    },
    {
      id: `${ROW}.mode`,
      title: 'The span of a fork carries openwop.replay.mode, its mode',
      judge: (recorded) => judgeAttribute(recorded, 'openwop.replay.mode', ({ mode }) => [mode]),
    },
    {
      id: `${ROW}.link`,
      title: "The span of a fork is linked to its source's span",
      judge: judgeLink,
    },
  ],
});
