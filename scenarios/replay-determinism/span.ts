import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { type RevisionObservation, withCodeChanges } from '../shared/code-change.ts';
import { compareLogs, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { leftWithout, runOf, runsOf, leftUndriven } from '../shared/need.ts';
import { replayOf, replays } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { makeTrace, spanOf, type SpanObservation } from '../shared/run-span.ts';
import { whyOf } from './judge-quiet.ts';
import { driveUnsteady, HOW_TO_DIVERGE, STAGED_NODES } from '../shared/unsteady-source.ts';
import { DIVERGED } from './debug-reading.ts';
import { ofType } from '../shared/of-type.ts';
import { wrong } from './diagnoses.ts';

const CONSTANT = 'conformance-determinism-constant';
const MULTI_NODE = 'conformance-multi-node';
const ATTRIBUTE = 'openwop.replay.diverged';

const marked = 'replay.divergence-span';
const [DIVERGING, UNCHANGED] = ['diverging replay', 'unchanged replay'] as const;
/** One that begins behind the first event, before what differs, and one of the replay that was made before the code was changed. */
const [LATER, AGAIN] = ['diverging replay from a later event', 'diverging replay of a replay'] as const;

type MarkObservation = RunObservation | RevisionObservation | SpanObservation;

async function drive(probe: Probe): Promise<readonly MarkObservation[]> {
  const constant = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'source' });
  const isSeeded = constant.problem === null;
  const steady = isSeeded
    ? constant
    : await startRun(probe, { workflowId: MULTI_NODE, inputs: {} }, { role: 'source' });
  const matching = steady.problem === null ? await replayAndSpan(probe, steady, UNCHANGED) : [];
  const observations = [steady, ...matching, ...(isSeeded ? await driveChange(probe, matching[0]) : [])];
  const isMade = observations.some((each) => each.type === 'run' && each.role === DIVERGING);
  return isMade ? observations : [...observations, ...(await driveUnchanged(probe))];
}

/** With a source of its own: hosts that name no run but the source in a span can then be understood too. */
async function driveChange(probe: Probe, replay: MarkObservation | undefined): Promise<readonly MarkObservation[]> {
  const source = await startRun(probe, { workflowId: CONSTANT, inputs: {} }, { role: 'other source' });
  const use = async (isChanged: boolean): Promise<readonly MarkObservation[]> => {
    if (!isChanged) return [];
    const both = await replayBoth(probe, source);
    return replay?.type === 'run' ? [...both, ...(await replayAndSpan(probe, replay, AGAIN))] : both;
  };
  return [source, ...(await withCodeChanges<MarkObservation>(probe, CONSTANT, [{ revision: '2.0.0', use }]))];
}

async function driveUnchanged(probe: Probe): Promise<readonly MarkObservation[]> {
  const runs = await driveUnsteady(probe);
  const source = runs.at(-1);
  return source === undefined ? runs : [...runs, ...(await replayBoth(probe, source))];
}

async function replayBoth(probe: Probe, source: RunObservation): Promise<readonly MarkObservation[]> {
  const whole = await replayAndSpan(probe, source, DIVERGING);
  const second = eventsOf(source)[1]?.sequence;
  return second === undefined ? whole : [...whole, ...(await replayAndSpan(probe, source, LATER, second))];
}

/** Replays a run within a trace of its own, and waits for the replay's span. */
async function replayAndSpan(
  probe: Probe,
  source: RunObservation,
  role: string,
  fromSeq?: number,
): Promise<readonly MarkObservation[]> {
  const trace = makeTrace();
  const replay = await replayOf(probe, source, fromSeq, { role, headers: trace.headers });
  return replay.problem === null ? [replay, await spanOf(probe, trace, replay)] : [replay];
}

type Recording = readonly Recorded<MarkObservation>[];

