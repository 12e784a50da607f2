import { member } from '../../src/contract/discovery.ts';
import { handoffReplay } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Mismatch, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { kindOfStatus } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { compareStates } from '../shared/compare-states.ts';
import { comparePrefixes, eventsOf, isAboutReplay, named, prefixesOf, shown } from '../shared/compare-runs.ts';
import { FOUNDATIONS, OF_A_REPLAY } from '../shared/foundations.ts';
import { leftWithout, runsOf, type RecordedRun } from '../shared/need.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import { shareIds } from '../shared/read-event.ts';
import { replayOf } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { callsAfter, type CallsObservation, callsOf, COUNTED, notCalled } from '../shared/witnessed-run.ts';
import { type Chain, chainOf, childIdOf, has, readChain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { withHiddenEvents, COMMON, readChildren } from './suite.ts';
import { seeded, TOOL, TOOL_CHILD, TOOL_MAPPING } from './fixtures.ts';
import { type AllRecorded, readHandoff } from './handoff-run.ts';
import { judgeLinks } from './judge-links.ts';
import { firstOther, keysIn, offItsPlan, otherWithin } from './judge-payloads.ts';
import { ROLES } from './observation.ts';
import type { Fault } from './owners.ts';
import { placeOf } from './transition.ts';

const FULL = 'full replay';
const AGAIN = `replay of the ${FULL}`;

/** Replays of one handoff at most, the one from its beginning among them. */
const SWEEP = 8;

async function drive(probe: Probe, { forks }: ScenarioOptions): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const request = { workflowId: TOOL, inputs: { witnessUrl: visit.url } };
  const source = await withHiddenEvents(probe, await startRun(probe, request, { role: ROLES.source }));
  const driven: Observation[] = [source, callsAfter(ROLES.source, visit), ...(await readChildren(probe, source))];
  if (source.problem !== null || visit.calls().length === 0) return driven;
  for (const fromSeq of [undefined, ...pointsIn(source, Math.min(SWEEP, forks) - 1)]) {
    const role = fromSeq === undefined ? FULL : `replay from ${fromSeq}`;
    const replay = await withHiddenEvents(probe, await replayOf(probe, source, fromSeq, { role }));
    driven.push(replay, callsAfter(role, visit));
    if (role !== FULL || replay.problem !== null) continue;
    const again = await withHiddenEvents(probe, await replayOf(probe, replay, fromSeq, { role: AGAIN }));
    driven.push(again, callsAfter(AGAIN, visit));
  }
  return driven;
}

/** Fork points inside the handoff: at its decisions and transitions, at most so many, spread evenly. */
function pointsIn(source: RunObservation, atMost: number): readonly number[] {
  const { decisions, transitions } = readChain(source);
  const all = [...decisions, ...transitions].map(({ event }) => event.sequence).toSorted((a, b) => a - b);
  const count = Math.max(0, Math.min(atMost, all.length));
  return Array.from({ length: count }, (_, index) => all[Math.floor((index * all.length) / count)]).filter(
    (sequence) => sequence !== undefined,
  );
}

interface Source {
  readonly run: RecordedRun;
  readonly chain: Chain;
  readonly calls: Recorded<CallsObservation>;
}

/** A handoff whose child called the witness, or the outcome that is left. */
function sourceIn(recorded: AllRecorded): Source | Outcome {
  const source = readHandoff(recorded, ROLES.source);
  if (isOutcome(source)) return source;
  const { run, chain } = source;
  const calls = callsOf(recorded, ROLES.source);
  if (calls === undefined || calls.calls.length === 0) {
    return undecided(calls === undefined ? 'the calls of the source were not counted' : notCalled(calls), [run]);
  }
  if (chain.end !== 'completed' || !has(chain, 'dispatch.succeeded')) {
    return undecided(`${named(run)} did not complete with a dispatched child`, [run, calls]);
  }
  return { run, chain, calls };
}

