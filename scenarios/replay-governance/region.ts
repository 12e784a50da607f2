import { member, readDiscovery } from '../../src/contract/discovery.ts';
import { multiRegion } from '../../src/contract/gates.ts';
import {
  fail,
  notApplicable,
  type Outcome,
  pass,
  rests,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { isOwnWord } from '../../src/protocol/run-status.ts';
import { isSuccess, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, prefixesOf } from '../shared/compare-runs.ts';
import { compareForkPoints, compareStates } from '../shared/compare-states.ts';
import type { Compared } from '../shared/compared.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { fixtureOf, isFixtureSource, startSources } from '../shared/fixture-sources.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runsOf, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { isObserved, offersMode, type RunObservation, startFork } from '../shared/run-observation.ts';
import { readSecond } from '../shared/second-host.ts';
import { allPass } from '../shared/settle.ts';
import { isAgainstItsLog } from '../shared/snapshot-fault.ts';
import { awaitStatus, statusIn } from '../shared/snapshot.ts';
import { SWEPT } from '../shared/swept-fixtures.ts';
import { wrong } from './diagnoses.ts';
import { unobservedText } from '../shared/unobserved.ts';

/** What the second host says of itself. */
export interface RegionsObservation extends Observation {
  readonly type: 'regions';
  /** Why its discovery document could not be read; null where it could. */
  readonly unread: string | null;
  /** Whether it advertises both capabilities itself. */
  readonly isRegion: boolean;
  readonly because: string;
  /** What the two documents say the implementations are called; null where they do not. */
  readonly names: readonly [string | null, string | null];
}

/** Whether the second host knew a run of the first one before it was asked to fork it; absent in older evidence. */
export interface SeenThereObservation extends Observation {
  readonly type: 'seen-there';
  readonly runId: string;
  readonly isSeen: boolean;
}

/** One fork, made by both regions. */
interface ForkPair {
  readonly source: RecordedRun;
  /** Whether the second host showed the source; undefined where nothing says so. */
  readonly seenThere: Recorded<SeenThereObservation> | undefined;
  readonly mode: string;
  readonly fromSeq: number;
  readonly first: RecordedRun;
  readonly second: RecordedRun;
}

const FIRST = / by the first region$/u;

/** The forks that were requested of both regions, or the outcome that is left without them. */
function seePairs(recorded: Recordings): readonly ForkPair[] | Outcome {
  const [regions] = ofType<RegionsObservation>(recorded, 'regions');
  if (regions === undefined) return undecided('nothing was requested of the second host', []);
  const { unread, isRegion, because } = regions;
  if (unread !== null) return undecided(unread, [regions]);
  if (!isRegion) return notApplicable(`the second host is no region of the first: ${because}`, [regions]);
  const [one, other] = regions.names;
  if (one !== null && other !== null && one !== other) {
    return notApplicable(`the second host is another implementation, ${other}, and no region of ${one}`, [regions]);
  }
  const runs = runsOf(recorded);
  const pairs = runs.flatMap((first): readonly ForkPair[] => {
    const { fork, role } = first;
    if (fork === null || !FIRST.test(role)) return [];
    const source = runs.find((run) => run.fork === null && run.runId !== null && run.runId === fork.sourceRunId);
    const second = runs.find((run) => run.role === role.replace(FIRST, ' by the second region'));
    if (source === undefined || second === undefined) return [];
    const seenThere = ofType<SeenThereObservation>(recorded, 'seen-there').find((seen) => seen.runId === source.runId);
    return [{ source, seenThere, first, second, mode: fork.mode, fromSeq: fork.fromSeq ?? 0 }];
  });
  if (pairs.length > 0) return pairs;
  const why = runs.filter(isFixtureSource).map(({ role, problem }) => `${role}: ${problem ?? 'not forked'}`);
  return undecided(`no fixture could be forked: seed conformance-noop; ${why.join('; ')}`, [regions]);
}

/** Judges that the other region forks what the region of the source forks (replay.md, Cross-region replay). */
function judgeServed(pairs: readonly ForkPair[]): Outcome {
  return allOf(pairs.map(served));
}

function served({ first, second, seenThere, mode, fromSeq }: ForkPair): Outcome {
  if (first.runId === null) return undecided(`the ${first.role} was not made: ${first.problem ?? ''}`, [first]);
  if (second.runId !== null) return pass([second, first]);
  const { answered, role, problem } = second;
  if (answered === null || saysNothing(answered, 'action') || isSuccess(answered)) {
    return undecided(`the ${role} was not made: ${problem ?? ''}`, [second]);
  }
  if (answered === 404 && seenThere?.isSeen !== true) {
    return undecidedUntil(
      'give a region of the first host (--base-url-b)',
      `the second host knows neither the run nor how to fork it (404 for the ${role}): nothing shows that it is a region`,
      [second, first, ...(seenThere === undefined ? [] : [seenThere])],
    );
  }
  const expected = `201 for mode ${mode} from sequence ${fromSeq}, as the region of the source answered`;
  const diagnosis = wrong('region-refuses');
  const evidence = [second, first, ...(seenThere === undefined ? [] : [seenThere])];
  return fail({ expected, actual: `${answered} by the other region`, diagnosis }, evidence);
}

/** Judges the history below fromSeq: the other region's against the source's, which that of the first one is. */
function judgeLogs(pairs: readonly ForkPair[], { options: { volatile } }: Pick<Judging, 'options'>): Outcome {
  const shown = pairs.filter(({ source, first, fromSeq }) => prefixesOf(source, first, fromSeq).below.length > 0);
  const compare: Compare = (source, fork, { fromSeq }) => comparePrefixes(source, fork, fromSeq, volatile);
  return declaring(allOf(shown.map((pair) => compared(pair, compare, () => FOUNDATIONS.histories))), volatile);
}

/**
 * Judges the state at fromSeq: folded, and as snapshots show it of replays that only write the last event, and of forks that the first
 * region ends as the source did and whose logs are the source's: others may have computed other values since.
 */
function judgeStates(pairs: readonly ForkPair[], { options: { volatile } }: Pick<Judging, 'options'>): Outcome {
  const compare: Compare = (a, b, { source, first, second, fromSeq, mode }) => {
    const [one, two] = [withoutVolatile(a, volatile), withoutVolatile(b, volatile)];
    const folded = compareForkPoints(one, two, fromSeq);
    if (folded.kind !== 'same') return folded;
    if (mode === 'replay' && fromSeq === eventsOf(source).at(-1)?.sequence) return compareStates(one, two);
    const isAlike = [first, second].every((fork) => compareLogs(source, fork, volatile).kind === 'same');
    const isSteady = compareStates(one, withoutVolatile(first, volatile)).kind === 'same';
    return isAlike && isSteady ? compareStates(one, two) : folded;
  };
  const ownerOf: OwnerOf = ({ source, first, fromSeq }) =>
    comparePrefixes(source, first, fromSeq, volatile).kind === 'different'
      ? FOUNDATIONS.histories
      : FOUNDATIONS.sameStates;
  return declaring(allOf(pairs.map((pair) => onSnapshots(pair, compared(pair, compare, ownerOf)))), volatile);
}

/** Where the first region's snapshots are none, not those of its logs, or in words of its own, the second need not agree with them. */
function onSnapshots({ source, first }: ForkPair, outcome: Outcome): Outcome {
  const failed = outcome.kind === 'rests' ? outcome.otherwise : outcome;
  if (failed.kind !== 'fail') return outcome;
  const lacksStatus = [source, first].some(({ snapshot }) => (member(snapshot, 'status') ?? null) === null);
  if (lacksStatus) return rests(FOUNDATIONS.snapshotShapes, failed);
  const isWrong = [source, first].some((run) => isAgainstItsLog(run) || isOwnWord(member(run.snapshot, 'status')));
  return isWrong ? rests(FOUNDATIONS.snapshots, failed) : outcome;
}

type Compare = (source: RecordedRun, fork: RecordedRun, pair: ForkPair) => Compared;

/** The row that owns what the region of the source does otherwise. */
type OwnerOf = (pair: ForkPair) => string;

/** Forks by both regions are alike (replay.md, Cross-region replay). Whether the region of the source keeps to it, other rows judge. */
function compared(pair: ForkPair, compare: Compare, ownerOf: OwnerOf): Outcome {
  const { source, first, second } = pair;
  const unobserved = [first, second].find(({ runId, problem }) => runId === null || problem !== null);
  if (unobserved !== undefined) return undecided(unobservedText(unobserved), [unobserved]);
  const [ofFirst, ofSecond] = [compare(source, first, pair), compare(source, second, pair)];
  const unreadable = [ofSecond, ofFirst].find((each) => each.kind === 'unreadable');
  if (unreadable !== undefined) return undecided(unreadable.reason, [first, second]);
  const evidence = [second, first, source];
  if (ofSecond.kind !== 'different') {
    if (ofFirst.kind !== 'different') return pass(evidence);
    return fail({ ...ofFirst.mismatch, diagnosis: wrong('first-region-departs'), restsOn: ownerOf(pair) }, evidence);
  }
  if (ofFirst.kind === 'same') {
    return fail({ ...ofSecond.mismatch, diagnosis: wrong('second-region-departs') }, evidence);
  }
  return undecidedUntil(
    'see what sequence.prefix-equal says of the first region',
    `already the ${first.role} is not the source's`,
    [first, second, source],
  );
}

/** Every pair has to pass. */
function allOf(outcomes: readonly Outcome[]): Outcome {
  return allPass(outcomes, 'no fork was made that shows it');
}

const id = 'region.same-fork';

/** A log with inside, run options, channels, and a call outside. */
const FIXTURES: ReadonlySet<string> = new Set([
  'conformance-noop',
  'conformance-multi-node',
  'conformance-determinism-identity',
  'conformance-determinism-channel-write',
  'conformance-determinism-side-effects',
]);

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { hostB } = probe;
  if (hostB === undefined) return [];
  const regions = await readRegions(probe, hostB);
  if (regions.unread !== null || !regions.isRegion) return [regions];
  const line = createSemaphore(probe.concurrency);
  const table = SWEPT.filter(({ workflowId }) => FIXTURES.has(workflowId));
  const sources = await startSources({ probe, line, short: false }, table);
  const driven = await Promise.all(sources.map((source) => forkInBoth({ probe, hostB, line }, source)));
  return [regions, ...driven.flat()];
}

