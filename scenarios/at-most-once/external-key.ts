import { member } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import { type Evidence, fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import { childRunsIn } from '../shared/every-run.ts';
import { ofType } from '../shared/of-type.ts';
import { leftWithout, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { isObserved, offersMode, type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { failureOf, openOf, settle } from '../shared/settle.ts';
import { callsAfter, type CallsObservation, callsOf, notCalled } from '../shared/witnessed-run.ts';
import { callNamesIn, type CallNames, untaken } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { FIRST, type FixtureTool, SECOND, TWICE } from './fixtures.ts';
import { attemptsOf, invocationEvents, stepsOf } from './invocation-events.ts';

type Driven = RunObservation | CallsObservation;

const [RUN, OTHER, BRANCH] = ['run', 'other run', 'branch of the run'] as const;

async function drive(probe: Probe): Promise<readonly Driven[]> {
  const { witness } = probe;
  if (witness === undefined) return [];
  const runs = await Promise.all(
    [RUN, OTHER].map(async (role): Promise<readonly Driven[]> => {
      const visit = witness.visit();
      const run = await startRun(probe, { workflowId: TWICE, inputs: { witnessUrl: visit.url } }, { role });
      const calls = callsAfter(role, visit);
      if (role !== RUN || !isObserved(run) || !offersMode(probe.discovery, 'branch')) return [run, calls];
      const body = { mode: 'branch', fromSeq: bounds(run).first } as const;
      return [run, calls, await startFork(probe, run, body, { role: BRANCH }), callsAfter(BRANCH, visit)];
    }),
  );
  return runs.flat();
}

/** The keys that the calls of a tool carried downstream, wherever they stood; null where there was none. */
export function externalKeys(
  { calls }: Pick<CallsObservation, 'calls'>,
  { effect }: FixtureTool,
): readonly (string | null)[] {
  return calls.flatMap((call) => {
    if (member(call, 'kind') !== 'effect' || member(call, 'name') !== effect) return [];
    const key = member(call, 'idempotencyKey');
    return [typeof key === 'string' ? key : null];
  });
}

/** What a key may say: itself, and what no header carries as it is: the bytes of its UTF-8, or percent-encoded. */
function meant(key: string): readonly string[] {
  const bytes = Buffer.from(key, 'latin1').toString();
  try {
    return [key, bytes, decodeURIComponent(key)];
  } catch {
    return [key, bytes];
  }
}

/** The attempt of a key `aetheris:run:step:attempt`; undefined where it is not one of this run and step, by any of their names. */
export function attemptOf(key: string | null, { runIds, nodeIds }: CallNames): string | undefined {
  const prefixes = runIds.flatMap((runId) => nodeIds.map((nodeId) => `aetheris:${runId}:${nodeId}:`));
  const attempts = meant(key ?? '').flatMap((said) =>
    prefixes.filter((each) => said.startsWith(each)).map((each) => said.slice(each.length)),
  );
  return attempts.find((attempt) => attempt !== '');
}

const TOOLS: readonly FixtureTool[] = [FIRST, SECOND];

/** The names of a tool's call in a run: no name of the other tool's step, or of another run's job. */
function namesIn(run: RecordedRun, tool: FixtureTool, runs: readonly RecordedRun[]): CallNames {
  const steps = TOOLS.filter((each) => each !== tool).map((each) => ({ ...callNamesIn(run, each), runIds: [] }));
  const jobs = runs.filter((each) => each !== run).map((each) => ({ ...callNamesIn(each, tool), nodeIds: [] }));
  return untaken(callNamesIn(run, tool), [...steps, ...jobs]);
}

/** What is wrong with a key, by itself. */
function wrongForm(key: string | null): Diagnosis {
  if (key === null) return wrong('no-external-key');
  return /^(?:sha256:)?[\da-f]{64}$/iu.test(key) ? wrong('internal-key-sent') : wrong('other-form');
}

function judge(recorded: readonly Recorded<Driven>[], { everything }: { readonly everything: Everything }): Outcome {
  const runs = runsOf(recorded).filter(({ fork }) => fork === null);
  const found = runs.map((run) => judgeRun(run, callsOf(recorded, run.role), runs));
  const failed = failureOf(found) ?? keyOfSource(recorded) ?? keyOfParent(everything) ?? withoutKey(everything);
  const open = failed ?? openOf(found);
  if (open !== undefined) return open;
  return runs.length < 2 ? undecided('no two runs were driven', runs) : settle(found);
}

/** A call of any run of the fixtures with a ledger that was answered, so that it was read whole, and that carried no key, such as one without arguments. */
function withoutKey(everything: Everything): Outcome | undefined {
  const counted = ofType<CallsObservation>(
    everything.filter(({ scenario }) => scenario.startsWith('once.')),
    'calls',
  );
  for (const each of counted) {
    const call = each.calls.find(isBare);
    if (call === undefined) continue;
    const expected = `aetheris:job:step:attempt with each call of a tool, as with that of ${String(member(call, 'name'))} after the ${each.after}`;
    return fail({ expected, actual: shownKey(null), diagnosis: wrong('no-external-key') }, [each]);
  }
  return undefined;
}

function isBare(call: Json): boolean {
  return member(call, 'kind') === 'effect' && member(call, 'answer') !== null && !member(call, 'idempotencyKey');
}

/** What is wrong with a child whose calls carry the key of the run that dispatched it: those of two children would be one. */
function keyOfParent(everything: Everything): Outcome | undefined {
  for (const child of childRunsIn(everything)) {
    const of = everything.filter(({ scenario }) => scenario === child.scenario);
    const [parent, calls] = [runOf(of, child.parent), callsOf(of, child.parent)];
    const [{ nodeId } = {}] = invocationEvents(eventsOf(child));
    if (parent === undefined || calls === undefined || nodeId === undefined) continue;
    const tool = { nodeId };
    if (stepsOf(parent, tool).length > 0) continue;
    const names = callNamesIn(child, tool);
    const key = calls.calls
      .map((call) => member(call, 'idempotencyKey'))
      .find((each) => typeof each === 'string' && attemptOf(each, { ...names, runIds: [parent.runId ?? ''] }));
    if (typeof key !== 'string' || attemptOf(key, names) !== undefined) continue;
    const expected = `aetheris:${child.runId ?? ''}:${tool.nodeId}:<attempt> with the call of ${named(child)}`;
    return fail({ expected, actual: key, diagnosis: wrong('key-shared-between-runs') }, [child, calls, parent]);
  }
  return undefined;
}

/**
 * What is wrong with a branch whose own calls carry the key of its source (replay.md, internals 5: they are calls of the new run):
 * downstream they are duplicates. Undefined where they do not, where there are none, and where the host names one job for both.
 */
function keyOfSource(recorded: readonly Recorded<Driven>[]): Outcome | undefined {
  const [source, branch] = [runOf(recorded, RUN), runOf(recorded, BRANCH)];
  const [before, after] = [callsOf(recorded, RUN), callsOf(recorded, BRANCH)];
  if (source === undefined || branch?.problem !== null || before === undefined || after === undefined) return undefined;
  const calls = { calls: after.calls.slice(before.calls.length) };
  for (const tool of TOOLS) {
    const [ours, theirs] = [callNamesIn(source, tool), callNamesIn(branch, tool)];
    const key = externalKeys(calls, tool).find((each) => attemptOf(each, ours) !== undefined);
    if (key === undefined || theirs.runIds.some((id) => ours.runIds.includes(id))) continue;
    const expected = `aetheris:${branch.runId ?? ''}:${tool.nodeId}:<attempt> with the call that ${named(branch)} made itself`;
    const diagnosis = wrong('key-shared-between-runs');
    return fail({ expected, actual: shownKey(key), diagnosis }, [branch, after, source]);
  }
  return undefined;
}

function judgeRun(
  run: RecordedRun,
  calls: Recorded<CallsObservation> | undefined,
  runs: readonly RecordedRun[],
): Outcome {
  const left = leftWithout([run]);
  if (left !== undefined || calls === undefined) return left ?? undecided('no calls were counted', [run]);
  const evidence = [calls, run];
  if (calls.calls.length === 0) return undecided(notCalled(calls), evidence);
  const attempts: string[] = [];
  for (const tool of TOOLS) {
    const names = namesIn(run, tool, runs);
    const keys = externalKeys(calls, tool);
    if (keys.length === 0) return undecided(`${named(run)} did not call the tool of ${tool.nodeId}`, evidence);
    for (const key of keys) {
      const attempt = attemptOf(key, names);
      if (attempt === undefined) {
        const expected = `aetheris:${run.runId ?? ''}:${tool.nodeId}:<attempt> in a header, the query or the body of the call of ${tool.nodeId}`;
        return fail({ expected, actual: shownKey(key), diagnosis: wrongForm(key) }, evidence);
      }
      attempts.push(attempt);
    }
  }
  return judgeAttempts(run, attempts, evidence);
}

/** A key in words. */
export function shownKey(key: Json): string {
  return typeof key === 'string' ? key : 'no key';
}

/** One claim carries an uncut run out; a host that claims each step anew has to show it. */
function judgeAttempts(run: RecordedRun, attempts: readonly string[], evidence: Evidence): Outcome {
  if (new Set(attempts).size === 1) return pass(evidence);
  const claims = [FIRST, SECOND].map((tool) => attemptsOf(stepsOf(run, tool)));
  const actual = `attempts ${attempts.join(', ')} in ${named(run)}, which nothing interrupted`;
  if (claims.some((each) => each.length === 0)) {
    return undecided(`${actual}: give attempt_id in tool_invocation_started, if each step is claimed anew`, evidence);
  }
  const known = new Set(claims.flat());
  if (known.size > 1 && attempts.every((attempt) => known.has(attempt))) {
    return pass(evidence, 'the host claims each step anew');
  }
  const expected = `one attempt, or the attempt_id of each tool_invocation_started (${[...known].join(', ')})`;
  return fail({ expected, actual, diagnosis: wrong('attempt-not-stable') }, evidence);
}

/** sem §4.2, on runs that nothing happens to. */
export const externalKey = defineScenario<Driven>({
  id: 'once.external-key',
  suite: 'at-most-once',
  title: 'The key that a tool is called with',
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: TWICE }],
  foundation: true,
  drive,
  checks: [
    {
      id: 'once.external-key',
      title: 'Each call carries aetheris:job:step:attempt, with one attempt for a run that nothing interrupts',
      judge,
    },
  ],
});
