import { isDeepStrictEqual } from 'node:util';
import { member } from '../../src/contract/discovery.ts';
import { fail, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { foldEvents } from '../../src/event-log/index.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { comparePrefixes, eventsOf, named, shown } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { leftWithout, type RecordedRun } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { GIVES, MARKS, READS, SHOWS, TAKES } from './branch-drive.ts';
import { wrong } from './diagnoses.ts';
import { valueIn } from './value-in.ts';
import { judgeSwept, type Branches, type Swept } from './judge-branch.ts';
import { unread } from './judge-untouched.ts';

/** The identity fixture's nodes: each writes what it reads into the variable of its own name. */
const [INPUT, CONFIGURED, COPIED] = [TAKES, SHOWS, 'copied'] as const;

/** What says of each member that a branch passes over it; here it is seen that the overlay does not reach back. */
const OVERLAID = 'fork.branch-applies-overlay';

interface WrongValue {
  readonly variable: string;
  readonly expected: unknown;
  readonly value: unknown;
  readonly diagnosis: Diagnosis;
  /** The check that owns the cause. */
  readonly restsOn?: string | undefined;
}

/** The history that a branch starts from: what it lacks of it, it cannot go on from. */
const HISTORIES = 'fork.branch-inherits-prefix';

/** The row about histories, where a branch has not its source's. */
function ownerOfState(source: RecordedRun, branch: RecordedRun): string | undefined {
  const compared = comparePrefixes(source, branch, branch.fork?.fromSeq ?? 0);
  return compared.kind === 'different' ? HISTORIES : undefined;
}

/** Those with their source's history first: what is wrong there is nobody else's fault. */
function ownFirst({ source, branches }: Swept): readonly RecordedRun[] {
  const [own, others]: [RecordedRun[], RecordedRun[]] = [[], []];
  for (const branch of branches) (ownerOfState(source, branch) === undefined ? own : others).push(branch);
  return [...own, ...others];
}

/** A variable that is not what it should be, or that nothing shows. */
function wrongValue(branch: RecordedRun, { variable, expected, value, diagnosis, restsOn }: WrongValue): Outcome {
  const place = `variable ${variable} at the end of ${named(branch)}, from ${branch.fork?.fromSeq ?? 0}`;
  if (value === undefined)
    return undecidedUntil(
      'show variables in the snapshot, or variable.changed in the log',
      `${place}: neither its snapshot nor its log shows it`,
      [branch],
    );
  return fail({ expected: `${place}: ${shown(expected)}`, actual: shown(value), diagnosis, restsOn }, [branch]);
}

/** The sequence numbers of a node's first and last event, or undefined where the log shows no such node. */
function spanOf(run: RunObservation, nodeId: string): { readonly first: number; readonly last: number } | undefined {
  const own = eventsOf(run).filter((event) => event.nodeId === nodeId);
  const [first, last] = [own.at(0), own.at(-1)];
  return first === undefined || last === undefined ? undefined : { first: first.sequence, last: last.sequence };
}

/** The last sequence number at which a node, or an event in no node's name, says something about a variable. */
function settledAt(run: RunObservation, name: string): number | undefined {
  const written = eventsOf(run).findLast(
    ({ type, payload }) => type === 'variable.changed' && member(payload, 'name') === name,
  );
  const span = spanOf(run, name);
  return span === undefined ? undefined : Math.max(span.last, written?.sequence ?? span.last);
}

/**
 * replay.md, Two modes: the caller supplies new RunOptions to overlay. What a branch does is its own; one that fails where its source
 * completed leaves open whether it ran with them.
 */
export function judgeOverlay({ source, branches }: Swept): Outcome {
  const outcome = judgeOptions({ source, branches });
  const failed = branches.find((branch) => endOf(eventsOf(branch)) === 'failed');
  if (outcome.kind !== 'pass' || failed === undefined || endOf(eventsOf(source)) !== 'completed') return outcome;
  const error = shown(member(eventsOf(failed).at(-1)?.payload, 'error') ?? null);
  const why = `${named(failed)}, from ${failed.fork?.fromSeq ?? 0}, failed, though ${named(source)} completed: ${error}`;
  return undecidedUntil('let a branch with other tags and another configurable text complete', why, [failed, source]);
}

function judgeOptions({ source, branches }: Swept): Outcome {
  const span = spanOf(source, CONFIGURED);
  if (span === undefined) return judgeTags(branches);
  if (valueIn(source, CONFIGURED) !== MARKS.source) {
    return undecidedUntil(
      'write what configurable gives into that variable, as the fixture says',
      `${named(source)} does not show its configurable as the variable ${CONFIGURED}`,
      [source],
    );
  }
  let downstream = 0;
  for (const branch of ownFirst({ source, branches })) {
    const fromSeq = branch.fork?.fromSeq ?? 0;
    // It is in the middle of the node, or executes its write anew.
    if (fromSeq > span.first && fromSeq <= (settledAt(source, CONFIGURED) ?? span.last)) continue;
    const isAhead = fromSeq <= span.first;
    const expected = isAhead ? MARKS.overlay : MARKS.source;
    const value = valueIn(branch, CONFIGURED);
    if (value !== expected) {
      const diagnosis = wrong(isAhead ? 'overlay-ignored' : 'overlay-reached-back');
      const restsOn = isAhead ? `${OVERLAID}.configurable` : ownerOfState(source, branch);
      return wrongValue(branch, { variable: CONFIGURED, expected, value, diagnosis, restsOn });
    }
    if (isAhead) downstream += 1;
  }
  const untagged = branches.find(({ snapshot }) => isUntagged(snapshot));
  if (untagged !== undefined) return withoutTag(untagged);
  return downstream > 0
    ? pass(branches)
    : undecidedUntil(
        'show node.started of each node in the log',
        `no branch starts before the node ${CONFIGURED}`,
        branches,
      );
}

/** Whether a snapshot shows tags, and not that of the overlay. */
function isUntagged(snapshot: unknown): boolean {
  const tags = member(snapshot, 'tags');
  return Array.isArray(tags) && !tags.includes(MARKS.tag);
}

function withoutTag(branch: RecordedRun): Outcome {
  const expected = `the tag ${MARKS.tag} of the overlay in the snapshot of ${named(branch)}`;
  const actual = shown(member(branch.snapshot, 'tags'));
  return fail({ expected, actual, diagnosis: wrong('overlay-ignored'), restsOn: `${OVERLAID}.tags` }, [branch]);
}

/** Without the identity fixture the overlay shows in the snapshot's tags only, where a host shows any. */
function judgeTags(branches: readonly RecordedRun[]): Outcome {
  const untagged = branches.find(({ snapshot }) => isUntagged(snapshot));
  if (untagged !== undefined) return withoutTag(untagged);
  const silent = branches.filter(({ snapshot }) => !Array.isArray(member(snapshot, 'tags')));
  if (silent.length > 0) return undecided('snapshots show no tags: seed conformance-determinism-identity', silent);
  return pass(branches, 'shown by tags only: seed conformance-determinism-identity');
}

const diagnosis = wrong('state-not-projected');
const SEED =
  'no fixture shows a state to start from: seed conformance-determinism-random or conformance-determinism-identity';

/**
 * replay.md, Two modes: the projected state at fromSeq becomes the initial state of the branch. What was written before
 * stays, what a node reads from it downstream is the same, and the snapshot holds it where it shows variables.
 */
export function judgeProjection(recorded: Branches): Outcome {
  const others = [
    judgeRandom(recorded.random),
    judgeWritten(recorded.written),
    judgeGiven(recorded.given),
    judgeOverwritten(recorded.overwritten),
  ].filter((each) => each !== undefined);
  return settle([...others, judgeSwept(recorded, judgeHandedOn)]);
}

/**
 * Fails where the snapshot of a branch that executes nothing more lacks what the source had written. Undefined where it has it: that
 * does not show that nodes read it, too.
 */
function judgeWritten({ source, branch }: Branches['written']): Outcome | undefined {
  if (source?.problem !== null || branch === undefined) return undefined;
  return leftWithout([branch]) ?? lostFromSnapshot(source, branch);
}

/**
 * For hosts without our fixtures: whether a node behind the fork point reads the inputs of the source. Undefined where the source's own
 * node does not show them.
 */
function judgeGiven({ source, branch }: Branches['given']): Outcome | undefined {
  if (source?.problem !== null || !shown(valueIn(source, GIVES)).includes(MARKS.input)) return undefined;
  const left = leftWithout([branch ?? 'branch']);
  if (left !== undefined || branch === undefined) return left;
  const [expected, value] = [valueIn(source, GIVES), valueIn(branch, GIVES)];
  if (isDeepStrictEqual(value, expected)) return pass([branch, source], 'seen of an input, and of snapshots');
  const restsOn = ownerOfState(source, branch);
  const place = `what the node ${GIVES} gives in ${named(branch)}, from ${branch.fork?.fromSeq ?? 0}`;
  return fail({ expected: `${place}: ${shown(expected)}`, actual: shown(value), diagnosis, restsOn }, [branch, source]);
}

/** Whether a branch reads what a variable was at its fork point, not what it became; undefined where the source shows no difference. */
function judgeOverwritten({ source, branch }: Branches['overwritten']): Outcome | undefined {
  if (source === undefined || branch === undefined) return undefined;
  const [expected, later] = [valueIn(source, READS.read), valueIn(source, READS.written)];
  if (expected === undefined || later === undefined || isDeepStrictEqual(expected, later)) return undefined;
  const left = leftWithout([branch]);
  if (left !== undefined) return left;
  const value = valueIn(branch, READS.read);
  if (isDeepStrictEqual(value, expected)) return pass([branch, source]);
  const restsOn = ownerOfState(source, branch);
  return wrongValue(branch, { variable: READS.read, expected, value, diagnosis, restsOn });
}

/** A value that every execution makes anew; undefined where the host does not know the fixture. */
function judgeRandom({ source, branch }: Branches['random']): Outcome | undefined {
  if (source === undefined || isUnknown(source)) return undefined;
  const left = leftWithout([source, branch ?? 'branch']);
  if (left !== undefined || branch === undefined) return left;
  const variable = 'random';
  const settled = settledAt(source, variable);
  const expected = valueIn(source, variable);
  if (settled === undefined || expected === undefined || settled >= (branch.fork?.fromSeq ?? 0)) {
    return undecidedUntil(
      'write variable.changed with its name and value into the log',
      `the ${source.role} does not show where its node random wrote the variable random`,
      [source],
    );
  }
  const value = valueIn(branch, variable);
  if (shown(value) !== shown(expected)) {
    return wrongValue(branch, { variable, expected, value, diagnosis, restsOn: ownerOfState(source, branch) });
  }
  return lostFromSnapshot(source, branch) ?? pass([branch, source]);
}

/** What each variable of the identity fixture is in a branch from behind the node that it comes from. */
const HANDED_ON = [
  { variable: INPUT, from: INPUT, mark: MARKS.input },
  { variable: CONFIGURED, from: CONFIGURED, mark: MARKS.source },
  { variable: COPIED, from: INPUT, mark: MARKS.input },
] as const;

/** Wherever a branch starts, behind its input is a node that reads a variable from before it. */
function judgeHandedOn({ source, branches }: Swept): Outcome {
  const shows = new Set<RecordedRun>();
  for (const branch of ownFirst({ source, branches })) {
    const restsOn = ownerOfState(source, branch);
    const lost = lostFromSnapshot(source, branch) ?? lostInputs(source, branch);
    if (lost !== undefined) return lost;
    for (const { variable, from, mark } of HANDED_ON) {
      if (!isBehind(source, branch, { variable, from }) || valueIn(source, variable) !== mark) continue;
      const value = valueIn(branch, variable);
      if (value !== mark) return wrongValue(branch, { variable, expected: mark, value, diagnosis, restsOn });
      shows.add(branch);
    }
  }
  return shows.size > 0 ? pass([...shows, source]) : undecided(SEED, [source]);
}

/**
 * Fails where a branch whose overlay has no inputs does not run with those of its source: an overlay lies over the options, it does not
 * take their place. From the first event on it may be as good as a new run (replay.md, Replay-mode defaults), and in the middle of the
 * node, or where its input does not show, nobody knows.
 */
function lostInputs(source: RecordedRun, branch: RecordedRun): Outcome | undefined {
  const [first, fromSeq] = [eventsOf(source)[0]?.sequence ?? 0, branch.fork?.fromSeq ?? 0];
  const span = spanOf(source, INPUT);
  if (span === undefined || fromSeq <= first || fromSeq > span.first) return undefined;
  const value = valueIn(branch, INPUT);
  if (valueIn(source, INPUT) !== MARKS.input || value === undefined || value === MARKS.input) return undefined;
  const restsOn = ownerOfState(source, branch);
  return wrongValue(branch, { variable: INPUT, expected: MARKS.input, value, diagnosis, restsOn });
}

/** Whether a branch starts after a node has written its variable, and not in the middle of the node that hands it on. */
function isBehind(
  source: RecordedRun,
  branch: RecordedRun,
  { variable, from }: { readonly variable: string; readonly from: string },
): boolean {
  const fromSeq = branch.fork?.fromSeq ?? 0;
  const [wrote, span] = [settledAt(source, from), spanOf(source, variable)];
  const ended = settledAt(source, variable);
  if (wrote === undefined || span === undefined || ended === undefined || fromSeq <= wrote) return false;
  return fromSeq <= span.first || fromSeq > ended;
}

/**
 * A snapshot of a branch that lost something of the state at its fork point, or undefined. A variable or channel that the
 * source had written below `fromSeq` must stand in the branch's snapshot with the value that the branch's own log gives it.
 * Only what the host shows in such a way for the source counts: a snapshot need not show every value, or any (0041 §C.2
 * reads what there is).
 */
function lostFromSnapshot(source: RecordedRun, branch: RecordedRun): Outcome | undefined {
  if (unread(source) !== undefined || unread(branch) !== undefined) return undefined;
  const fromSeq = branch.fork?.fromSeq ?? 0;
  const before = foldEvents(source.events, fromSeq);
  const [own, whole] = [foldEvents(branch.events), foldEvents(source.events)];
  if (!before.ok || !own.ok || !whole.ok) return undefined;
  for (const part of ['variables', 'channels'] as const) {
    const [inSource, inBranch] = [member(source.snapshot, part), member(branch.snapshot, part)];
    if (!isRecord(inSource) || !isRecord(inBranch)) continue;
    for (const name of before.state[part].keys()) {
      const [value, ofSource] = [own.state[part].get(name) ?? null, whole.state[part].get(name) ?? null];
      if (value === null || ofSource === null || !isDeepStrictEqual(member(inSource, name), ofSource)) continue;
      const is = member(inBranch, name);
      if (isDeepStrictEqual(is, value)) continue;
      const expected = `/${part} ${shown(name)}: ${shown(value)}, as its log says, in the snapshot of ${named(branch)}`;
      const actual = `${shown(is)}; the source had written it before the fork point ${fromSeq}`;
      return fail({ expected, actual, diagnosis, restsOn: ownerOfState(source, branch) }, [branch, source]);
    }
  }
  return undefined;
}