/** rfc-0037 §B, 0041 §C: a replay shows the same handoff and comes to the same state, and its child's effects are not repeated. */
function judgeReplays(recorded: AllRecorded, volatile: readonly string[]): Outcome {
  const source = sourceIn(recorded);
  if (isOutcome(source)) return source;
  const forks = runsOf(recorded).filter(({ fork }) => fork !== null);
  if (forks.length === 0) return undecided('no replay was driven', [source.run]);
  for (const replay of forks) {
    const calls = callsOf(recorded, replay.role);
    const again = calls === undefined ? 0 : calls.calls.length - source.calls.calls.length;
    if (isOnlyOfOtherMode(replay) || calls === undefined || again <= 0) continue;
    const mismatch = {
      expected: `no call beside the ${source.calls.calls.length} of ${named(source.run)}`,
      actual: `${again} more after ${named(replay)} (from ${replay.fork?.fromSeq ?? 'the start'})`,
      diagnosis: wrong('dispatched-again'),
    };
    return fail({ ...mismatch, ...COUNTED }, [replay, source.run, calls]);
  }
  const left = leftWithout(forks);
  if (left !== undefined) return left;
  let advice: string | undefined;
  for (const replay of forks) {
    const of = forks.find(({ runId }) => runId === replay.fork?.sourceRunId);
    const { run, chain } = of === undefined ? source : { run: of, chain: readChain(of) };
    const evidence = [replay, run];
    // What a replay does otherwise is not what one of it does.
    const apart = of === undefined ? { apart: [OF_A_REPLAY] } : {};
    const mismatch = otherHandoff({ run, chain }, replay);
    if (mismatch !== undefined) return fail({ diagnosis: wrong('wrong-path'), ...mismatch, ...apart }, evidence);
    advice ??= keyedInOne({ run, chain }, replay);
    const links = judgeReplayedLinks({ run, chain }, replay);
    if (links !== undefined) return inHistories(links, source, forks);
    const stale = staleCause(run, replay, volatile);
    if (stale !== undefined) return fail(stale, evidence);
    const state = compareStates(withoutVolatile(run, volatile), withoutVolatile(replay, volatile));
    if (state.kind === 'same') continue;
    // A host may build its snapshots a little later.
    const late = isShownEnded(run) ? [replay].find(isShownLate) : run;
    if (late !== undefined) {
      return undecided(
        `GET /v1/runs/{runId} does not show yet that ${named(late)} has ended, as its log does`,
        evidence,
      );
    }
    if (state.kind === 'different') return fail({ ...state.mismatch, ...apart }, evidence);
  }
  return declaring(pass([...forks, source.run, source.calls], advice), volatile);
}

/** Whether a snapshot says an end in the wire's word, or nothing: what another word of the source's means nobody knows. */
function isShownEnded({ snapshot }: RecordedRun): boolean {
  const status = member(snapshot, 'status');
  return typeof status !== 'string' || kindOfStatus(status) === 'ended';
}

function isShownLate({ snapshot }: RecordedRun): boolean {
  return kindOfStatus(member(snapshot, 'status')) === 'open';
}

/** Where a replay's handoff is not its source's: how it ended, its decisions, its transitions, or whom these are about. */
export function otherHandoff({ run, chain }: Pick<Source, 'run' | 'chain'>, replay: RecordedRun): Fault | undefined {
  const of = readChain(replay);
  const facts: readonly (readonly [name: string, source: unknown, replay: unknown])[] = [
    ['end', chain.end, of.end],
    ['decisions', chain.decisions.map(({ kind }) => kind), of.decisions.map(({ kind }) => kind)],
    ['nextWorkerIds', chain.decisions.map(({ workers }) => workers), of.decisions.map(({ workers }) => workers)],
    ['transitions', phasesIn(chain), phasesIn(of)],
  ];
  const other = facts.find(([, expected, actual]) => JSON.stringify(expected) !== JSON.stringify(actual));
  if (other === undefined) {
    const within = otherMember({ run, chain }, replay, of) ?? otherParent({ run, chain }, replay, of);
    return within ?? otherChild({ run, chain }, replay, of);
  }
  const [name, expected, actual] = other;
  const off = name === 'nextWorkerIds' ? ofPayloads(offItsPlan({ run, chain })) : undefined;
  if (off !== undefined) return off;
  return {
    expected: `${name} ${shown(expected)} as in ${named(run)}`,
    actual: `${shown(actual)} in ${named(replay)}, from ${replay.fork?.fromSeq ?? 'the start'}`,
  };
}

