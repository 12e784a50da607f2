import type { Judgement } from '../../src/contract/verdict.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Witness, WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { wrong } from './diagnoses.ts';

/** How often the witness had been called when a run had ended. */
export interface CallsObservation extends Observation {
  readonly type: 'calls';
  /** The role of the run. */
  readonly after: string;
  /** The witness's address, for a host that has to be let through. */
  readonly url: string;
  readonly count: number;
  /** What the first call was answered. */
  readonly firstAnswer: Json;
}

export type CallObservation = RunObservation | CallsObservation;

/** A witness's visit, and what was seen so far of the runs that were told its address. */
export interface Counter {
  readonly visit: WitnessVisit;
  readonly seen: readonly CallObservation[];
  /** Notes a run that has ended, and how many calls there were by then. */
  readonly take: (run: RunObservation) => RunObservation;
}

/** Starts counting the calls that fit. */
export function createCounter(witness: Witness, counts: (call: WitnessCall) => boolean): Counter {
  const visit = witness.visit();
  const seen: CallObservation[] = [];
  return {
    visit,
    seen,
    take: (run) => {
      const calls = visit.calls().filter(counts);
      const { role: after, exchanges } = run;
      const [first] = calls;
      const counted = { url: witness.baseUrl, count: calls.length, firstAnswer: first?.answer ?? null };
      seen.push(run, { type: 'calls', after, ...counted, exchanges });
      return run;
    },
  };
}

type Seen = readonly Recorded<CallObservation>[];

function countAfter(seen: Seen, role: string): Recorded<CallsObservation> | undefined {
  return seen.find(
    (each): each is Recorded<CallsObservation> => each.type === 'calls' && (each as CallsObservation).after === role,
  );
}

/** What a source must have done before its replays mean anything, or the judgement that is left. */
function sourceOf(
  check: string,
  seen: Seen,
): { readonly source: SeenRun; readonly calls: Recorded<CallsObservation> } | Judgement {
  const source = runOf(seen, 'source');
  const calls = countAfter(seen, 'source');
  if (source === undefined || calls === undefined) return undecided(check, 'the source run was not driven', []);
  const missing = unseen(check, [source]);
  if (missing !== undefined) return missing;
  if (calls.count === 0) {
    const how = 'allow it (hosts that guard against loopback addresses refuse it), or give --witness-url';
    return undecided(check, `the host did not call ${calls.url}: ${how}`, [source, calls]);
  }
  if (!isCompleted(source)) return undecided(check, `${named(source)} did not complete`, [source]);
  return { source, calls };
}

function isCompleted(run: RunObservation): boolean {
  return eventsOf(run).some(({ type }) => type === 'run.completed');
}

const CALLED = { code: 'second-call', message: 'the external system was called again (replay.md, Determinism 1)' };

/**
 * Judges that the witness was called no more than by the source when each of these replays had ended. A replay that did
 * not complete proves nothing: it may have stopped before the call.
 */
export function judgeCalls(check: string, seen: Seen, isAbout: (replay: SeenRun) => boolean): Judgement {
  const found = sourceOf(check, seen);
  if ('verdict' in found) return found;
  const { source, calls } = found;
  const replays = runsOf(seen).filter((run) => run.fork !== null && isAbout(run));
  if (replays.length === 0) return undecided(check, 'no replay was driven', [source]);
  let before = firstCount(seen, replays[0]) ?? calls.count;
  for (const replay of replays) {
    const now = countAfter(seen, replay.role);
    if (now === undefined) continue;
    if (now.count > before) {
      return failing(
        check,
        {
          expected: `no call beside the ${calls.count} of ${named(source)}`,
          actual: `${now.count - before} more after ${named(replay)} (from ${replay.fork?.fromSeq ?? 'the start'})`,
          diagnosis: CALLED,
        },
        [now, replay, calls],
      );
    }
    before = now.count;
  }
  const missing = unseen(check, replays);
  if (missing !== undefined) return missing;
  const cut = replays.find((replay) => !isCompleted(replay));
  if (cut !== undefined)
    return undecided(check, `${named(cut)} did not complete as ${named(source)} did`, [cut, source]);
  return passing(check, [...replays, source, calls]);
}

/** The count before the first of some replays: that after the run before it. */
function firstCount(seen: Seen, first: SeenRun | undefined): number | undefined {
  const runs = runsOf(seen);
  const before = first === undefined ? undefined : runs[runs.indexOf(first) - 1];
  return before === undefined ? undefined : countAfter(seen, before.role)?.count;
}

const REPLACED = wrong('other-response');

/** Judges that each replay shows the answer that the source was given, where the source shows it. */
export function judgeResponse(check: string, seen: Seen, mark: (answer: Json) => string | undefined): Judgement {
  const found = sourceOf(check, seen);
  if ('verdict' in found) return found;
  const { source, calls } = found;
  const replays = runsOf(seen).filter(({ fork }) => fork !== null);
  const missing = unseen(check, replays);
  if (missing !== undefined) return missing;
  if (replays.length === 0) return undecided(check, 'no replay was driven', [source]);
  const text = mark(calls.firstAnswer);
  if (text === undefined || !shows(source, text)) {
    return undecided(check, `${named(source)} shows nowhere what it was answered`, [source, calls]);
  }
  const other = replays.find((replay) => !shows(replay, text));
  if (other === undefined) return passing(check, [...replays, source, calls]);
  const expected = `${text} in ${named(other)} as in ${named(source)}`;
  return failing(check, { expected, actual: `nowhere in its log and snapshot`, diagnosis: REPLACED }, [
    other,
    source,
    calls,
  ]);
}

function shows({ events, snapshot }: RunObservation, text: string): boolean {
  return JSON.stringify([events, snapshot]).includes(text);
}