/** What the second host says of itself: one that is no region of the first is another host. */
async function readRegions(probe: Probe, second: HostHandle): Promise<RegionsObservation> {
  const { document, unread, exchanges } = await readSecond(second);
  const { open, because } = multiRegion(readDiscovery(document));
  const names = [nameIn(probe.discovery), nameIn(document)] as const;
  return { type: 'regions', unread, isRegion: open, because, names, exchanges };
}

function nameIn(document: unknown): string | null {
  const name = member(member(document, 'implementation'), 'name');
  return typeof name === 'string' ? name.slice(0, 200) : null;
}

interface Driving {
  readonly probe: Probe;
  readonly hostB: HostHandle;
  readonly line: Semaphore;
}

/** Forks of one source from its first, a middle and its last event, served by either region. */
async function forkInBoth({ probe, hostB, line }: Driving, source: RunObservation): Promise<readonly Observation[]> {
  if (!isObserved(source)) return [source];
  const seenThere = await line(() => waitUntilThere(probe, hostB, source));
  const modes = offersMode(probe.discovery, 'branch') ? (['replay', 'branch'] as const) : (['replay'] as const);
  const bodies = modes.flatMap((mode) => pointsOf(source).map((fromSeq) => ({ mode, fromSeq })));
  const made = await Promise.all(
    bodies.flatMap((body) =>
      [['first', probe.host] as const, ['second', hostB] as const].map(([region, handle]) => {
        const role = `${body.mode} of ${fixtureOf(source)} from ${body.fromSeq} by the ${region} region`;
        return line(() => startFork(probe, source, body, { role, handle }));
      }),
    ),
  );
  return [source, seenThere, ...made];
}