/** What is wrong in a source where its replay may be right: the row about payloads says so. */
function ofPayloads(mismatch: Mismatch | undefined): Fault | undefined {
  return mismatch && { ...mismatch, diagnosis: wrong('payload-wrong-value'), restsOn: 'handoff.payloads' };
}

/** What is wrong in a transition of a source, which is no fork: replays may name as the parent what their source does. */
function offInSource(source: Pick<Source, 'run' | 'chain'>, event: RunEvent): Fault | undefined {
  const { run, chain } = source;
  if (run.fork !== null) return undefined;
  const itself = chain.transitions.filter((each) => each.event === event);
  return ofPayloads(firstOther(itself, source, run.workflowId === TOOL ? TOOL_MAPPING : undefined));
}

/** The transitions of a source, each with the one that stands in its place in the replay; undefined where none does. */
export function transitionPairs(chain: Chain, of: Chain): readonly (readonly [RunEvent, RunEvent | undefined])[] {
  return chain.handoffs.flatMap(({ transitions }, index) =>
    transitions.map(({ event }, place) => [event, of.handoffs[index]?.transitions[place]?.event] as const),
  );
}

/** A transition that names another worker, or other harvested keys, than the one of the source in its place; where one names none, nothing is said. */
function otherMember({ run, chain }: Pick<Source, 'run' | 'chain'>, replay: RecordedRun, of: Chain): Fault | undefined {
  for (const [event, own] of transitionPairs(chain, of)) {
    const name = ['workerId', 'harvestedKeys'].find((each) => {
      const [recorded, again] = [event, own].map((said) => comparable(member(said?.payload, each)));
      return recorded !== undefined && again !== undefined && recorded !== again;
    });
    if (own === undefined || name === undefined) continue;
    const off = offInSource({ run, chain }, event);
    if (off !== undefined) return off;
    return {
      expected: `/${name} ${shown(member(event.payload, name))} in ${named(replay)}, as in ${placeOf(event)} of ${named(run)}`,
      actual: shown(member(own.payload, name)),
      diagnosis: wrong('payload-wrong-value'),
    };
  }
  return undefined;
}

/** What is said of a harvest that names its keys in the source or in the replay alone: wire-contract, Documents, has them in both. */
function keyedInOne({ run, chain }: Pick<Source, 'run' | 'chain'>, replay: RecordedRun): string | undefined {
  const pair = transitionPairs(chain, readChain(replay)).find(
    ([event, own]) => own && (keysIn(event) === undefined) !== (keysIn(own) === undefined),
  );
  return pair && `advisory: of ${named(run)} and ${named(replay)} one alone has /harvestedKeys in ${placeOf(pair[0])}`;
}

/** A value as a text, lists in any order; undefined where it is none. */
function comparable(value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  return JSON.stringify(Array.isArray(value) ? value.map(String).toSorted() : value);
}

/** Transitions that a replay made in one handoff and that name different children, which those of the source do not. */
function otherChild(
  { run, chain }: Pick<Source, 'run' | 'chain'>,
  replay: RecordedRun,
  of: Chain,
): Mismatch | undefined {
  if (otherWithin(chain.handoffs, 'childRunId') !== undefined) return undefined;
  const history = historyOf(run, replay);
  const made = of.handoffs.map(({ transitions, ...handoff }) => ({
    ...handoff,
    transitions: transitions.filter(({ event }) => !history.has(event.sequence)),
  }));
  const mismatch = otherWithin(made, 'childRunId');
  if (mismatch === undefined) return undefined;
  return { ...mismatch, actual: `${mismatch.actual} in ${named(replay)}`, diagnosis: wrong('payload-wrong-value') };
}

