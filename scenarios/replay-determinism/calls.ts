import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Witness, WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { isCompleted, named } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { leftUndriven, leftWithout, type RecordedRun, runOf, runsOf } from '../shared/need.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { COUNTED, notCalled } from '../shared/witnessed-run.ts';
import { wrong } from './diagnoses.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';

/** How often the witness had been called when a run had ended. */
interface CallsObservation extends Observation {
  readonly type: 'calls';
  /** The role of the run, or what was read then. */
  readonly after: string;
  /** The witness's address, for a host that has to be let through. */
  readonly url: string;
  readonly count: number;
  /** What the first call was answered. */
  readonly firstAnswer: Json;
}

export type CallObservation = RunObservation | CallsObservation;

/** A witness's visit, and what was seen so far of the runs that know its address. */
interface Counter {
  readonly visit: WitnessVisit;
  readonly seen: readonly CallObservation[];
  /** Notes a run that has ended, and how many calls there were by then. */
  readonly take: (run: RunObservation) => RunObservation;
  /** Notes that how a run differs from another one was read, and how many calls there were by then. */
  readonly compared: (run: RunObservation, exchanges: readonly string[]) => void;
}

/** Starts counting the calls that fit. */
export function createCounter(witness: Witness, counts: (call: WitnessCall) => boolean): Counter {
  const visit = witness.visit();
  const observations: CallObservation[] = [];
  const note = (after: string, exchanges: readonly string[]): void => {
    const calls = visit.calls().filter(counts);
    const [first] = calls;
    const counted = { url: witness.baseUrl, count: calls.length, firstAnswer: first?.answer ?? null };
    observations.push({ type: 'calls', after, ...counted, exchanges });
  };
  return {
    visit,
    seen: observations,
    take: (run) => {
      observations.push(run);
      note(run.role, run.exchanges);
      return run;
    },
    compared: (run, exchanges) => note(differenceOf(run), exchanges),
  };
}

function differenceOf({ role }: Pick<RunObservation, 'role'>): string {
  return `difference of ${role}`;
}

/** A source that called the witness, and its replays. */
export interface CountedRuns {
  readonly source: RecordedRun;
  readonly calls: Recorded<CallsObservation>;
  readonly replays: readonly CountedReplay[];
}

interface CountedReplay {
  readonly run: RecordedRun;
  /** Calls when the run before it had ended. */
  readonly before: number;
  /** Calls when it had ended itself; undefined where nobody counted. */
  readonly calls: Recorded<CallsObservation> | undefined;
  /** Calls when its difference from its source had been read; undefined where it was not, and in old evidence. */
  readonly compared: Recorded<CallsObservation> | undefined;
}

/** The source of a role with its calls, and the replays that follow it with theirs; the outcome that is left where it called nobody, and why else (`uncalled`). */
export function countedRuns(recorded: Recordings, role = 'source', uncalled = ''): CountedRuns | Outcome {
  const callsAfter = (what: string): Recorded<CallsObservation> | undefined =>
    ofType<CallsObservation>(recorded, 'calls').find(({ after }) => after === what);
  const source = runOf(recorded, role);
  const left = leftWithout([source ?? role]);
  if (source === undefined || left !== undefined) return left ?? leftUndriven(role);
  const calls = callsAfter(source.role);
  if (calls === undefined) return undecided(`no calls were counted for ${named(source)}`, [source]);
  if (calls.count === 0) {
    return undecided(notCalled(calls, source, uncalled), [source, calls]);
  }
  let before = calls.count;
  const replays = followersOf(source, runsOf(recorded)).map((run): CountedReplay => {
    const counted = { run, before, calls: callsAfter(run.role), compared: callsAfter(differenceOf(run)) };
    before = (counted.compared ?? counted.calls)?.count ?? before;
    return counted;
  });
  return replays.length === 0 ? undecided('no replay was driven', [source]) : { source, calls, replays };
}

/** The replays that were driven after a run, and before the next one that acts for itself. */
function followersOf(source: RecordedRun, runs: readonly RecordedRun[]): readonly RecordedRun[] {
  const later = runs.slice(runs.indexOf(source) + 1);
  const end = later.findIndex(({ fork }) => fork === null || fork.mode === 'branch');
  return end === -1 ? later : later.slice(0, end);
}

/**
 * Judges that the witness was called no more than by the source when each of these replays had ended. A replay that did
 * not complete proves nothing: it may have stopped before the call.
 */
export function judgeCalls(counted: CountedRuns): Outcome {
  const { source, calls, replays } = counted;
  if (!isCompleted(source)) return undecided(`${named(source)} did not complete`, [source]);
  if (replays.length === 0) return undecided('no such replay was driven', [source]);
  const called = calledAgain(counted);
  if (called !== undefined) return called;
  const runs = replays.map(({ run }) => run);
  const cut = runs.find((run) => !isCompleted(run));
  return (
    leftWithout(runs) ??
    (cut === undefined
      ? pass([...runs, source, calls])
      : undecided(`${named(cut)} did not complete as ${named(source)} did`, [cut, source]))
  );
}

/** The failure of the first replay that called the witness, whatever it was answered and however the run ended. */
export function calledAgain({ source, calls, replays }: CountedRuns): Outcome | undefined {
  for (const { run, before, calls: now, compared } of replays) {
    if (isOnlyOfOtherMode(run)) continue;
    const made = `${named(run)} (from ${run.fork?.fromSeq ?? 'the start'})`;
    const again =
      moreThan(before, now, made) ?? moreThan(now?.count, compared, `GET /v1/runs/{runId}:diff of ${named(run)}`);
    if (again === undefined) continue;
    return fail(
      {
        expected: `no call beside the ${calls.count} of ${named(source)}`,
        actual: again.actual,
        diagnosis: sharedCause('second-call'),
        ...COUNTED,
      },
      [again.now, run, calls],
    );
  }
  return undefined;
}

function moreThan(before: number | undefined, now: Recorded<CallsObservation> | undefined, after: string) {
  if (before === undefined || now === undefined || now.count <= before) return undefined;
  return { now, actual: `${now.count - before} more after ${after}` };
}

/** Judges that each replay shows the mark of the answer that the source was given, where the source shows it. */
export function judgeResponse({ source, calls, replays }: CountedRuns, mark: (answer: Json) => string | undefined) {
  if (!isCompleted(source)) return undecided(`${named(source)} did not complete`, [source]);
  const runs = replays.map(({ run }) => run);
  const left = leftWithout(runs);
  if (left !== undefined) return left;
  const text = mark(calls.firstAnswer);
  if (text === undefined || !shows(source, text)) {
    return undecided(`${named(source)} shows nowhere what it was answered`, [source, calls]);
  }
  const other = runs.find((run) => !shows(run, text));
  if (other === undefined) return pass([...runs, source, calls]);
  const expected = `${text} in ${named(other)} as in ${named(source)}`;
  const actual = 'nowhere in its log and snapshot';
  return fail({ expected, actual, diagnosis: wrong('other-response') }, [other, source, calls]);
}

function shows({ events, snapshot }: RunObservation, text: string): boolean {
  return JSON.stringify([events, snapshot]).includes(text);
}
