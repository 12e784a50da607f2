import { readPart } from '../../src/contract/discovery.ts';
import { determinismReport, feedback } from '../../src/contract/gates.ts';
import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import {
  annotationsPath,
  cancelPath,
  diffPath,
  eventsPath,
  forkPath,
  interruptPath,
  pollPath,
  runPath,
} from '../../src/protocol/paths.ts';
import { isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { answeredWith } from '../../src/host/exchanged.ts';
import { startPublic } from '../shared/first-run.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestsOf, sendRequest, statusOf } from '../shared/requested.ts';
import { startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { wrong } from './diagnoses.ts';
import { needed } from './needed.ts';
import { reportPath } from './score-report.ts';

/** One request of the second tenant about a run of the first. */
interface AccessObservation extends Observation {
  readonly type: 'access';
  readonly of: 'source' | 'fork';
  /** What is requested, in words. */
  readonly name: string;
  /** The answer's status; null where there was none. */
  readonly status: number | null;
}

/** The role of the fork. */
const FORK = 'fork';
/** The role of the run by which the second tenant's credential is seen to work. */
const OWN = "the second tenant's run";

/** Forks a run, and lets the second tenant ask for all that there is of the source and of the fork. */
async function driveAccess(
  probe: Probe,
  bodyFor: (source: RunObservation) => ForkBody,
): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, bodyFor(source), { role: FORK });
  const { otherTenant } = probe;
  if (otherTenant === undefined || source.runId === null || fork.runId === null) return [source, fork];
  const own = await startRun(probe, { workflowId: 'conformance-noop' }, { role: OWN, handle: otherTenant });
  const seen: AccessObservation[] = [];
  for (const request of requestsFor(probe, own.runId)) {
    for (const [of, runId] of [['source', source.runId] as const, ['fork', fork.runId] as const]) {
      const exchange = await send(otherTenant, request, runId);
      const status = answeredWith(exchange);
      seen.push({ type: 'access', of, name: request.name, status, exchanges: [exchange.id] });
    }
  }
  return [source, fork, own, ...seen, ...(await forkAsStranger(otherTenant, fork.runId))];
}

/** A branch from the run's last event. */
export function branchBody(source: RunObservation): ForkBody {
  return { mode: 'branch', fromSeq: eventsOf(source).at(-1)?.sequence ?? 0 };
}

/** One kind of request about a run: a GET, or a POST where there is a body; a stream is left as soon as it is one. */
interface AccessRequest {
  readonly name: string;
  readonly path: (runId: string) => string;
  readonly body?: object;
  readonly isStream?: true;
}

function send(handle: HostHandle, { path, body, isStream }: AccessRequest, runId: string): Promise<Exchange> {
  const sent = { path: path(runId), headers: { accept: isStream ? 'text/event-stream' : 'application/json' } };
  if (isStream) return handle.stream({ method: 'GET', ...sent }, { head: () => 'stop', text: () => 'done' });
  if (body === undefined) return handle.exchange({ method: 'GET', ...sent });
  return handle.exchange({ method: 'POST', body: JSON.stringify(body), ...sent });
}

/** The reading that decides whether a run is open to the second tenant at all. */
const SNAPSHOT = 'the snapshot';

function comparisonsWith(own: string): readonly AccessRequest[] {
  return [
    { name: 'its comparison with an own run', path: (run) => diffPath(run, own) },
    { name: 'the comparison of an own run with it', path: (run) => diffPath(own, run) },
  ];
}

/** All that can be requested of a run; what would change it comes last. */
function requestsFor({ discovery }: Probe, own: string | null): readonly AccessRequest[] {
  const report: AccessRequest = { name: 'its determinism report', path: (run) => reportPath(discovery, run) };
  const annotations: readonly AccessRequest[] = [
    { name: 'its annotations', path: annotationsPath },
    { name: 'an annotation of it', path: annotationsPath, body: { signal: { kind: 'label', label: 'seen' } } },
  ];
  return [
    { name: SNAPSHOT, path: runPath },
    { name: 'the log', path: eventsPath },
    { name: 'the event stream', path: eventsPath, isStream: true },
    { name: 'the debug stream', path: (run) => `${eventsPath(run)}?streamMode=debug`, isStream: true },
    { name: 'the log by poll', path: pollPath },
    { name: 'its comparison with itself', path: (run) => diffPath(run, run) },
    ...(own === null ? [] : comparisonsWith(own)),
    ...(determinismReport({ replay: readPart(discovery, 'replay') }).open ? [report] : []),
    ...(feedback({ feedback: readPart(discovery, 'feedback') }).open ? annotations : []),
    { name: 'a fork of it', path: forkPath, body: { mode: 'replay' } },
    { name: 'an answer to its question', path: (run) => interruptPath(run, 'ask'), body: { resumeValue: true } },
    { name: 'its cancellation', path: cancelPath, body: {} },
  ];
}