/**
 * A transition that names as its parent neither the replay nor, in the history or about the source's own child, the source: a
 * recorded fact may stand there as it was recorded.
 */
function otherParent(
  { run, chain }: Pick<Source, 'run' | 'chain'>,
  replay: RecordedRun,
  of: Chain,
): Mismatch | undefined {
  const recorded = new Set(chain.children);
  const history = historyOf(run, replay);
  // What the source names wrongly is wrong there already.
  if (chain.transitions.some(({ event }) => (parentOf(event) ?? run.runId) !== run.runId)) return undefined;
  for (const handoff of of.handoffs) {
    const child = childIdOf(handoff, of);
    for (const { event } of handoff.transitions) {
      const isRecorded = child === undefined || recorded.has(child) || history.has(event.sequence);
      const parents = [replay.runId, ...(isRecorded ? [run.runId] : [])];
      const parent = parentOf(event);
      if (parent === undefined || parents.includes(parent)) continue;
      return {
        expected: `/parentRunId ${parents.join(' or ')} in ${placeOf(event)} of ${named(replay)}`,
        actual: shown(parent),
        diagnosis: wrong('payload-wrong-value'),
      };
    }
  }
  return undefined;
}

function parentOf({ payload }: RunEvent): string | undefined {
  const parent = member(payload, 'parentRunId');
  return typeof parent === 'string' ? parent : undefined;
}

/**
 * The events of the source that stand in a replay's history, by their numbers there: replay.* events, which are no part of
 * it, shift these. From where the replay has others there, nobody knows which are whose.
 */
function historyOf(run: RecordedRun, replay: RecordedRun): ReadonlyMap<number, RunEvent> {
  const pairs = copiesOf(run, replay);
  const other = pairs.findIndex(isOfOtherType);
  const alike = other === -1 ? pairs : pairs.slice(0, other);
  return new Map(alike.map(({ recorded, copy }) => [copy.sequence, recorded]));
}

interface Copied {
  readonly recorded: RunEvent;
  readonly copy: RunEvent;
}

/** The events of the source before the fork point, each with the one in its place. */
function copiesOf(run: RecordedRun, replay: RecordedRun): readonly Copied[] {
  const { below, inherited } = prefixesOf(run, replay, replay.fork?.fromSeq ?? 0);
  const [ours, copies] = [below, inherited].map((events) => events.filter((event) => !isAboutReplay(event)));
  return (copies ?? []).flatMap((copy, index) =>
    (ours ?? []).slice(index, index + 1).map((recorded) => ({ recorded, copy })),
  );
}

function isOfOtherType({ recorded, copy }: Copied): boolean {
  return recorded.type !== copy.type;
}

/**
 * rfc-0037 §B: what the causation ids of a replay's transitions leave, where those of its source lead on; undefined where they
 * do, too. Where they do not, a replay may not lose them besides. The history, which is another row's, is taken as its source has
 * it, and may be named by the ids that it has there.
 */
export function judgeReplayedLinks(
  { run, chain }: Pick<Source, 'run' | 'chain'>,
  replay: RecordedRun,
): Outcome | undefined {
  if (judgeLinks({ run, chain }, 1).kind !== 'pass') return lostCauses({ run, chain }, replay);
  const { events } = readChain(replay);
  const places = new Map(events.map(({ sequence, eventId }) => [sequence, eventId]));
  const recorded = historyOf(run, replay);
  const history = new Map([...recorded].map(([sequence, { eventId }]) => [eventId, places.get(sequence)]));
  const followed = events.map((event): RunEvent => {
    const cause = history.get((recorded.get(event.sequence) ?? event).causationId ?? '');
    return cause === undefined ? event : { ...event, causationId: cause };
  });
  const links = judgeLinks({ run: replay, chain: chainOf(followed) }, 1);
  if (links.kind === 'pass') return undefined;
  if (links.kind !== 'fail') return links;
  // A copy leads back to the events that it is a copy of.
  return rests(FOUNDATIONS.execution, { ...links, actual: `${links.actual}, in ${named(replay)}` });
}

