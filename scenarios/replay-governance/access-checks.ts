import { advertisedModes, readPart } from '../../src/contract/discovery.ts';
import { fail, rests, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, diffPath, forkPath, interruptPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { askBetweenUnknown } from '../shared/between-unknown.ts';
import { cancelRun } from '../shared/cancel.ts';
import { bounds, eventsOf } from '../shared/compare-runs.ts';
import { startFirst, startPublic } from '../shared/first-run.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { asksStill, isAsking } from '../shared/open-question.ts';
import { branches, replays } from '../shared/replays.ts';
import { sendRequest } from '../shared/requested.ts';
import {
  createOnly,
  isObserved,
  replayBody,
  startFork,
  type ForkBody,
  type RunObservation,
} from '../shared/run-observation.ts';
import { isServed, OWN, startOwn, whereServed } from '../shared/second-tenant.ts';
import { failureOf } from '../shared/settle.ts';
import { changesOf, CHILD, childOf, SHORTLY, offeredBeside, PARENTS } from './access-of-nobody.ts';
import { askOfEach, READINGS, type AccessObservation, type AccessRequest } from './accessing.ts';
import { BRANCH, FORK, FURTHER, judgeAccess, LATER, snapshotOf, type Caller } from './judge-access.ts';
import { type ListedObservation, pagesAbout, readForkList } from './timeline-pages.ts';
import { wrong } from './diagnoses.ts';

/** Another tenant. It is known where it makes a run, and reads it. */
export const SECOND_TENANT: Caller = {
  name: 'the second tenant',
  option: '--tenant-b-key-env',
  isKnown: (recorded) => {
    const own = runOf(recorded, OWN);
    return own !== undefined && isServed(own);
  },
};

/** The role of the run that the credential without runs:read makes. */
const UNREAD = 'run that is not read';

/** The first tenant, without runs:read. It is known where it makes a run, or is answered that it may not read. */
export const BLIND: Caller = {
  name: 'a credential that may not read',
  option: '--blind-key-env',
  isKnown: (recorded) => (runOf(recorded, UNREAD)?.runId ?? null) !== null || snapshotOf(recorded)?.status === 403,
};

/**
 * Forks a run, and lets the second tenant ask for all that there is of the source and of the fork, and read and change a fork of that, and
 * one from a later event.
 */
async function driveAccess(
  probe: Probe,
  bodyFor: (source: RunObservation) => ForkBody,
  furtherBody?: ForkBody,
): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, bodyFor(source), { role: FORK });
  const { otherTenant } = probe;
  if (otherTenant === undefined || source.runId === null || fork.runId === null) return [source, fork];
  const own = await startOwn(probe, otherTenant);
  const further = furtherBody && isObserved(fork) ? [await startFork(probe, fork, furtherBody, { role: FURTHER })] : [];
  const laterBody = { ...bodyFor(source), fromSeq: bounds(source).middle };
  const later = furtherBody ? [await startFork(probe, source, laterBody, { role: LATER })] : [];
  const others = [...further, ...later].flatMap(({ role, runId }) =>
    runId === null ? [] : [[role as typeof FURTHER | typeof LATER, runId] as const],
  );
  const valid = replayBody(fork);
  const runs = [['source', source.runId] as const, [FORK, fork.runId] as const];
  const observations = [
    ...(await askOfEach(otherTenant, [...READINGS, ...offeredBeside(probe), ...changesOf(probe, valid)], others)),
    ...(await askOfEach(otherTenant, requestsFor(probe, own.runId, valid, [source, fork]), runs)),
  ];
  const listed = await readForkList({ ...probe, host: otherTenant }, source.runId);
  const made = [source, fork, ...further, ...later, own, ...(listed === undefined ? [] : [listed])];
  const asked = await askWaiting(probe, otherTenant, bodyFor);
  return [...made, ...observations, ...asked, ...(await forkAsStranger(otherTenant, fork.runId, valid))];
}

