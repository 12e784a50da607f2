import { type Outcome, rests } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { cursorsAt } from '../../src/host/log/pages.ts';
import type { Probe } from '../../src/host/probe.ts';
import { annotationsPath, cancelPath, diffPath, eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { annotationBodies } from '../shared/seams.ts';
import { bounds } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { type Judged, judgeInvisibleReading, rowsOf } from '../shared/judge-invisible-reading.ts';
import { leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { type Kind, requestAbout, requestOwn } from '../shared/request-about.ts';
import { type RequestedObservation, requestsOf, sendRequest } from '../shared/requested.ts';
import { isObserved, startFork } from '../shared/run-observation.ts';
import { OWN, startOwn, whereServed } from '../shared/second-tenant.ts';
import { openOf, settle } from '../shared/settle.ts';
import { unknownLike } from '../shared/unknown-id.ts';

/** A kind with the title of its check; `part` is of another one, whose failure is its cause. */
interface Reading extends Kind {
  readonly title: string;
  readonly partOf?: string;
}

const RUN: Reading = {
  kind: 'run',
  title: 'the snapshot',
  path: ({ runId }) => runPath(runId),
  isEverywhere: true,
  reader: OWN,
};
const DIFF: Reading = {
  kind: 'diff',
  title: 'a comparison',
  reader: OWN,
  path: ({ runId, against }) => diffPath(runId, against),
};

/** In the order in which they are requested; the owner's cancel comes last of all. */
const READINGS: readonly Reading[] = [
  RUN,
  { kind: 'events', title: 'the events', path: ({ runId }) => eventsPath(runId), isLog: true, reader: OWN },
  {
    kind: 'events.resumed',
    title: 'the events that follow one of them',
    partOf: 'events',
    path: ({ runId }) => eventsPath(runId),
    headers: ({ after }) => ({ accept: 'text/event-stream, application/json;q=0.9', 'last-event-id': String(after) }),
    isLog: true,
    reader: OWN,
  },
  { kind: 'poll', title: 'a poll of the events', path: ({ runId }) => pollPath(runId), reader: OWN },
  {
    kind: 'poll.resumed',
    title: 'a poll of the events that follow one of them',
    partOf: 'poll',
    path: ({ runId, after }) => pollPath(runId) + (cursorsAt(after)[0] ?? ''),
    reader: OWN,
  },
  DIFF,
  {
    kind: 'annotate',
    title: 'an annotation',
    path: ({ runId }) => annotationsPath(runId),
    bodies: annotationBodies('conformance'),
    ownerFirst: true,
  },
  { kind: 'annotations', title: 'the annotations', path: ({ runId }) => annotationsPath(runId), ownerFirst: true },
  {
    kind: 'cancel',
    title: 'cancelling',
    path: ({ runId }) => cancelPath(runId),
    bodies: [{}],
    // Whether a run that has ended can be cancelled is the host's.
    refusals: [400, 409, 410, 422],
  },
];

/** Streams may be looked up elsewhere than the log as such, by their mode: one that is open where that is closed is a log that is. */
export const STREAMS: readonly Kind[] = ['debug', 'values', 'messages'].map((mode) => ({
  kind: `events.${mode}`,
  path: ({ runId }) => `${eventsPath(runId)}?streamMode=${mode}`,
  headers: () => ({ accept: 'text/event-stream' }),
  isLog: true,
  reader: OWN,
  strangerFirst: true,
}));

const ROW = 'fork.invisible-run';

function judgeReading(recorded: Recordings, reading: Reading): Outcome {
  const outcome = reading.kind === 'events' ? judgeEvents(recorded, reading) : judgeInvisibleReading(recorded, reading);
  const { partOf } = reading;
  const whole = READINGS.find(({ kind }) => kind === partOf);
  if (whole === undefined || outcome.kind !== 'fail') return outcome;
  return judgeInvisibleReading(recorded, whole).kind === 'fail' ? rests(`${ROW}.${whole.kind}`, outcome) : outcome;
}

/** The same of the log in each stream mode in which that was served. */
function judgeEvents(recorded: Recordings, reading: Reading): Outcome {
  const served = STREAMS.filter(({ kind }) => requestsOf(recorded, rowsOf(kind).owner).length > 0);
  return settle([reading, ...served].map((each) => judgeInvisibleReading(recorded, each)));
}

/** The comparisons of an own run with another tenant's, and of that with it. */
const BESIDE_OWN = {
  isEverywhere: true,
  reader: OWN,
  owner: 'the owner of a run that is compared with itself',
} as const;
export const AGAINST = { kind: 'diff against', ...BESIDE_OWN } satisfies Judged;
export const AGAINST_OWN = { kind: 'diff against its own', ...BESIDE_OWN } satisfies Judged;

/** The same of a comparison, which shows both of its runs (wire-contract, Endpoints: runs:read on both). */
export function judgeInvisibleDiff(recorded: Recordings): Outcome {
  const first = judgeInvisibleReading(recorded, DIFF);
  const own = runOf(recorded, OWN);
  // Absent in old evidence.
  if (first.kind !== 'pass' || own === undefined) return first;
  const left = leftWithout([own]);
  if (left !== undefined) return left;
  // One of them alone in old evidence.
  const driven = [AGAINST, AGAINST_OWN].filter(({ kind }) => requestsOf(recorded, rowsOf(kind).owner).length > 0);
  const others = driven.map((each) => judgeInvisibleReading(recorded, each));
  return openOf(others) ?? settle([first, ...others]);
}

/**
 * A run of the second tenant, compared on either side with the other tenant's run, with two that there are not, and with itself, and
 * requested as the other tenant's was.
 */
async function driveOwn(probe: Probe, otherTenant: HostHandle, foreign: string): Promise<readonly Observation[]> {
  const own = await startOwn(probe, otherTenant);
  if (!isObserved(own)) return [own];
  const { runId } = own;
  const compare = ({ kind }: Judged, pathOf: (name: string) => string) => {
    const rows = rowsOf(kind);
    const compared = [
      { row: rows.invisible, name: foreign },
      ...[1, 2].map((turn) => ({ row: rows.unknown, name: unknownLike(foreign, turn) })),
      { row: rows.owner, name: runId },
    ];
    return compared.map(({ row, name }) => sendRequest(otherTenant, pathOf(name), { row, name, method: 'GET' }));
  };
  const requested = [
    ...compare(AGAINST, (name) => diffPath(runId, name)),
    ...compare(AGAINST_OWN, (name) => diffPath(name, runId)),
  ];
  const answers = await Promise.all(requested);
  // Readings have that run itself for their control.
  for (const reading of READINGS.filter(({ reader, isEverywhere }) => reader === undefined && isEverywhere !== true)) {
    answers.push(await requestOwn(otherTenant, reading, { runId, against: runId, after: bounds(own).first }));
  }
  return [own, ...answers];
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, { mode: 'replay' }, { role: 'replay of its owner' });
  const { otherTenant } = probe;
  if (!isObserved(source) || otherTenant === undefined) return [source, fork];
  const { runId } = source;
  const own = { runId, against: fork.runId ?? runId, after: bounds(source).first };
  const requested: RequestedObservation[] = [];
  for (const kind of [...STREAMS, ...READINGS]) requested.push(...(await requestAbout(probe, otherTenant, kind, own)));
  return [source, fork, ...requested, ...(await driveOwn(probe, otherTenant, runId))];
}

/** replay.md, Privacy: what a caller may not see is not disclosed by any other request about it either. */
export const invisibleReadings = defineScenario({
  id: `${ROW}.readings`,
  suite: 'fork-contract',
  title: "Another tenant's run is disclosed by no reading of it",
  needs: [replays, { kind: 'second-tenant' }],
  drive,
  checks: READINGS.map((reading) => ({
    id: `${ROW}.${reading.kind}`,
    title: `Another tenant is refused ${reading.title} of a run, as of a run that there is not`,
    judge: whereServed((recorded) =>
      reading === DIFF ? judgeInvisibleDiff(recorded) : judgeReading(recorded, reading),
    ),
  })),
});
