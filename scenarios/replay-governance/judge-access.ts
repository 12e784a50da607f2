import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { isAboutCaller, isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { SNAPSHOT, type AccessObservation } from './accessing.ts';
import { wrong } from './diagnoses.ts';
import { needed } from './needed.ts';

/** The role of the fork, and that of a replay of it. */
export const FORK = 'fork';
export const FURTHER = 'further fork';
/** The role of a replay from a later event. */
export const LATER = 'later fork';
/** The role of a branch beside the fork, and that of a child that the fork shows, which is a run of nobody's request. */
export const BRANCH = 'branch';
const CHILD = 'child of the fork';

/** Who asks for what is not to be seen. */
export interface Caller {
  readonly name: string;
  /** The option that gives the credential. */
  readonly option: string;
  /** Whether the host is seen to know the credential. */
  readonly isKnown: (recorded: Recordings) => boolean;
}

type Access = Recorded<AccessObservation>;

/** What somebody got for one request about the source, and for the same one about the fork. */
interface Pair {
  readonly source: Access;
  readonly fork: Access;
}

/**
 * replay.md, Privacy: a replayed run must not bypass checks that apply to reading its source. What is refused for the
 * source must be refused for the fork, which is of this role; how it is refused is left open.
 */
export function judgeAccess(
  recorded: Recordings,
  { name, option, isKnown }: Caller,
  role: typeof FORK | typeof FURTHER | typeof LATER | typeof BRANCH | typeof CHILD = FORK,
): Outcome {
  const runs = needed(recorded, 'source', role === CHILD ? FORK : role);
  if (isOutcome(runs)) return runs;
  const { [role === CHILD ? FORK : role]: fork } = runs;
  const pairs = pairsIn(recorded, role);
  if (pairs.length === 0) return undecided(`${name} did not ask`, [fork]);
  const snapshot = snapshotOf(recorded);
  const isClosed = snapshot !== undefined && isRefused(snapshot);
  // What is not there of a source that is open, or is in no state for it, is kept from nobody.
  const isKept = ({ source }: Pair): boolean => isRefused(source) && (isClosed || isAboutCaller(source.status ?? 0));
  const refused = pairs.filter(isKept);
  // A page of the source that is open as well opens nothing that the API keeps closed; one for everybody shows no event.
  const bypassed = pairs.filter((pair) => {
    const { status, isEmpty, showsEvent } = pair.fork;
    return isSuccess(status) && isEmpty !== true && (isKept(pair) || (isClosed && showsEvent === true));
  });
  const [first] = bypassed;
  if (first !== undefined) {
    const closed = isRefused(first.source) ? first.source : snapshot;
    const expected = `a refusal to ${name} for ${named(fork)}, as for its source (${closed?.status ?? ''})`;
    const actual = bypassed.map((pair) => `${textOf(pair.fork)}: ${pair.fork.status ?? ''}`).join('; ');
    return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, bypassed.flatMap(bothOf));
  }
  if (!isKnown(recorded)) {
    const reason = `${name} is refused everything, also to make a run of its own`;
    const evidence = [fork, ...pairs.slice(0, 1).map(({ source }) => source)];
    return undecidedUntil(`give a credential that works (${option})`, reason, evidence);
  }
  if (!isClosed) {
    const reason = `${name} is not refused the source itself (${snapshot?.status ?? 'no answer'})`;
    return undecidedUntil(`give a credential to which the source is closed (${option})`, reason, [fork]);
  }
  const open = refused.find((pair) => !isRefused(pair.fork));
  if (open !== undefined) {
    const empty = open.fork.isEmpty === true ? ' that holds nothing' : '';
    const reason = `${open.fork.name} of the fork was answered with ${open.fork.status ?? 'nothing'}${empty}`;
    return undecidedUntil('answer it with 4xx, as for the source', reason, bothOf(open));
  }
  return pass([...refused.flatMap(bothOf), fork], notes(refused));
}

/** A request in words, with its run where that is another one than the fork. */
function textOf({ name, runId }: Access): string {
  return runId === undefined ? name : `${name} (${runId})`;
}

function bothOf({ source, fork }: Pair): readonly Access[] {
  return [fork, source];
}

/** Refusals that differ, as the documents leave open how a reading is refused. */
function notes(pairs: readonly Pair[]): string | undefined {
  const lines = pairs
    .filter(({ source, fork }) => source.status !== fork.status)
    .map(({ source, fork }) => `${fork.name}: ${fork.status ?? ''}, of the source ${source.status ?? ''}`);
  return lines.length === 0 ? undefined : `refused differently: ${lines.join('; ')}`;
}

function pairsIn(recorded: Recordings, role: AccessObservation['of']): readonly Pair[] {
  const requested = ofType<AccessObservation>(recorded, 'access');
  return requested.flatMap((source) => {
    const fork = requested.find(({ of, name }) => of === role && name === source.name);
    return source.of !== 'source' || fork === undefined ? [] : [{ source, fork }];
  });
}

function isRefused({ status }: Access): boolean {
  return status !== null && isClientError(status) && !saysNothing(status, 'refusal');
}

/** What was answered to the request for the source itself. */
export function snapshotOf(recorded: Recordings): Access | undefined {
  return ofType<AccessObservation>(recorded, 'access').find(({ of, name }) => of === 'source' && name === SNAPSHOT);
}