/** The second tenant forks the fork, and runs that there are not. */
function forkAsStranger(handle: HostHandle, runId: string): Promise<readonly Observation[]> {
  return Promise.all(
    [runId, unknownLike(runId, 1), unknownLike(runId, 2)].map((name, index) =>
      sendRequest(handle, forkPath(name), {
        row: index === 0 ? 'invisible' : 'unknown',
        name,
        body: JSON.stringify({ mode: 'replay' }),
      }),
    ),
  );
}

type Access = Recorded<AccessObservation>;

/** What the second tenant got for one request about the source, and for the same one about the fork. */
interface Pair {
  readonly source: Access;
  readonly fork: Access;
}

/**
 * replay.md, Privacy: a replayed run must not bypass checks that apply to reading its source. What is refused for the
 * source must be refused for the fork; how it is refused is left open.
 */
export function judgeAccess(recorded: Recordings): Outcome {
  const runs = needed(recorded, 'source', FORK);
  if (isOutcome(runs)) return runs;
  const { fork } = runs;
  const pairs = pairsIn(recorded);
  if (pairs.length === 0) return undecided('the second tenant did not ask', [fork]);
  const refused = pairs.filter(({ source }) => isRefused(source));
  const bypassed = refused.filter((pair) => isSuccess(pair.fork.status));
  const [first] = bypassed;
  if (first !== undefined) {
    const expected = `a refusal to the second tenant for ${named(fork)}, as for its source (${first.source.status ?? ''})`;
    const actual = bypassed.map((pair) => `${pair.fork.name}: ${pair.fork.status ?? ''}`).join('; ');
    return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, bypassed.flatMap(bothOf));
  }
  if (!mayAct(recorded)) {
    const reason = 'the second tenant is refused everything, also to make a run of its own';
    const evidence = [fork, ...pairs.slice(0, 1).map(({ source }) => source)];
    return undecidedUntil('give a credential that works (--tenant-b-key-env)', reason, evidence);
  }
  const snapshot = pairs.find(({ source: { name } }) => name === SNAPSHOT)?.source;
  if (snapshot === undefined || !isRefused(snapshot)) {
    return undecided(`the second tenant is not refused the source itself (${snapshot?.status ?? 'no answer'})`, [fork]);
  }
  const open = refused.find((pair) => !isRefused(pair.fork));
  if (open !== undefined) {
    return undecided(`${open.fork.name} of the fork was answered with ${open.fork.status ?? 'nothing'}`, bothOf(open));
  }
  return pass([...refused.flatMap(bothOf), fork], notes(refused));
}

function bothOf({ source, fork }: Pair): readonly Access[] {
  return [fork, source];
}

/** Whether the second credential is one: it makes a run, or is answered that an unknown run is not there. */
function mayAct(recorded: Recordings): boolean {
  const { runId = null } = runOf(recorded, OWN) ?? {};
  return runId !== null || requestsOf(recorded, 'unknown').some((each) => statusOf(each) === 404);
}

/** Refusals that differ, as the documents leave open how a reading is refused. */
function notes(pairs: readonly Pair[]): string | undefined {
  const lines = pairs
    .filter(({ source, fork }) => source.status !== fork.status)
    .map(({ source, fork }) => `${fork.name}: ${fork.status ?? ''}, of the source ${source.status ?? ''}`);
  return lines.length === 0 ? undefined : `refused differently: ${lines.join('; ')}`;
}

function pairsIn(recorded: Recordings): readonly Pair[] {
  const requested = ofType<AccessObservation>(recorded, 'access');
  return requested.flatMap((source) => {
    const fork = requested.find(({ of, name }) => of === 'fork' && name === source.name);
    return source.of === 'fork' || fork === undefined ? [] : [{ source, fork }];
  });
}

function isRefused({ status }: Access): boolean {
  return status !== null && isClientError(status) && !saysNothing(status, 'refusal');
}

const ROW = 'privacy.same-access-checks';

/** replay.md, Privacy: a replay belongs to whom its source belongs to. */
export const accessChecks = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A replay is kept from everybody from whom its source is kept',
  needs: [replays, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, () => ({ mode: 'replay' })),
  checks: [
    {
      id: ROW,
      title: 'What another tenant is refused of a run it is refused of a replay of it',
      judge: judgeAccess,
    },
    {
      id: `${ROW}.indistinguishable`,
      title: "To another tenant's fork request a replay is like a run that there is not",
      judge: (recorded) => judgeInvisible(recorded, FORK),
    },
  ],
});

/** The same for a branch. */
export const branchAccessChecks = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.branch`,
  title: 'A branch is kept from everybody from whom its source is kept',
  needs: [branches, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, branchBody),
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'What another tenant is refused of a run it is refused of a branch of it',
      judge: judgeAccess,
    },
  ],
});
