import { member } from '../../src/contract/discovery.ts';
import type { Diagnosis, Judgement } from '../../src/contract/verdict.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import { isClientError, isSuccess } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { requestsOf, shownAnswer, whyUndecided, type RequestedObservation } from '../shared/requested.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { passing, undecided, type SeenRun } from '../shared/judging.ts';
import { AFTER, BEFORE, DELETE, PATH, twinOf, type AskedAgainObservation } from './deleted-drive.ts';
import { heardOf, type HeardObservation } from './listen.ts';
import { notSeen } from './not-seen.ts';
import type { Recordings } from './row.ts';
import { seamOf } from './seam.ts';

/** Which fork a check is about. */
export interface Deleting {
  readonly check: string;
  readonly role: string;
}

/** What came of a fork after the deletion. */
interface Outcome {
  readonly asked: Recorded<RequestedObservation>;
  readonly heard: Recorded<HeardObservation>;
  /** The fork's run; undefined where there is none. */
  readonly run: SeenRun | undefined;
  readonly kind: 'refused' | 'failed' | 'completed' | 'stumbled';
}

/** replay.md, Privacy: a replay that needs deleted data must fail. */
export function judgeRefused(observations: Recordings, deleting: Deleting): Judgement {
  const outcome = outcomeOf(observations, deleting);
  if ('verdict' in outcome) return outcome;
  const { check, role } = deleting;
  const { asked, heard, run, kind } = outcome;
  const evidence = [asked, heard, ...(run === undefined ? [] : [run])];
  if (kind === 'refused' || kind === 'failed') return passing(check, evidence);
  return {
    check,
    verdict: 'fail',
    expected: `the ${role} is refused with a 4xx, or ends failed: ${PATH} of its source was deleted`,
    actual: kind === 'completed' && run !== undefined ? `${named(run)} completed` : shownAnswer(asked),
    diagnosis: diagnose(observations, deleting, outcome),
    evidence: evidence.map(({ id }) => id),
  };
}

function diagnose(observations: Recordings, { role }: Deleting, { heard, kind }: Outcome): Diagnosis {
  if (kind === 'stumbled') return { code: 'server-error', message: 'the host stumbles over data that is not there' };
  if (heard.answers.some(({ shows }) => shows.length > 0)) {
    return { code: 'served-deleted-data', message: 'the replay was served what was deleted' };
  }
  const calls = observations.find(
    (each): each is Recorded<AskedAgainObservation> =>
      each.type === 'tool-calls' && (each as Recorded<AskedAgainObservation>).role === role,
  );
  return calls !== undefined && calls.after > calls.before
    ? { code: 'fetched-again', message: 'the external system was asked again for what was deleted' }
    : { code: 'replayed-without', message: 'the replay went on without the data that it needs' };
}

/** replay.md, Privacy: with a canonical error, as a refusal or as the error of the run. */
export function judgeCanonicalError(observations: Recordings, deleting: Deleting): Judgement {
  const outcome = outcomeOf(observations, deleting);
  if ('verdict' in outcome) return outcome;
  const { check } = deleting;
  const { asked, run, kind } = outcome;
  if (kind === 'refused') {
    const actual = envelopeProblem(asked);
    if (actual === undefined) return passing(check, [asked]);
    return {
      check,
      verdict: 'fail',
      expected: ENVELOPE_TEXT,
      actual,
      restsOn: FOUNDATIONS.envelopes,
      evidence: [asked.id],
    };
  }
  if (kind !== 'failed' || run === undefined)
    return undecided(check, 'the replay was neither refused nor failed', [asked]);
  const code = errorCode(run);
  if (typeof code === 'string' && code !== '') return passing(check, [run]);
  const expected = `error.code, a non-empty string, in the snapshot or in run.failed of ${named(run)}`;
  return { check, verdict: 'fail', expected, actual: shown(code), evidence: [run.id] };
}

function errorCode(run: SeenRun): unknown {
  const failed = eventsOf(run).findLast(({ type }) => type === 'run.failed');
  const inLog = member(member(failed?.payload, 'error'), 'code') ?? member(failed?.payload, 'code');
  return member(member(run.snapshot, 'error'), 'code') ?? inLog;
}

