import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, pass, undecided, undecidedUntil, type Outcome } from '../../src/contract/outcome.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { isClientError, isSuccess } from '../../src/protocol/status.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { ENVELOPE_TEXT, envelopeProblem } from '../shared/envelope.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { need, type RecordedRun } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { requestsOf, shownAnswer, statusOf, whyUndecided, type Requested } from '../shared/requested.ts';
import { wrong } from './diagnoses.ts';
import { type Heard, heardOf, type HeardObservation } from './listen.ts';
import { neededRun } from './needed.ts';
import { seamOf } from './seam.ts';
import { alone } from '../shared/causes.ts';

/** The seam that deletes data of a run, and the data. */
export const [DELETE, PATH] = ['data/delete', '/variables/note'] as const;

/** The roles of what was heard of the source. */
export const [BEFORE, AFTER] = ['source before the deletion', 'source after the deletion'] as const;

/** The role of a fork that was made before the deletion. */
export function controlOf(role: string): string {
  return `${role} before the deletion`;
}

/** How often the tool was called before and after a fork. */
export interface ToolCallsObservation extends Observation {
  readonly type: 'tool-calls';
  readonly role: string;
  readonly before: number;
  readonly after: number;
}

function toolCallsOf(recorded: Recordings, role: string): Recorded<ToolCallsObservation> | undefined {
  return ofType<ToolCallsObservation>(recorded, 'tool-calls').find((each) => each.role === role);
}

/** What came of a fork after the deletion. */
interface Fork {
  readonly role: string;
  readonly requested: Requested;
  readonly heard: Recorded<HeardObservation>;
  /** The fork's run; undefined where there is none. */
  readonly run: RecordedRun | undefined;
  readonly end: 'refused' | 'failed' | 'completed' | 'stumbled';
  /** Whether the host called the tool again for it. */
  readonly isFetched: boolean;
}

/** The recordings of a source that showed the data before its deletion and not after it, or the outcome that is left. */
export function seeDeletion(recorded: Recordings): Recordings | Outcome {
  const runs = need(recorded, 'source');
  if (isOutcome(runs)) return runs;
  const { source } = runs;
  const [before, after] = [heardOf(recorded, BEFORE), heardOf(recorded, AFTER)];
  if (before === undefined || before.answers.every(({ shows }) => shows.length === 0)) {
    const calls = toolCallsOf(recorded, BEFORE);
    if (calls === undefined || calls.after === calls.before)
      return undecided(notVisited(`the tool of ${named(source)} was not called`), [source]);
    return undecidedUntil(
      'show what a tool answered in the log or the snapshot',
      `${named(source)} called its tool and shows nowhere what that answered`,
      [source, calls],
    );
  }
  const seam = seamOf(recorded, DELETE);
  if (seam === undefined) return undecided('nothing was deleted', [source]);
  if (seam.problem !== null) return undecided(`${seam.problem} (answered to {runId, path})`, [seam]);
  if (after === undefined) return undecided('the source was not read again', [seam]);
  // What a refusal to fork it shows is for the forks to say.
  const left = after.answers.find((each) => each.shows.length > 0 && !isForkRefused(each));
  return left === undefined ? recorded : stillShown(left, [seam, after]);
}

function isForkRefused({ surface, request }: Heard): boolean {
  return surface === 'refusal' && /^POST .*:fork$/u.test(request);
}

function stillShown({ request, surface }: Heard, evidence: readonly Recorded<Observation>[]): Outcome {
  const where = surface === 'refusal' ? 'a refusal' : 'the source';
  const why = `after ${PATH} was deleted ${where} still shows it: ${request}`;
  return undecidedUntil('let the seam data/delete delete it wherever it is read', why, evidence);
}

/** replay.md, Privacy: a replay that needs deleted data must fail. */
export function judgeRefused(recorded: Recordings, role: string): Outcome {
  const fork = forkOf(recorded, role);
  if (isOutcome(fork)) return fork;
  const { requested, heard, run, end } = fork;
  const evidence = [requested, heard, ...(run === undefined ? [] : [run])];
  if (end === 'refused' || end === 'failed') return pass(evidence);
  const expected = `the ${role} is refused with a 4xx, or ends failed: ${PATH} of its source was deleted`;
  const actual = end === 'completed' && run !== undefined ? `${named(run)} completed` : shownAnswer(requested);
  return fail({ expected, actual, diagnosis: diagnose(fork) }, evidence);
}

