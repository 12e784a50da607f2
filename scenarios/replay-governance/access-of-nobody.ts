import { readPart } from '../../src/contract/discovery.ts';
import { determinismReport, feedback } from '../../src/contract/gates.ts';
import { fail, isOutcome, notApplicable, type Outcome, pass, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { annotationsPath, cancelPath, eventsPath, forkPath, runPath } from '../../src/protocol/paths.ts';
import { isAboutCaller, isClientError, isSuccess, saysNothing } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { bounds, eventsOf, named } from '../shared/compare-runs.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import { replays } from '../shared/replays.ts';
import { type ForkBody, isObserved, offersMode, type RunObservation, startFork } from '../shared/run-observation.ts';
import { type AccessObservation, type AccessRequest, askOfEach, READINGS, SNAPSHOT } from './accessing.ts';
import { wrong } from './diagnoses.ts';
import { BRANCH, FORK, FURTHER } from './judge-access.ts';
import { needed } from './needed.ts';
import { reportPath } from './score-report.ts';
import { type PageObservation, readPage, timelinePath } from './timeline-pages.ts';

/** The role of a run that the fork dispatched, or whose dispatch it shows. */
export const CHILD = 'child of the fork';

/** Workflows that dispatch a child go before. */
export const PARENTS = ['conformance-multi-agent-handoff', ...PUBLIC_FIXTURES] as const;

/** What is read of a child, and of other runs that come of the source. */
export const SHORTLY: readonly AccessRequest[] = [
  { name: SNAPSHOT, path: runPath },
  { name: 'the event stream', path: eventsPath, isStream: true },
];

/** Nobody has read a log before of which it reads the rest. */
const WHOLE = READINGS.filter(({ name }) => !name.startsWith('the rest of'));

/** The first child that a run names. */
export function childOf(run: RunObservation): string | undefined {
  return childrenNamedIn(eventsOf(run))[0];
}

/** What is read of a run beside its log, where it is offered. */
export function offeredBeside({ discovery }: Pick<Probe, 'discovery'>): readonly AccessRequest[] {
  const report: AccessRequest = { name: 'its determinism report', path: (run) => reportPath(discovery, run) };
  const annotations: AccessRequest = { name: 'its annotations', path: annotationsPath };
  return [
    ...(determinismReport({ replay: readPart(discovery, 'replay') }).open ? [report] : []),
    ...(feedback({ feedback: readPart(discovery, 'feedback') }).open ? [annotations] : []),
  ];
}

/** What changes a run, or makes another of it, where it is offered. */
export function changesOf({ discovery }: Pick<Probe, 'discovery'>, valid: ForkBody): readonly AccessRequest[] {
  const body = { signal: { kind: 'label', label: 'seen' } };
  const annotation: AccessRequest = { name: 'an annotation of it', path: annotationsPath, body };
  return [
    ...(feedback({ feedback: readPart(discovery, 'feedback') }).open ? [annotation] : []),
    { name: 'a fork of it', path: forkPath, body: { ...valid } },
    { name: 'its cancellation', path: cancelPath, body: {} },
  ];
}

/** The page of a run as nobody is shown it; nothing where none is advertised. */
async function pageFor(nobody: Probe, { runId, events }: RunObservation & { readonly runId: string }) {
  const isAdvertised = typeof timelinePath(nobody, 'run', { runId }) === 'string';
  const eventId = eventsOf({ events })[0]?.eventId ?? '';
  return isAdvertised ? [await readPage(nobody, { link: 'run', runId, eventId, wanted: null })] : [];
}

/** What a host answers everybody at a route that it does not offer: it shows nothing of a run. */
const NOT_OFFERED = 501;

function withoutCredential(handle: HostHandle): HostHandle {
  return {
    ...handle,
    exchange: (request) => handle.exchange({ ...request, anonymous: true }),
    stream: (request, reader) => handle.stream({ ...request, anonymous: true }, reader),
  };
}

/** Forks a run and its fork, and lets nobody read and change the forks, and read the child; of the source only what of these is open. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { run: source } = await startFirst(probe, PARENTS, 'source');
  const fork = await startFork(probe, source, REPLAY, { role: FORK });
  if (probe.hasCredential !== true || !isObserved(source) || !isObserved(fork)) return [source, fork];
  const nobody = withoutCredential(probe.host);
  const last: ForkBody = { mode: BRANCH, fromSeq: bounds(source).last };
  const others = [
    await startFork(probe, fork, REPLAY, { role: FURTHER }),
    ...(offersMode(probe.discovery, BRANCH) ? [await startFork(probe, source, last, { role: BRANCH })] : []),
  ];
  const further = others.flatMap(({ role, runId }) =>
    runId === null ? [] : [[role as typeof BRANCH, runId] as const],
  );
  const requests = [...WHOLE, ...offeredBeside(probe), ...changesOf(probe, REPLAY)];
  const child = childOf(fork);
  const asked = [
    ...(await askOfEach(nobody, requests, [[FORK, fork.runId], ...further])),
    ...(child === undefined ? [] : await askOfEach(nobody, SHORTLY, [[CHILD, child]])),
  ];
  const served = asked.filter(isServed).map(({ name }) => name);
  const open = requests.filter(({ name }) => served.includes(name) || (name === SNAPSHOT && served.length > 0));
  const page = await pageFor({ ...probe, host: nobody }, fork);
  const pages = page.some(({ showsEvent }) => showsEvent) ? await pageFor({ ...probe, host: nobody }, source) : [];
  return [
    source,
    fork,
    ...others,
    ...asked,
    ...(await askOfEach(nobody, open, [['source', source.runId]])),
    ...page,
    ...pages,
  ];
}

function isServed({ status, isEmpty }: Pick<AccessObservation, 'status' | 'isEmpty'>): boolean {
  return isSuccess(status) && isEmpty !== true;
}

function isRefused({ status }: Pick<AccessObservation, 'status'>): boolean {
  return status !== null && isClientError(status) && !saysNothing(status, 'refusal');
}

/**
 * replay.md, Privacy: what nobody is let read of a run nobody is let read of a replay of it either. A page may be there for everybody,
 * and ask for a credential: it is open where an event of the run stands in it.
 */
export function judgeNobody(recorded: Recordings): Outcome {
  const runs = needed(recorded, 'source', FORK);
  if (isOutcome(runs)) return runs;
  const { [FORK]: fork } = runs;
  const asked = ofType<AccessObservation>(recorded, 'access');
  const readings = asked.filter(({ of }) => of !== 'source');
  if (readings.length === 0) return notApplicable('no credential was given for this host', [fork]);
  const sourceOf = ({ name }: Pick<AccessObservation, 'name'>) =>
    asked.find((each) => each.of === 'source' && each.name === name);
  const snapshot = sourceOf({ name: SNAPSHOT });
  // What is not there of a source that everybody reads, or is in no state for it, is kept from nobody.
  const isClosed = (source: Recorded<AccessObservation>): boolean =>
    isRefused(source) && (isAboutCaller(source.status ?? 0) || (snapshot !== undefined && isRefused(snapshot)));
  const served = readings.filter(isServed);
  const bypassed = served.flatMap((reading) => {
    const source = sourceOf(reading);
    return source !== undefined && isClosed(source) ? [{ reading, source }] : [];
  });
  const [first] = bypassed;
  if (first !== undefined) {
    const expected = `a refusal without a credential, as for ${named(runs.source)} (${first.source.status ?? ''})`;
    const actual = bypassed.map(({ reading: { of, name, status } }) => `${of}, ${name}: ${status ?? ''}`).join('; ');
    const evidence = bypassed.flatMap(({ reading, source }) => [reading, source]);
    return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, evidence);
  }
  const [page, ofSource] = [fork.runId, runs.source.runId].map((runId) =>
    ofType<PageObservation>(recorded, 'timeline-page').find((each) => each.runId === runId),
  );
  if (page?.showsEvent === true && ofSource?.showsEvent === false) {
    const expected = `no event of ${named(fork)} in its page without a credential, as in that of its source`;
    const actual = `GET ${page.path ?? ''} shows its first event`;
    return fail({ expected, actual, diagnosis: wrong('checks-bypassed') }, [page, ofSource]);
  }
  const ofTheWire = readings.filter(({ name }) => READINGS.some((each) => each.name === name));
  const open = ofTheWire.find((reading) => !isRefused(reading) && reading.status !== NOT_OFFERED);
  if (open === undefined) return pass([...ofTheWire, fork]);
  const left = undecided(`without a credential, ${open.name} was answered with ${open.status ?? 'nothing'}`, [open]);
  return isServed(open) ? rests('run.error-envelope.no-credential', left) : left;
}

const REPLAY: ForkBody = { mode: 'replay' };
const CHECK = 'privacy.same-access-checks.nobody';

/** The same checks for whoever names no credential. */
export const accessOfNobody = defineScenario({
  suite: 'replay-governance',
  id: CHECK,
  title: 'A replay is kept from whoever names no credential',
  needs: [replays],
  drive,
  checks: [
    {
      id: CHECK,
      title:
        'What is refused of a run without a credential is refused of replays and branches of it, and of the child that it shows',
      judge: judgeNobody,
    },
  ],
});