/** Judges the span of the replay that diverges, or of the one that matches: whether it carries the attribute as it has to. */
function judgeSpan(
  recorded: Recording,
  role: typeof DIVERGING | typeof LATER | typeof AGAIN | typeof UNCHANGED,
  volatile: readonly string[],
): Outcome {
  const isDiverging = role !== UNCHANGED;
  const replay = runOf(recorded, role);
  if (replay === undefined) {
    const how = isDiverging ? `diverges: ${HOW_TO_DIVERGE}` : `matches: seed ${MULTI_NODE}`;
    return undecided(`no replay could be made that ${how}`, []);
  }
  const source = runsOf(recorded).find(({ runId }) => runId !== null && runId === replay.fork?.sourceRunId);
  if (source === undefined) return leftUndriven(`source of the ${replay.role}`, [replay]);
  const left = leftWithout([source, replay]);
  if (left !== undefined) return left;
  const compared = compareLogs(source, replay, volatile);
  if (compared.kind !== (isDiverging ? 'different' : 'same')) {
    const how = isDiverging ? 'does not differ where it should' : 'differs where it should not';
    return undecided(`${named(replay)} of ${named(source)} ${how}`, [replay, source]);
  }
  if (!isDiverging && eventsOf(replay).some(({ type }) => type === DIVERGED)) {
    return undecided(`${named(replay)} reports a divergence that there is not`, [replay, source]);
  }
  const span = ofType<SpanObservation>(recorded, 'span').find((each) => each.role === role);
  if (span === undefined || span.attributes === null) {
    return undecided(span?.problem ?? 'no span was waited for', [replay]);
  }
  const value = Object.hasOwn(span.attributes, ATTRIBUTE) ? span.attributes[ATTRIBUTE] : undefined;
  if ((value === true) === isDiverging) return pass([span, replay, source]);
  const expected = isDiverging
    ? `${ATTRIBUTE}: true on the span of ${named(replay)}, which differs from ${named(source)}`
    : `no ${ATTRIBUTE}: true on the span of ${named(replay)}, which matches ${named(source)}`;
  return fail({ diagnosis: wrong('span-mismarked'), expected, actual: shown(value) }, [span, replay]);
}

/** The same of all replays that diverge: those that may not differ only add what is wrong with their spans. */
function judgeMarked(recorded: Recording, volatile: readonly string[]): Outcome {
  const whole = judgeSpan(recorded, DIVERGING, volatile);
  if (whole.kind !== 'pass') return whole;
  const others = [LATER, AGAIN].map((role) => judgeSpan(recorded, role, volatile));
  return others.find(({ kind }) => kind === 'fail') ?? whole;
}

/** A span that never carries the attribute matches every replay: only beside one that carries it that says something. */
function judgeUnmarked(recorded: Recording, volatile: readonly string[]): Outcome {
  const [outcome, control] = [judgeSpan(recorded, UNCHANGED, volatile), judgeSpan(recorded, DIVERGING, volatile)];
  if (outcome.kind !== 'pass' || control.kind === 'pass') return outcome;
  return undecided(`this host was not seen to mark a replay that diverges: ${whyOf(control)}`, []);
}

/** replay.md, Failure surfaces 3: the span attribute. */
export const span = defineScenario<MarkObservation>({
  id: marked,
  suite: 'replay-determinism',
  title: 'The spans of replays that diverge and that match',
  needs: [replays, { kind: 'spans' }],
  exclusive: [`workflow:${CONSTANT}`, ...STAGED_NODES],
  drive,
  checks: [
    {
      id: marked,
      title: `The span of a replay that diverges carries ${ATTRIBUTE}: true`,
      judge: (recorded, { options }) => judgeMarked(recorded, options.volatile),
    },
    {
      id: 'replay.no-false-divergence.span',
      title: `The span of a replay that matches does not carry ${ATTRIBUTE}: true`,
      judge: (recorded, { options }) => judgeUnmarked(recorded, options.volatile),
    },
  ],
});
