import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { writtenValue } from '../../src/event-log/index.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, named, rawOf, shown } from '../shared/compare-runs.ts';
import { type Compared, outcomeOf, ownedBy } from '../shared/compared.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { declaring } from '../shared/volatile.ts';
import { leftWithout, need, runOf, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType } from '../shared/of-type.ts';
import { type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { stage } from '../shared/seams.ts';
import { allPass, failureOf, settle } from '../shared/settle.ts';
import { readSnapshotAgainstLog } from '../shared/snapshot-fault.ts';
import { failureAsOfOneCall } from './as-one-call.ts';
import { wrong } from './diagnoses.ts';
import { PHASE_4_REPLAY, TO_REFUSAL } from './directions.ts';
import { NAMES_NONE, wrongPayload } from './judge-payload.ts';
import { RAISED, rowOf, saysRefused, statusOf } from './met.ts';
import { always, plantedSecret, programEntry, refusalAnswer, validAnswer } from './model.ts';
import { isWithin, namesCall, placeIn, spanOf, startOf, textMember } from './node-in-log.ts';
import { situationOf } from './observation.ts';

const id = 'refusal.mid-graph';
const workflowId = 'conformance-determinism-llm-chain';
const [FIRST, DIVERGING, LAST] = ['first-call', 'second-call', 'third-call'] as const;
const CALLS = [FIRST, DIVERGING, LAST] as const;
type Call = (typeof CALLS)[number];
/** The variable that each call writes. */
const OUTPUTS: Readonly<Record<Call, string>> = { [FIRST]: 'first', [DIVERGING]: 'second', [LAST]: 'third' };
const REPLAYS = ['replay', "replay from the second call's start"] as const;
/** A replay with nothing changed, the replay of that one in which the first call is refused, and a replay in which the last one is. */
const [UNCHANGED, OF_REPLAY, AT_LAST] = [
  'unchanged replay',
  'replay of the replay',
  'replay to the third call',
] as const;

/** Why the models of the chain could not be staged; null where they were. */
interface StagingObservation extends Observation {
  readonly type: 'staging';
  readonly problem: string | null;
}

type ChainObservation = StagingObservation | RunObservation;

/** Every call has one answer left that its source did not get, so that a call too many shows. */
const PROGRAMS = [FIRST, DIVERGING, LAST].map((nodeId) => ({
  nodeId,
  program: [validAnswer(true), ...always(validAnswer(false))].map(programEntry),
}));

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly ChainObservation[]> {
  const exchanges: string[] = [];
  const staging = (problem: string | null): StagingObservation => ({ type: 'staging', problem, exchanges });
  const staged = await Promise.all(PROGRAMS.map(({ nodeId, program }) => stage(probe.host, nodeId, program)));
  exchanges.push(...staged.map(({ exchange }) => exchange));
  const problem = staged.map((answer) => answer.problem).find((each) => each !== null);
  if (problem !== undefined) return [staging(problem)];
  const source = await startRun(probe, { workflowId, inputs: {} }, { role: 'source' });
  const unchanged = await startFork(probe, source, { mode: 'replay' }, { role: UNCHANGED });
  const changed = await stage(probe.host, DIVERGING, always(refusalAnswer(options)).map(programEntry));
  exchanges.push(changed.exchange);
  if (changed.problem !== null) return [staging(changed.problem), source];
  const fromSeq = startOf(source, DIVERGING);
  const from: readonly object[] = fromSeq === undefined ? [{}] : [{}, { fromSeq }];
  const replays: RunObservation[] = [];
  for (const [at, start] of from.entries()) {
    replays.push(await startFork(probe, source, { mode: 'replay', ...start }, { role: REPLAYS[at] ?? '' }));
  }
  // A refusal that stays staged would meet later runs of other scenarios.
  const restage = async (nodeId: Call): Promise<void> => {
    exchanges.push((await stage(probe.host, nodeId, [programEntry(validAnswer(true))])).exchange);
  };
  await restage(DIVERGING);
  const others: RunObservation[] = [unchanged];
  for (const [nodeId, run, role] of [
    [LAST, source, AT_LAST],
    [FIRST, unchanged, OF_REPLAY],
  ] as const) {
    const refusing = await stage(probe.host, nodeId, always(refusalAnswer(options)).map(programEntry));
    exchanges.push(refusing.exchange);
    if (refusing.problem === null) others.push(await startFork(probe, run, { mode: 'replay' }, { role }));
    await restage(nodeId);
  }
  return [staging(null), source, ...replays, ...others];
}

/** The source and its replays, or the outcome that is left. */
function see(recorded: readonly Recorded<ChainObservation>[]) {
  const [staging] = ofType<StagingObservation>(recorded, 'staging');
  if (staging !== undefined && staging.problem !== null) return undecided(staging.problem, recorded);
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  if (statusOf(runs.source) !== 'completed') {
    return undecided('the source did not complete with the valid answers of its models', recorded);
  }
  return { ...runs, recorded, replays: REPLAYS.flatMap((role) => runOf(recorded, role) ?? []) };
}

function judgeReplay(diverged: Diverged, { seed, volatile }: ScenarioOptions): Outcome {
  const met = judgeMet(diverged);
  if (met.kind !== 'pass') return met;
  const { source, replay } = diverged;
  const compared = compareHistories({ source, nodeId: DIVERGING, volatile }, replay);
  const history = outcomeOf(compared, [replay, source]);
  const outcome = history.kind === 'fail' && wasRequestedAgain(source, replay) ? rests(CACHED, history) : history;
  return declaring(failureOf([outcome]) ?? failureOfCall(diverged, seed) ?? outcome, volatile);
}

/** A replay in which a call of the chain is refused, and its source. */
interface Diverged {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
  readonly nodeId: Call;
}

/** What the replay does otherwise than it has to, as a run of one call would be asked. */
function failureOfCall({ source, replay, nodeId }: Diverged, seed: number): Outcome | undefined {
  const events = eventsOf(replay);
  const raised = events.filter(({ type }) => type === RAISED);
  if (raised.length === 0 || leftWithout([replay]) !== undefined) return undefined;
  const evidence = [replay.id, source.id];
  const situation = situationOf({ workflowId, nodeId, outputVariable: OUTPUTS[nodeId] }, replay);
  const met = { situation, direction: TO_REFUSAL, source, replay, events, raised, evidence };
  return failureAsOfOneCall(met, plantedSecret({ seed }));
}

/** Judges that of the calls the one that is refused is named, and no other one. */
function judgeMet({ source, replay, nodeId }: Diverged): Outcome {
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const evidence = [replay, source];
  const events = eventsOf(replay);
  const raised = events.filter(({ type }) => type === RAISED);
  if (raised.length === 0) return unraised(replay, nodeId, evidence);
  const elsewhere = raised.flatMap((event) => {
    const names = otherCallIn(event, { source, replay, nodeId });
    return names === undefined ? [] : [`${names} at sequence ${event.sequence} of ${named(replay)}`];
  });
  const [other] = elsewhere;
  if (other !== undefined) {
    const expected = `${RAISED} for ${nodeId} alone: the other calls have their recorded answers`;
    // Where it names another node after a run of one call as well, that row says so.
    return fail({ diagnosis: wrong('wrong-place'), expected, actual: `one with ${other}`, restsOn: LOCATES }, evidence);
  }
  const unnamed = raised.find((event) => !namesCall(event));
  if (unnamed === undefined) return pass(evidence);
  // That it has to name its call, the row about its members says.
  const reason = `${RAISED} at sequence ${unnamed.sequence} of ${named(replay)} ${NAMES_NONE}`;
  return rests(rowOf('payload', TO_REFUSAL), undecided(reason, evidence));
}

/** A replay without the event: one whose call shows a refusal took it in silence, another one may have had its recorded answer. */
function unraised(replay: RecordedRun, nodeId: Call, evidence: readonly RecordedRun[]): Outcome {
  if (!saysRefused(replay, nodeId)) return undecided(`${named(replay)} has no ${RAISED} to look at`, evidence);
  const expected = `${RAISED} for ${nodeId}, which had a valid envelope in the source and is refused in the replay`;
  const actual = `a refusal of ${nodeId} and no ${RAISED} in ${named(replay)}`;
  // Where a run of one call lacks it as well, or has another event in its place, that row says so, or what it rests on.
  return fail({ expected, actual, diagnosis: wrong('plain-failure'), restsOn: RAISES }, evidence);
}

/** 0041 §B, payload: what the event says of the two runs, in a longer graph, too. */
function judgeMembers(source: RecordedRun, replay: RecordedRun): Outcome {
  const left = leftWithout([replay]);
  if (left !== undefined) return left;
  const raised = eventsOf(replay).filter(({ type }) => type === RAISED);
  const [mismatch] = raised.flatMap((event) => wrongPayload(event, { source, replay, direction: TO_REFUSAL }) ?? []);
  const evidence = [replay, source];
  if (mismatch !== undefined) return fail({ ...mismatch, restsOn: rowOf('payload', TO_REFUSAL) }, evidence);
  return raised.length === 0 ? undecided(`${named(replay)} has no ${RAISED} to look at`, evidence) : pass(evidence);
}

/** The same of a replay of a replay, whose source is that replay. */
function judgeGeneration(recorded: readonly Recorded<ChainObservation>[]): readonly Outcome[] {
  const [source, replay] = [runOf(recorded, UNCHANGED), runOf(recorded, OF_REPLAY)];
  return source?.problem !== null || replay === undefined ? [] : [judgeMembers(source, replay)];
}

/** The same of the last call, where its event was seen. */
function judgeLast(source: RecordedRun, recorded: readonly Recorded<ChainObservation>[]): readonly Outcome[] {
  const replay = runOf(recorded, AT_LAST);
  const isSeen = replay?.problem === null && eventsOf(replay).some(({ type }) => type === RAISED);
  return isSeen ? [judgeMembers(source, replay)] : [];
}

/** Judges the other calls of the chain, the first one in a replay of a replay. */
function judgeOthers(recorded: readonly Recorded<ChainObservation>[], seed: number): Outcome {
  const runs = need(recorded, 'source', UNCHANGED, OF_REPLAY, AT_LAST);
  if (isOutcome(runs)) return runs;
  const replays: readonly Diverged[] = [
    { source: runs.source, replay: runs[AT_LAST], nodeId: LAST },
    { source: runs[UNCHANGED], replay: runs[OF_REPLAY], nodeId: FIRST },
  ];
  return allPass(replays.flatMap((each) => [judgeMet(each), failureOfCall(each, seed) ?? []].flat()));
}

/** The row about models that a replay asks although their answers are recorded. */
const CACHED = 'refusal.cached-response-wins';

/** The row about a replay that meets a refusal in a run of one call. */
const RAISES = 'refusal.valid-to-refusal';

/** The row about what the event says of its place. */
const LOCATES = 'refusal.locates-the-call';

/** Whether the replay shows another answer of the first call than the source: its recorded answer was not used. */
function wasRequestedAgain(source: RecordedRun, replay: RecordedRun): boolean {
  const [recorded, replayed] = [source, replay].map((run) => writtenBy(run, FIRST));
  return recorded !== undefined && replayed !== undefined && !isDeepStrictEqual(recorded, replayed);
}

/** What a node wrote into a variable, first. */
function writtenBy(run: RecordedRun, nodeId: string): unknown {
  const written = eventsOf(run).find((event) => event.type === 'variable.changed' && nodeOf(event) === nodeId);
  return written === undefined ? undefined : writtenValue(written);
}

/** What an event says of another call than the one that diverged: its node, its place in one of the two logs, or its event. */
function otherCallIn(event: RunEvent, { source, replay, nodeId }: Diverged): string | undefined {
  const own = spanOf(source, nodeId);
  const others = CALLS.filter((call) => call !== nodeId).map((call) => spanOf(source, call));
  const isOfOther = (sequence: number): boolean =>
    !isWithin(own, sequence) && others.some((span) => isWithin(span, sequence));
  const names = [event.nodeId, textMember(event.payload, 'nodeId')];
  const name = names.find((each) => each !== undefined && each !== nodeId);
  if (name !== undefined) return `nodeId ${shown(name)}`;
  const at = placeIn(event);
  if (at !== undefined && isOfOther(at) && !isWithin(spanOf(replay, nodeId), at)) {
    return `/payload/atSequence ${at}`;
  }
  const originalId = textMember(event.payload, 'originalEventId');
  const originals = eventsOf(source).filter(({ eventId }) => eventId === originalId);
  const isOther = originals.length === 1 && originals.some(({ sequence }) => isOfOther(sequence));
  return isOther ? `/payload/originalEventId ${shown(originalId)}` : undefined;
}

/** RFC 0041 §B in a longer graph: what stands before the diverging call stands in the replay as well. */
export const midGraph = defineScenario({
  ...PHASE_4_REPLAY,
  id,
  title: 'With several calls in a row, only the one that diverged is named and the history before it stands',
  needs: [...PHASE_4_REPLAY.needs.slice(0, 1), { kind: 'fixture', workflowId }],
  exclusive: ['mock-ai:llm-chain'],
  drive,
  see,
  checks: [
    {
      id,
      title:
        'Only the diverging call is named, the history before it stands, and the replay fails as one of a single call does',
      judge: ({ source, replays }, { options }) =>
        settle(replays.map((replay) => judgeReplay({ source, replay, nodeId: DIVERGING }, options))),
    },
    {
      id: 'refusal.payload.mid-graph',
      title:
        'In a longer graph, and in a replay of a replay, the event names the source, the place and both kinds of envelope',
      judge: ({ recorded, source, replays }) =>
        settle([
          ...replays.map((replay) => judgeMembers(source, replay)),
          ...judgeGeneration(recorded),
          ...judgeLast(source, recorded),
        ]),
    },
    {
      id: `${id}.other-calls`,
      title: 'The same holds for the first and the last call of several, and in a replay of a replay',
      judge: ({ recorded }, { options }) => judgeOthers(recorded, options.seed),
    },
  ],
});

/** What the history of a replay is measured by: its source, the node that diverged, and what was declared volatile. */
interface Standing {
  readonly source: RecordedRun;
  readonly nodeId: string;
  readonly volatile: readonly string[];
}

/**
 * Compares what a replay has before its diverging call with its source's: the fixed history of one that starts at a
 * sequence number (0041 §C.1), else all events before the first one of that node; then the variables that were written,
 * where snapshots show variables (0041 §B, §C.2).
 */
function compareHistories({ source, nodeId, volatile }: Standing, replay: RecordedRun): Compared {
  const [ours, theirs] = [before(source, nodeId), before(replay, nodeId)];
  if (ours === undefined || theirs === undefined) {
    const run = ours === undefined ? source : replay;
    return { kind: 'unreadable', reason: `no event of ${named(run)} is about ${nodeId}` };
  }
  const fromSeq = replay.fork?.fromSeq ?? null;
  const compared =
    fromSeq === null
      ? compareLogs({ ...source, events: unmeasured(ours) }, { ...replay, events: unmeasured(theirs) }, volatile)
      : ownedBy(FOUNDATIONS.histories, comparePrefixes(source, replay, fromSeq, volatile));
  return compared.kind === 'same' ? compareVariables(source, replay) : compared;
}

/** Events without what calls used: one that is served from a record uses something else, or nothing. */
function unmeasured(events: readonly RunEvent[]): readonly Json[] {
  return rawOf(events.filter(({ type }) => type !== 'provider.usage'));
}

/** The events before the first one that is about a node, or says that the replay diverged. */
function before(run: RecordedRun, nodeId: string): readonly RunEvent[] | undefined {
  const events = eventsOf(run);
  const at = events.findIndex((event) => nodeOf(event) === nodeId || event.type === RAISED);
  return at === -1 ? undefined : events.slice(0, at);
}

/** Whether the snapshot of the failed replay still has what its log wrote, on a host whose snapshots show that. */
function compareVariables(source: RecordedRun, replay: RecordedRun): Compared {
  const [recorded, answer] = [readSnapshotAgainstLog(source), readSnapshotAgainstLog(replay)];
  const showsVariables = recorded.kind === 'agrees' && isRecord(member(source.snapshot, 'variables'));
  if (!showsVariables || answer.kind !== 'differs') return { kind: 'same' };
  const { code, ...mismatch } = answer.fault;
  return code === 'snapshot-other-variable'
    ? { kind: 'different', mismatch: { ...mismatch, diagnosis: wrong('history-lost') } }
    : { kind: 'same' };
}
