import { member } from '../../src/contract/discovery.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import type { Difference } from '../shared/compared.ts';
import { unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, undecided, type SeenRun } from '../shared/judging.ts';
import { callsOf, notCalled, type CallsObservation } from '../shared/witnessed-run.ts';
import { readChain, type Chain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { toldIn, type Told } from './judge-path.ts';
import type { Seen } from './row.ts';
import { SUCCEEDED } from './transition.ts';

export const SOURCE = 'source';

interface Source extends Told {
  readonly calls: Recorded<CallsObservation>;
}

/** A handoff whose child called the witness once, or the judgement that is left. */
function sourceOf(check: string, seen: Seen): Source | Judgement {
  const told = toldIn(check, seen, SOURCE);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const calls = callsOf(seen, SOURCE);
  if (calls === undefined || calls.calls.length === 0) {
    const reason = calls === undefined ? 'the calls of the source were not counted' : notCalled(calls);
    return undecided(check, reason, [run]);
  }
  if (endOf(run) !== 'completed' || !chain.transitions.some(({ phase }) => phase === SUCCEEDED)) {
    return undecided(check, `${named(run)} did not complete with a dispatched child`, [run, calls]);
  }
  return { ...told, calls };
}

/** rfc-0037 §B, 0041 §C: a replay tells the same handoff and comes to the same state, and its child's effects are not repeated. */
export function judgeReplays(check: string, seen: Seen): Judgement {
  const source = sourceOf(check, seen);
  if ('verdict' in source) return source;
  const replays = runsOf(seen).filter(({ fork }) => fork !== null);
  if (replays.length === 0) return undecided(check, 'no replay was driven', [source.run]);
  for (const replay of replays) {
    const calls = callsOf(seen, replay.role);
    const again = calls === undefined ? undefined : calledAgain(source, replay, calls);
    if (again !== undefined)
      return failing(check, again, [replay, source.run, ...(calls === undefined ? [] : [calls])]);
  }
  const missing = unseen(check, replays);
  if (missing !== undefined) return missing;
  for (const replay of replays) {
    const mismatch = otherHandoff(source, replay);
    if (mismatch !== undefined) return failing(check, mismatch, [replay, source.run]);
    const state = compareStates(source.run, replay);
    if (state.kind !== 'different') continue;
    if (!isBehind(source.run)) return failing(check, state.mismatch, [replay, source.run]);
    const reason = `GET /v1/runs/{runId} does not show yet that ${named(source.run)} has ended, as its log does`;
    return undecided(check, reason, [replay, source.run]);
  }
  return passing(check, [...replays, source.run, source.calls]);
}

function calledAgain({ calls, run }: Source, replay: SeenRun, now: CallsObservation): Difference | undefined {
  if (now.calls.length <= calls.calls.length) return undefined;
  return {
    expected: `no call beside the ${calls.calls.length} of ${named(run)}`,
    actual: `${now.calls.length - calls.calls.length} more after ${named(replay)} (from ${replay.fork?.fromSeq ?? 'the start'})`,
    diagnosis: wrong('dispatched-again'),
  };
}

/** Where a replay's handoff is not its source's: how it ended, its decisions, or its transitions. */
function otherHandoff({ run, chain }: Source, replay: SeenRun): Difference | undefined {
  const of = readChain(replay);
  const facts: readonly (readonly [name: string, source: unknown, replay: unknown])[] = [
    ['end', endOf(run), endOf(replay)],
    ['decisions', chain.decisions.map(({ kind }) => kind), of.decisions.map(({ kind }) => kind)],
    ['transitions', transitionsIn(chain), transitionsIn(of)],
  ];
  for (const [name, expected, actual] of facts) {
    if (JSON.stringify(expected) === JSON.stringify(actual)) continue;
    return {
      expected: `${name} ${shown(expected)} as in ${named(run)}`,
      actual: `${shown(actual)} in ${named(replay)}, from ${replay.fork?.fromSeq ?? 'the start'}`,
    };
  }
  return undefined;
}

const ENDED: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a run's snapshot is older than the end of its log. A host may build its snapshots a little later. */
function isBehind(run: SeenRun): boolean {
  const status = member(run.snapshot, 'status');
  return endOf(run) !== undefined && typeof status === 'string' && !ENDED.has(status);
}

function transitionsIn({ handoffs }: Chain): readonly (readonly string[])[] {
  return handoffs.map(({ transitions }) => transitions.map(({ phase }) => phase));
}

function endOf(run: SeenRun): string | undefined {
  return eventsOf(run)
    .map(({ type }) => terminalStatus(type))
    .find((status) => status !== undefined);
}
