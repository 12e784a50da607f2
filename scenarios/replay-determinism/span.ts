import { randomBytes } from 'node:crypto';
import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Span } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type RevisionObservation, withCodeChanges } from '../shared/code-change.ts';
import { compareLogs, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { driveUnsteady, HOW_TO_DIVERGE, STAGED_NODES } from '../shared/unsteady-source.ts';
import { DIVERGED } from './debug-reading.ts';

const CONSTANT = 'conformance-determinism-constant';
const MULTI_NODE = 'conformance-multi-node';
const ATTRIBUTE = 'openwop.replay.diverged';

const marked = 'replay.divergence-span';
const unmarked = 'replay.no-false-divergence.span';

/** The span of a replay, where it came in time. */
interface SpanObservation extends Observation {
  readonly type: 'span';
  /** The role of the run. */
  readonly role: string;
  readonly attributes: { readonly [name: string]: Json } | null;
  /** Why none could be read. */
  readonly problem: string | null;
}

type Seen = RunObservation | RevisionObservation | SpanObservation;

async function drive(probe: Probe): Promise<readonly Seen[]> {
  const constant = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source' });
  const isSeeded = constant.problem === null;
  const steady = isSeeded
    ? constant
    : await startRun(probe, { workflowId: MULTI_NODE, inputs: {} }, { role: 'source' });
  const matching = steady.problem === null ? await replayAndSpan(probe, steady, 'unchanged replay') : [];
  const seen = [steady, ...matching, ...(isSeeded ? await driveChange(probe) : [])];
  const isMade = seen.some((each) => each.type === 'run' && each.role === 'diverging replay');
  return isMade ? seen : [...seen, ...(await driveUnchanged(probe))];
}

/** With a source of its own: hosts that name no run but the source in a span can then be understood too. */
async function driveChange(probe: Probe): Promise<readonly Seen[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'other source' });
  const use = async (isChanged: boolean): Promise<readonly Seen[]> =>
    isChanged ? replayAndSpan(probe, source, 'diverging replay') : [];
  return [source, ...(await withCodeChanges<Seen>(probe, CONSTANT, [{ revision: '2.0.0', use }]))];
}

async function driveUnchanged(probe: Probe): Promise<readonly Seen[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  return source === undefined ? runs : [...runs, ...(await replayAndSpan(probe, source, 'diverging replay'))];
}

/** Replays a run within a trace of its own, and waits for the replay's span. */
async function replayAndSpan(probe: Probe, source: RunObservation, role: string): Promise<readonly Seen[]> {
  const traceId = randomBytes(16).toString('hex');
  const headers = { traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-01` };
  const replay = await replayOf(probe, source, undefined, { role, headers });
  if (replay.problem !== null) return [replay];
  const wait = { timeoutMs: probe.timeoutMs, signal: probe.signal };
  const span = await probe.witness?.span((each) => isOf(each, { traceId, replay, source }), wait);
  const { exchanges } = replay;
  const problem = probe.witness?.spanProblem() ?? `no span openwop.run of this replay came within ${wait.timeoutMs} ms`;
  const found = span === undefined ? { attributes: null, problem } : { attributes: span.attributes, problem: null };
  return [replay, { type: 'span', role, ...found, exchanges }];
}

interface Traced {
  readonly traceId: string;
  readonly replay: RunObservation;
  readonly source: RunObservation;
}

/** A run's span is called openwop.run; that of a replay names its run, or its source, or is in the trace it was made in. */
function isOf({ name, traceId, attributes }: Span, traced: Traced): boolean {
  if (name !== 'openwop.run') return false;
  const runId = attributes['openwop.run_id'];
  if (traceId === traced.traceId || runId === traced.replay.runId) return true;
  return runId === undefined && attributes['openwop.replay.source_run_id'] === traced.source.runId;
}

interface Marking {
  readonly check: string;
  readonly role: string;
  readonly isMarked: boolean;
}

const MARKED: Marking = { check: marked, role: 'diverging replay', isMarked: true };
const UNMARKED: Marking = { check: unmarked, role: 'unchanged replay', isMarked: false };

type Observed = readonly Recorded<Seen>[];

function judgeMarking(seen: Observed, { check, role, isMarked }: Marking, volatile: readonly string[]): Judgement {
  const [source, replay] = [sourceOf(seen, role), runOf(seen, role)];
  if (replay === undefined) {
    const how = isMarked ? `diverges: ${HOW_TO_DIVERGE}` : `matches: seed ${MULTI_NODE}`;
    return undecided(check, `no replay could be made that ${how}`, []);
  }
  const missing = unseen(check, [source, replay]);
  if (missing !== undefined || source === undefined) return missing ?? undecided(check, 'no source was run', []);
  const compared = compareLogs(source, replay, volatile);
  if (compared.kind !== (isMarked ? 'different' : 'same')) {
    const how = isMarked ? 'does not differ where it should' : 'differs where it should not';
    return undecided(check, `${named(replay)} of ${named(source)} ${how}`, [replay, source]);
  }
  if (!isMarked && eventsOf(replay).some(({ type }) => type === DIVERGED)) {
    return undecided(check, `${named(replay)} reports a divergence that there is not`, [replay, source]);
  }
  const span = seen.find(
    (each): each is Recorded<SpanObservation> => each.type === 'span' && (each as SpanObservation).role === role,
  );
  if (span === undefined || span.attributes === null) {
    return undecided(check, span?.problem ?? 'no span was waited for', [replay]);
  }
  const value = Object.hasOwn(span.attributes, ATTRIBUTE) ? span.attributes[ATTRIBUTE] : undefined;
  if ((value === true) === isMarked) return passing(check, [span, replay, source]);
  const expected = `${ATTRIBUTE}: true ${isMarked ? '' : 'on replays that diverge only, not '}on the span of ${named(replay)}`;
  return failing(check, { expected, actual: shown(value) }, [span, replay]);
}

/** The run that the replay with a role was made of. */
function sourceOf(seen: Observed, role: string): SeenRun | undefined {
  const sourceRunId = runOf(seen, role)?.fork?.sourceRunId;
  return runsOf(seen).find(({ fork, runId }) => fork === null && runId === sourceRunId);
}

/** A span that never carries the attribute matches every replay: only beside one that carries it that says something. */
function judgeUnmarked(seen: Observed, volatile: readonly string[]): Judgement {
  const judgement = judgeMarking(seen, UNMARKED, volatile);
  const twin = judgeMarking(seen, MARKED, volatile);
  if (judgement.verdict !== 'pass' || twin.verdict === 'pass') return judgement;
  return undecided(
    unmarked,
    `this host was not seen to mark a replay that diverges: ${twin.reason ?? twin.actual ?? ''}`,
    [],
  );
}

/** replay.md, Failure surfaces 3: the span attribute. */
export const span = defineJudgedScenario<Seen>({
  id: marked,
  suite: 'replay-determinism',
  title: 'The spans of replays that diverge and that match',
  checks: [
    { id: marked, requirement: marked, title: `The span of a replay that diverges carries ${ATTRIBUTE}: true` },
    {
      id: unmarked,
      requirement: 'replay.no-false-divergence',
      title: `The span of a replay that matches does not carry ${ATTRIBUTE}: true`,
    },
  ],
  gate: always,
  needs: [replays, { kind: 'spans' }],
  exclusive: [`workflow:${CONSTANT}`, ...STAGED_NODES],
  drive,
  judge: (observations, { volatile }) => [
    judgeMarking(observations, MARKED, volatile),
    judgeUnmarked(observations, volatile),
  ],
});