function diagnose({ heard, end, isFetched }: Fork): Diagnosis {
  if (end === 'stumbled') return sharedCause('server-error');
  if (heard.answers.some(({ shows }) => shows.length > 0)) return wrong('served-deleted-data');
  return wrong(isFetched ? 'fetched-again' : 'replayed-without');
}

/** replay.md, Privacy: with a canonical error, as a refusal or as the error of the run. */
export function judgeCanonicalError(recorded: Recordings, role: string): Outcome {
  const fork = forkOf(recorded, role);
  if (isOutcome(fork)) return fork;
  const { requested, run, end } = fork;
  if (end === 'refused') {
    const actual = envelopeProblem(requested);
    if (actual === undefined) return pass([requested]);
    return fail(
      { diagnosis: sharedCause('not-in-envelope'), expected: ENVELOPE_TEXT, actual, restsOn: FOUNDATIONS.envelopes },
      [requested],
    );
  }
  if (end !== 'failed' || run === undefined)
    return undecidedUntil('refuse it, or let it fail with an error code', 'the replay was neither refused nor failed', [
      requested,
    ]);
  const code = errorCode(run);
  if (typeof code === 'string' && code !== '') return pass([run]);
  const expected = `error.code, a non-empty string, in the snapshot or in run.failed of ${named(run)}`;
  return fail({ diagnosis: wrong('failure-without-code'), expected, actual: shown(code) }, [run]);
}

function errorCode(run: RecordedRun): unknown {
  const failed = eventsOf(run).findLast(({ type }) => type === 'run.failed');
  const inLog = member(member(failed?.payload, 'error'), 'code') ?? member(failed?.payload, 'code');
  return member(member(run.snapshot, 'error'), 'code') ?? inLog;
}

/** replay.md, Privacy: rather than re-exposing deleted material. Everything about these forks was searched for it. */
export function judgeReExposed(recorded: Recordings, roles: readonly string[]): Outcome {
  const searched: Recorded<HeardObservation>[] = [];
  for (const role of roles) {
    const heard = heardOf(recorded, role);
    const leak = heard?.answers.find(({ shows }) => shows.length > 0);
    if (heard !== undefined && leak !== undefined) {
      const expected = `nothing about the ${role} shows what ${PATH} of its source held before it was deleted`;
      const actual = `${leak.request} (${leak.status}) shows it, ${leak.shows[0]?.spelling ?? ''}`;
      return fail({ diagnosis: alone(wrong('served-deleted-data')), expected, actual }, [heard]);
    }
    const fork = forkOf(recorded, role);
    if (isOutcome(fork)) return fork;
    if (fork.end === 'stumbled')
      return undecidedUntil(
        'answer it with 201, or refuse it with a 4xx',
        `the ${role}: ${shownAnswer(fork.requested)}`,
        [fork.requested],
      );
    searched.push(fork.heard);
  }
  // No document says what the refusal of a body shows that asks for no replay.
  const after = heardOf(recorded, AFTER);
  const left = after?.answers.find(({ shows }) => shows.length > 0);
  return after === undefined || left === undefined ? pass(searched) : stillShown(left, [after]);
}

/** What came of the fork of a role, or the outcome that is left. */
function forkOf(recorded: Recordings, role: string): Fork | Outcome {
  const control = neededRun(recorded, controlOf(role));
  if (isOutcome(control)) return control;
  if (endOf(eventsOf(control)) !== 'completed')
    return undecidedUntil('let replays of an intact run complete', `${named(control)} did not complete either`, [
      control,
    ]);
  const requested = requestsOf(recorded, 'fork').find(({ name }) => name === role);
  const heard = heardOf(recorded, role);
  if (requested === undefined || heard === undefined) return undecided(`no ${role} was requested`, [control]);
  const why = whyUndecided(requested);
  if (why !== undefined) return undecided(why, [requested]);
  const calls = toolCallsOf(recorded, role);
  const fork = { role, requested, heard, isFetched: calls !== undefined && calls.after > calls.before };
  const status = statusOf(requested);
  if (!isSuccess(status)) return { ...fork, run: undefined, end: isClientError(status) ? 'refused' : 'stumbled' };
  const run = neededRun(recorded, role);
  if (isOutcome(run)) return run;
  const end = endOf(eventsOf(run).toReversed());
  if (end === 'completed' || end === 'failed') return { ...fork, run, end };
  return undecidedUntil(
    'let it end with run.completed or run.failed',
    `${named(run)} ended neither completed nor failed`,
    [run],
  );
}