/** replay.md, Privacy: rather than re-exposing deleted material. Everything about these forks was searched for it. */
export function judgeReExposed(
  observations: Recordings,
  { check, roles }: { readonly check: string; readonly roles: readonly string[] },
): Judgement {
  const heard: Recorded<HeardObservation>[] = [];
  for (const role of roles) {
    const outcome = outcomeOf(observations, { check, role });
    const own = heardOf(observations, role);
    const leak = own?.answers.find(({ shows }) => shows.length > 0);
    if (isDeleted(check, observations) === undefined && own !== undefined && leak !== undefined) {
      const [first] = leak.shows;
      const expected = `nothing about the ${role} shows what ${PATH} of its source held before it was deleted`;
      const actual = `${leak.request} (${leak.status}) shows it, ${first?.spelling ?? ''}`;
      return { check, verdict: 'fail', expected, actual, evidence: [own.id] };
    }
    if ('verdict' in outcome) return outcome;
    if (outcome.kind === 'stumbled')
      return undecided(check, `the ${role}: ${shownAnswer(outcome.asked)}`, [outcome.asked]);
    heard.push(outcome.heard);
  }
  return passing(check, heard);
}

/** What came of the fork of a role, or the judgement that is left. */
function outcomeOf(observations: Recordings, { check, role }: Deleting): Outcome | Judgement {
  const missing = isDeleted(check, observations);
  if (missing !== undefined) return missing;
  const twin = runOf(observations, twinOf(role));
  const unforked = notSeen(check, [twin]);
  if (unforked !== undefined || twin === undefined) return unforked ?? undecided(check, 'no twin', []);
  if (endOf(twin) !== 'completed') return undecided(check, `${named(twin)} did not complete either`, [twin]);
  const asked = requestsOf(observations, 'fork').find(({ name }) => name === role);
  const heard = heardOf(observations, role);
  if (asked === undefined || heard === undefined) return undecided(check, `no ${role} was asked for`, [twin]);
  const why = whyUndecided(asked);
  if (why !== undefined) return undecided(check, why, [asked]);
  const status = asked.answer.kind === 'answer' ? asked.answer.status : 0;
  if (isClientError(status)) return { asked, heard, run: undefined, kind: 'refused' };
  if (!isSuccess(status)) return { asked, heard, run: undefined, kind: 'stumbled' };
  const run = runOf(observations, role);
  const unended = unseen(check, [run]);
  if (unended !== undefined || run === undefined) return unended ?? undecided(check, 'no run', [asked]);
  const end = endOf(run);
  if (end === 'completed' || end === 'failed') return { asked, heard, run, kind: end };
  return undecided(check, `${named(run)} ended neither completed nor failed`, [run]);
}

function endOf(run: SeenRun): string | undefined {
  return eventsOf(run)
    .map(({ type }) => terminalStatus(type))
    .findLast((status) => status !== undefined);
}

/** The judgement that is left where nothing was seen to be deleted; undefined where it was. */
function isDeleted(check: string, observations: Recordings): Judgement | undefined {
  const source = runOf(observations, 'source');
  const missing = unseen(check, [source]);
  if (missing !== undefined || source === undefined) return missing ?? undecided(check, 'no run was driven', []);
  const [before, after] = [heardOf(observations, BEFORE), heardOf(observations, AFTER)];
  if (before === undefined || before.answers.every(({ shows }) => shows.length === 0)) {
    const reason = `${named(source)} does not show what its tool answered: the host has to call the witness`;
    return undecided(check, reason, [source]);
  }
  const seam = seamOf(observations, DELETE);
  if (seam === undefined) return undecided(check, 'nothing was deleted', [source]);
  if (seam.problem !== null) return undecided(check, `${seam.problem} (answered to {runId, path})`, [seam]);
  if (after === undefined) return undecided(check, 'the source was not read again', [seam]);
  const left = after.answers.find(({ shows }) => shows.length > 0);
  if (left === undefined) return undefined;
  return undecided(check, `after ${PATH} was deleted the source still shows it: ${left.request}`, [seam, after]);
}