function pointsOf(source: RunObservation): readonly number[] {
  const numbers = eventsOf(source).map(({ sequence }) => sequence);
  const picked = [numbers[0], numbers[Math.floor(numbers.length / 2)], numbers.at(-1)];
  return [...new Set(picked.filter((sequence) => sequence !== undefined))];
}

/** Longest that a run may take to be seen from the other region, in milliseconds. */
const PATIENCE_MS = 3000;

/** Waits for the other region to know how the run ended; one that never does gets its requests all the same. */
async function waitUntilThere(
  probe: Probe,
  second: HostHandle,
  { runId, snapshot }: RunObservation,
): Promise<SeenThereObservation> {
  const isEnough = (status: string | undefined): boolean => status === statusIn(snapshot);
  const read = await awaitStatus({ ...probe, host: second }, { runId, isEnough, patienceMs: PATIENCE_MS });
  const { exchanges } = read;
  return { type: 'seen-there', runId: runId ?? '', isSeen: read.snapshot !== null, exchanges };
}

/** replay.md, Cross-region replay: the same forks, served by the region of the source and by the other one. */
export const region = defineScenario({
  suite: 'replay-governance',
  id,
  title: 'A fork served by another region has the same status, variables and log up to fromSeq',
  gate: multiRegion,
  needs: [{ kind: 'second-host' }, replays],
  witnessHelps: true,
  exclusive: ['workflow:conformance-determinism-side-effects'],
  patience: () => 60,
  drive,
  see: seePairs,
  checks: [
    {
      id: `${id}.served`,
      title: 'The other region forks what the region of the source forks',
      judge: judgeServed,
    },
    {
      id: `${id}.log`,
      title: 'Forks by both regions have the same history below fromSeq',
      judge: judgeLogs,
    },
    { id: `${id}.state`, title: 'Forks by both regions have the same state at fromSeq', judge: judgeStates },
  ],
});