/** A failure by causes that replays lose, where they lose those of their histories, too: the row about these says so. */
function inHistories(links: Outcome, { run, chain }: Source, forks: readonly RecordedRun[]): Outcome {
  const isLost = forks.some((replay) => {
    const history = historyOf(run, replay);
    return readChain(replay).transitions.some(({ event }) => isUncaused(event) && history.has(event.sequence));
  });
  const failed = links.kind === 'rests' ? links.otherwise : links;
  if (!isLost || chain.transitions.some(({ event }) => isUncaused(event)) || failed.kind !== 'fail') return links;
  return rests(FOUNDATIONS.histories, failed);
}

/**
 * An event of a replay's history that is caused by something else than what its source's names by the id that this has in the replay:
 * both are renamed alike, or neither (readings, Fork and prefix); or a history of other events. The row about histories says so where
 * its own forks show it.
 */
function staleCause(run: RecordedRun, replay: RecordedRun, volatile: readonly string[]) {
  if ([run, replay].some((each) => shareIds(eventsOf(each)))) return undefined;
  const pairs = copiesOf(run, replay);
  if (pairs.some(isOfOtherType)) {
    const compared = comparePrefixes(run, replay, replay.fork?.fromSeq ?? 0, volatile);
    return compared.kind === 'different' ? { ...compared.mismatch, restsOn: FOUNDATIONS.histories } : undefined;
  }
  const names = new Map(pairs.map(({ recorded, copy }) => [recorded.eventId, copy.eventId]));
  for (const { recorded, copy } of pairs) {
    const wanted = names.get(recorded.causationId ?? '');
    if (wanted === undefined || copy.causationId === undefined || copy.causationId === wanted) continue;
    const place = `${placeOf(copy)}: causationId is`;
    return {
      expected: `${place} ${wanted}, which ${recorded.causationId} of ${named(run)} is in its history`,
      actual: `${place} ${copy.causationId} in ${named(replay)}, from ${replay.fork?.fromSeq ?? 'the start'}`,
      diagnosis: wrong('broken-chain'),
      restsOn: FOUNDATIONS.histories,
    };
  }
  return undefined;
}

function isUncaused({ raw }: RunEvent): boolean {
  return (member(raw, 'causationId') ?? null) === null;
}

/** Where the causes of the source lead elsewhere, there is no following those of its replays: that these have any is their own. */
function lostCauses({ run, chain }: Pick<Source, 'run' | 'chain'>, replay: RecordedRun): Outcome | undefined {
  const lost = transitionPairs(chain, readChain(replay)).find(
    ([event, own]) => event.causationId !== undefined && own && isUncaused(own),
  );
  if (lost === undefined) return undefined;
  const place = `${placeOf(lost[0])}: causationId is`;
  const expected = `${place} an event's, as in ${named(run)}`;
  return fail({ expected, actual: `${place} missing in ${named(replay)}`, diagnosis: wrong('broken-chain') }, [
    replay,
    run,
  ]);
}

function phasesIn({ handoffs }: Chain): readonly (readonly string[])[] {
  return handoffs.map(({ transitions }) => transitions.map(({ phase }) => phase));
}

/** A handoff whose child acts on the world outside the host. */
export const replays = defineScenario({
  ...COMMON,
  id: 'handoff.replays',
  title: 'A handoff whose worker calls a tool is replayed',
  gate: handoffReplay,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'not-applicable' }, { kind: 'witness' }, ...seeded(TOOL, TOOL_CHILD)],
  patience: ({ forks }) => 33 + 3 * Math.min(SWEEP, forks),
  drive,
  checks: [
    {
      id: 'handoff.replays',
      title: "A handoff replays without dispatching a second child's side effects",
      judge: (recorded, { options }) => judgeReplays(recorded, options.volatile),
    },
  ],
});