/** Forks a run that waits for somebody, and lets the second tenant answer the question of it and that of its fork, and cancel both. */
async function askWaiting(
  probe: Probe,
  otherTenant: HostHandle,
  bodyFor: (source: RunObservation) => ForkBody,
): Promise<readonly Observation[]> {
  const { candidate, run: source } = await startAsking(probe, 'source that waits');
  const fork = await startFork(probe, source, bodyFor(source), { role: 'fork that waits', until: isAsking });
  const waiting = [['source', source] as const, [FORK, fork] as const];
  const path = (runId: string): string => interruptPath(runId, candidate.nodeId);
  const request = {
    name: 'an answer to the question for which it waits',
    path,
    body: { resumeValue: candidate.goesOn },
  };
  const cancellation = { name: 'its cancellation while it waits', path: cancelPath, body: {} };
  const observations: AccessObservation[] = [];
  if (waiting.every(([, run]) => isObserved(run) && asksStill(eventsOf(run)))) {
    for (const [of, { runId }] of waiting) {
      const asked = await askOfEach(otherTenant, [request, cancellation], [[of, runId ?? '']]);
      observations.push(...asked.map((each) => ({ ...each, runId: runId ?? '' })));
    }
  }
  for (const [, { runId }] of waiting) await cancelRun(probe, runId);
  return [source, fork, ...observations];
}

/** Forks a run, and lets a credential that may not read ask for the source and for the fork. */
async function driveBlind(probe: Probe): Promise<readonly Observation[]> {
  const { run: source, workflowId, inputs } = await startFirst(probe, PARENTS, 'source');
  const fork = await startFork(probe, source, REPLAY, { role: FORK });
  const { blind } = probe;
  if (blind === undefined || !isObserved(source) || !isObserved(fork)) return [source, fork];
  const own = await createOnly({ ...probe, host: blind }, { workflowId, inputs }, UNREAD);
  const runs = [['source', source.runId] as const, [FORK, fork.runId] as const];
  const asked = await askOfEach(blind, [...READINGS, ...offeredBeside(probe)], runs);
  const further = await startFork(probe, fork, REPLAY, { role: FURTHER });
  const isOffered = advertisedModes(readPart(probe.discovery, 'replay'))?.includes('branch') !== false;
  const branch = isOffered ? [await startFork(probe, source, branchBody(source), { role: BRANCH })] : [];
  const others = [
    [FURTHER, further.runId] as const,
    [BRANCH, branch[0]?.runId ?? null] as const,
    [CHILD, childOf(fork) ?? null] as const,
  ].flatMap(([of, runId]) => (runId === null ? [] : [[of, runId] as const]));
  return [source, fork, own, ...asked, further, ...branch, ...(await askOfEach(blind, SHORTLY, others))];
}

/** A branch from the run's last event. */
export function branchBody(source: RunObservation): ForkBody {
  return { mode: 'branch', fromSeq: eventsOf(source).at(-1)?.sequence ?? 0 };
}

function comparisonsWith(own: string): readonly AccessRequest[] {
  return [
    { name: 'its comparison with an own run', path: (run) => diffPath(run, own) },
    { name: 'the comparison of an own run with it', path: (run) => diffPath(own, run) },
  ];
}

/** The pages of the Run Timeline View that are about a run, where they are advertised. */
function pagesOf(
  probe: Probe,
  { mode, fromSeq = 0 }: ForkBody,
  runs: readonly RunObservation[],
): readonly AccessRequest[] {
  const about = (runId: string) => pagesAbout(probe, { runId, mode, fromSeq: String(fromSeq) });
  return about('run').map(({ name }, index) => ({
    name,
    path: (runId: string) => about(runId)[index]?.path ?? '/',
    holdsEvent: holdingEventOf(runs),
  }));
}

/** Whether a page holds an event of its run. Short ids may stand anywhere, and the run's own stands in the page of any. */
export function holdingEventOf(runs: readonly RunObservation[]): NonNullable<AccessRequest['holdsEvent']> {
  return (text, runId) => {
    const others = text.replaceAll(runId, '');
    const events = runs.flatMap((run) => (run.runId === runId ? eventsOf(run) : []));
    return events.some(({ eventId }) => eventId.length > 7 && others.includes(eventId));
  };
}

