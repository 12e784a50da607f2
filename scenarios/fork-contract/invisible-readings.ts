import { member } from '../../src/contract/discovery.ts';
import { fail, notApplicable, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { cancelPath, diffPath, eventsPath, pollPath, runPath } from '../../src/protocol/paths.ts';
import { isAboutCaller, isNoRoute } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { startPublic } from '../shared/first-run.ts';
import { bodyDifference, type InvisibleAnswers } from '../shared/judge-invisible.ts';
import { leftWithout, runOf } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import {
  accepted,
  bodyOf,
  requestedBy,
  requestsOf,
  sendRequest,
  shownAnswer,
  statusOf,
  whyUndecided,
  type Requested,
  type RequestedObservation,
} from '../shared/requested.ts';
import { isSeen, startFork } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';

/** The rows of one kind of request: what the owner was answered, and the second tenant about that run and unknown ones. */
export function rowsOf(kind: string): { readonly owner: string; readonly invisible: string; readonly unknown: string } {
  return {
    owner: `${kind} by its owner`,
    invisible: `${kind} by another tenant`,
    unknown: `${kind} of an unknown run`,
  };
}

interface Answers extends InvisibleAnswers {
  readonly owner: Requested;
}

/** The kind of a comparison of an own run with another tenant's. */
export const AGAINST = 'diff against';
/** The role of the run that the second tenant compares. */
export const OWN = "the second tenant's run";

/** The same of a comparison, which shows both of its runs (wire-contract, Endpoints: runs:read on both). */
export function judgeInvisibleDiff(recorded: Recordings): Outcome {
  const first = judgeInvisibleReading(recorded, 'diff');
  const own = runOf(recorded, OWN);
  // Absent in old evidence.
  if (first.kind !== 'pass' || own === undefined) return first;
  const second = leftWithout([own]) ?? judgeInvisibleReading(recorded, AGAINST);
  if (second.kind !== 'pass') return second;
  return pass([...first.evidence, ...second.evidence], first.reason ?? second.reason);
}

/**
 * Judges that another tenant's run is not disclosed by one kind of request (replay.md, Privacy). A success is a failure; a
 * refusal that differs from that of an unknown run is noted and not failed: the documents say 404 of the fork endpoint.
 */
export function judgeInvisibleReading(recorded: Recordings, kind: string): Outcome {
  const left = leftWithout([runOf(recorded, 'source') ?? 'source']);
  if (left !== undefined) return left;
  const rows = rowsOf(kind);
  const [owner] = requestsOf(recorded, rows.owner);
  const [invisible] = requestsOf(recorded, rows.invisible);
  const [unknown, other] = requestsOf(recorded, rows.unknown);
  if (owner === undefined || invisible === undefined || unknown === undefined || other === undefined) {
    return undecided('the second tenant requested nothing', []);
  }
  const evidence = [invisible, unknown, other, owner];
  if (!isServed(owner, kind)) {
    const whose = kind === AGAINST ? 'the owner of a run that is compared with itself' : 'its owner';
    const reason = `${whose} was answered ${shownAnswer(owner)}`;
    const isAbsent = kind !== 'run' && kind !== AGAINST && isNoRoute(statusOf(owner));
    return isAbsent ? notApplicable(reason, evidence) : undecided(reason, evidence);
  }
  const why = [invisible, unknown, other].map(whyUndecided).find((each) => each !== undefined);
  if (why !== undefined) return undecided(why, evidence);
  if (accepted(invisible)) return disclosed({ invisible, unknown, other, owner });
  if (isAboutCaller(statusOf(unknown))) {
    return undecidedUntil(
      'answer 404 for runs that there are not',
      `to the second tenant a run that there is not is ${shownAnswer(unknown)}`,
      evidence,
    );
  }
  if (shapeOf(invisible) === shapeOf(unknown)) return pass(evidence);
  const [is, expected] = [shownAnswer(invisible), shownAnswer(unknown)];
  return pass(evidence, `refused, but not like a run that there is not: ${is} instead of ${expected}`);
}

/** Whether the owner's answer shows the endpoint at work. Whether a run that has ended can be cancelled is the host's. */
function isServed(owner: Requested, kind: string): boolean {
  return accepted(owner) || (kind === 'cancel' && [400, 409, 410, 422].includes(statusOf(owner)));
}

/** A success to another tenant is none where unknown runs, and not the owner's, are answered with the same nothing. */
function disclosed(answers: Answers): Outcome {
  const { invisible, unknown, other, owner } = answers;
  const evidence = [invisible, unknown, other, owner];
  if (accepted(unknown) && accepted(other) && statusOf(unknown) === statusOf(invisible)) {
    if ([invisible, unknown, other].some((each) => bodyOf(each) === undefined)) {
      return undecidedUntil(
        'answer 404 for runs that there are not',
        'unknown runs are answered with a success as well',
        evidence,
      );
    }
    if (bodyDifference(answers) === undefined) {
      const isOwnersToo =
        statusOf(owner) === statusOf(unknown) && bodyDifference({ ...answers, invisible: owner }) === undefined;
      return isOwnersToo
        ? undecidedUntil(
            'answer 404 for runs that there are not',
            `its owner and unknown runs are answered alike: ${shownAnswer(unknown)}`,
            evidence,
          )
        : pass(evidence, `an unknown run is answered alike: ${shownAnswer(unknown)}`);
    }
  }
  const expected = '404, as for a run that there is not';
  const actual = `${shownAnswer(invisible)} for a run of another tenant`;
  return fail({ expected, actual, diagnosis: sharedCause('tenants-mixed') }, evidence);
}

/** What tells one refusal from another: its status, its error code and the names of its members. */
function shapeOf(requested: Requested): string {
  const body = bodyOf(requested);
  const names = typeof body === 'object' && body !== null ? Object.keys(body).toSorted() : [];
  return JSON.stringify([statusOf(requested), member(body, 'error') ?? null, names]);
}

/** A kind of request about a run; `against` is another run of the same owner. */
interface Kind {
  readonly kind: string;
  readonly title: string;
  readonly path: (runId: string, against: string) => string;
  readonly method: 'GET' | 'POST';
}

/** In the order in which they are requested; the owner's cancel comes last of all. */
const KINDS: readonly Kind[] = [
  { kind: 'run', title: 'the snapshot', method: 'GET', path: runPath },
  { kind: 'events', title: 'the events', method: 'GET', path: eventsPath },
  { kind: 'poll', title: 'a poll of the events', method: 'GET', path: pollPath },
  { kind: 'diff', title: 'a comparison', method: 'GET', path: diffPath },
  { kind: 'cancel', title: 'cancelling', method: 'POST', path: cancelPath },
];

/** One run that is requested, and the run beside it. */
interface About {
  readonly row: string;
  readonly runId: string;
  readonly against: string;
}

/** A stream is left as soon as it is one: whether it is served is what counts. */
async function requestAbout(handle: HostHandle, of: Kind, about: About): Promise<RequestedObservation> {
  const { kind, method } = of;
  const { row, runId, against } = about;
  const path = of.path(runId, against);
  const sent = { row, name: runId, method };
  if (kind !== 'events') return sendRequest(handle, path, { ...sent, ...(method === 'POST' && { body: '{}' }) });
  const headers = { accept: 'application/json, text/event-stream;q=0.9' };
  const exchange = await handle.stream(
    { method: 'GET', path, headers },
    {
      head: (_, answered) => (/^text\/event-stream\b/iu.test(answered['content-type'] ?? '') ? 'stop' : 'read'),
      text: () => 'more',
    },
  );
  // Only whole exchanges come again after a 429.
  if (exchange.kind === 'response' && exchange.status === 429) return sendRequest(handle, path, { ...sent, headers });
  return requestedBy(exchange, { row, name: runId, request: '' });
}

/** A run of the second tenant, compared with the other tenant's run, with two that there are not, and with itself. */
async function compareOwn(probe: Probe, otherTenant: HostHandle, foreign: string): Promise<readonly Observation[]> {
  const own = await startPublic({ ...probe, host: otherTenant }, OWN);
  if (!isSeen(own)) return [own];
  const { runId } = own;
  const rows = rowsOf(AGAINST);
  const compared = [
    { row: rows.invisible, name: foreign },
    ...[1, 2].map((turn) => ({ row: rows.unknown, name: unknownLike(foreign, turn) })),
    { row: rows.owner, name: runId },
  ];
  const send = ({ row, name }: { row: string; name: string }) =>
    sendRequest(otherTenant, diffPath(runId, name), { row, name, method: 'GET' });
  return [own, ...(await Promise.all(compared.map(send)))];
}

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, 'source');
  const fork = await startFork(probe, source, { mode: 'replay' }, { role: 'replay of its owner' });
  const { otherTenant } = probe;
  if (!isSeen(source) || otherTenant === undefined) return [source, fork];
  const { runId } = source;
  const own = { runId, against: fork.runId ?? runId };
  const unknown = [1, 2].map((turn) => ({ runId: unknownLike(runId, turn), against: unknownLike(runId, turn + 2) }));
  const requested: RequestedObservation[] = [];
  for (const kind of KINDS) {
    const rows = rowsOf(kind.kind);
    const abouts = [{ row: rows.invisible, ...own }, ...unknown.map((each) => ({ row: rows.unknown, ...each }))];
    for (const about of abouts) requested.push(await requestAbout(otherTenant, kind, about));
    requested.push(await requestAbout(probe.host, kind, { row: rows.owner, ...own }));
  }
  return [source, fork, ...requested, ...(await compareOwn(probe, otherTenant, runId))];
}

/** replay.md, Privacy: what a caller may not see is not disclosed by any other request about it either. */
export const invisibleReadings = defineScenario({
  id: 'fork.invisible-run.readings',
  suite: 'fork-contract',
  title: "Another tenant's run is disclosed by no reading of it",
  needs: [replays, { kind: 'second-tenant' }],
  drive,
  checks: KINDS.map(({ kind, title }) => ({
    id: `fork.invisible-run.${kind}`,
    title: `Another tenant is refused ${title} of a run, as of a run that there is not`,
    judge: (recorded) => (kind === 'diff' ? judgeInvisibleDiff(recorded) : judgeInvisibleReading(recorded, kind)),
  })),
});
