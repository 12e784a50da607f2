import { fail, type Outcome } from '../../src/contract/outcome.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { bounds, named } from '../shared/compare-runs.ts';
import { runOf, runsOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { isObserved, offersMode, type RunObservation, startFork } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation, callsOf } from '../shared/witnessed-run.ts';
import { callNamesIn } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE } from './fixtures.ts';
import { keysOf, stepsOf } from './invocation-events.ts';

/** A branch of a run that called its tool, and what stands for the calls before it. */
const [BRANCH, BEFORE] = ['branch of a run that called', 'the runs before the branch'] as const;

/** A branch from the start of a run, with the calls before it and after it; nothing where the host does not branch. */
export async function driveBranch(
  probe: Probe,
  source: RunObservation | undefined,
  visit: WitnessVisit,
): Promise<readonly (RunObservation | CallsObservation)[]> {
  if (source === undefined || !isObserved(source) || !offersMode(probe.discovery, 'branch')) return [];
  const before = callsAfter(BEFORE, visit);
  const body = { mode: 'branch', fromSeq: bounds(source).first } as const;
  return [before, await startFork(probe, source, body, { role: BRANCH }), callsAfter(BRANCH, visit)];
}

/**
 * sem §4.1, replay.md, internals 5: what a branch calls itself is a call of its own run, and has another key than that of its source.
 * Undefined where it has, where nothing shows that it called, and where the host names one job for both.
 */
export function judgeBranchKey(recorded: Recordings): Outcome | undefined {
  const branch = runOf(recorded, BRANCH);
  const source = runsOf(recorded).find(({ runId }) => runId !== null && runId === branch?.fork?.sourceRunId);
  const [before, after] = [BEFORE, BRANCH].map((role) => callsOf(recorded, role));
  if (branch?.problem !== null || source === undefined || before === undefined || after === undefined) return undefined;
  if (after.calls.length <= before.calls.length) return undefined;
  const known = keysOf(stepsOf(source, CHARGE));
  const shared = keysOf(stepsOf(branch, CHARGE)).find((key) => known.includes(key));
  const jobs = callNamesIn(source, CHARGE).runIds;
  if (shared === undefined || callNamesIn(branch, CHARGE).runIds.some((id) => jobs.includes(id))) return undefined;
  const expected = `a key over its own run for the call that ${named(branch)} made itself`;
  const actual = `${shared}, the key of the call that ${named(source)} made`;
  return fail({ expected, actual, diagnosis: wrong('key-shared-between-runs') }, [branch, after, source]);
}