/** All that can be requested of a run; what would change it comes last. */
function requestsFor(
  probe: Probe,
  own: string | null,
  valid: ForkBody,
  runs: readonly RunObservation[],
): readonly AccessRequest[] {
  return [
    ...READINGS,
    ...pagesOf(probe, valid, runs),
    ...(own === null ? [] : comparisonsWith(own)),
    ...offeredBeside(probe),
    { name: 'an answer to its question', path: (run) => interruptPath(run, 'ask'), body: { resumeValue: true } },
    ...changesOf(probe, valid),
  ];
}

/** The second tenant forks the fork, and runs that there are not. */
function forkAsStranger(handle: HostHandle, runId: string, valid: ForkBody): Promise<readonly Observation[]> {
  const body = JSON.stringify(valid);
  return askBetweenUnknown(runId, (row, name) =>
    sendRequest(handle, forkPath(name), { row, name, body, notesHeaders: true }),
  );
}

const ROW = 'privacy.same-access-checks';
const REPLAY: ForkBody = { mode: 'replay' };

/** The other runs that come of the source: what is open of these is named where the replay is not. */
export function judgeBlind(recorded: Recordings): Outcome {
  const outcome = judgeAccess(recorded, BLIND);
  const others = ([FURTHER, BRANCH, CHILD] as const).map((role) => judgeAccess(recorded, BLIND, role));
  return outcome.kind === 'fail' ? outcome : (failureOf(others) ?? outcome);
}

/** What a list shows of runs is read of them, too; where the host has none, it shows nothing. A replay from a later event is one, too. */
export function judgeListed(recorded: Recordings): Outcome {
  const ofAll = judgeAccess(recorded, SECOND_TENANT);
  const ofLater = judgeAccess(recorded, SECOND_TENANT, LATER);
  const outcome = ofAll.kind !== 'fail' && ofLater.kind === 'fail' ? ofLater : ofAll;
  const runId = runOf(recorded, FORK)?.runId ?? null;
  const listed = ofType<ListedObservation>(recorded, 'timeline-list').find(
    ({ children }) => runId !== null && children.includes(runId),
  );
  if (outcome.kind !== 'pass' || listed === undefined) return outcome;
  const expected = `no ${String(runId)} in the list of runs of the second tenant, which is refused it and its source`;
  const actual = `it stands there as a fork of ${listed.runId}`;
  return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, [listed]);
}

/** A replay of a replay that is open where the replay itself is says nothing more. */
function judgeFurther(recorded: Recordings): Outcome {
  const outcome = judgeAccess(recorded, SECOND_TENANT, FURTHER);
  const isOpen = outcome.kind === 'fail' && judgeAccess(recorded, SECOND_TENANT).kind === 'fail';
  return isOpen ? rests(ROW, outcome) : outcome;
}

/** A replay that is told from a run that there is not, as any run is, says nothing more. */
function judgeHidden(recorded: Recordings): Outcome {
  const outcome = judgeInvisible(recorded, FORK);
  return outcome.kind === 'fail' ? rests('fork.invisible-run', outcome) : outcome;
}

/** replay.md, Privacy: a replay belongs to whom its source belongs to. */
export const accessChecks = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A replay is kept from everybody from whom its source is kept',
  needs: [replays, { kind: 'second-tenant' }],
  drive: (probe) => driveAccess(probe, () => REPLAY, REPLAY),
  checks: [
    {
      id: ROW,
      title: 'What another tenant is refused of a run it is refused of a replay of it',
      judge: whereServed(judgeListed),
    },
    {
      id: `${ROW}.replay-of-replay`,
      title: 'Nor does it read or change a replay of the replay',
      judge: whereServed(judgeFurther),
    },
    {
      id: `${ROW}.indistinguishable`,
      title: "To another tenant's fork request a replay is like a run that there is not",
      judge: whereServed(judgeHidden),
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
      judge: whereServed((recorded) => judgeAccess(recorded, SECOND_TENANT)),
    },
  ],
});

/** The same for the scope runs:read. */
export const scopeChecks = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.scope`,
  title: 'A replay is kept from a credential that may not read its source',
  needs: [replays, { kind: 'blind-credential' }],
  drive: driveBlind,
  checks: [
    {
      id: `${ROW}.scope`,
      title:
        'A credential without runs:read sees no replay: no snapshot, log, stream or comparison, and no branch or child',
      judge: judgeBlind,
    },
  ],
});
