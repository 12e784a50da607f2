import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { answered, ENVELOPE, recorded, requested, run, short, UNANSWERED } from '../../test/fork-observations.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { FORK_UNDER_KEY, FORK_UNDER_OWN_KEY, judgeAtOnce, judgeKeys, OTHER_TENANT } from './create-keys.ts';
import { judgeRefused } from './refused-runs.ts';
import {
  ACT_OF_NOBODY,
  judgeWithoutCredential,
  LIMITED,
  MADE_UP_CREDENTIAL,
  READING_OF_NOBODY,
} from './without-credential.ts';

const made = (row: string, runId: string, status = 201): RequestedObservation => requested(row, row, status, { runId });
const refused = (row: string, status: number): RequestedObservation => requested(row, row, status);

const unknown = (status: number, body = ENVELOPE) => requested('unknown-run', 'the snapshot', status, body);

const definition = (row: string, status: number) => requested(row, 'the definition', status, ENVELOPE);

function ofDefinition(status: number, known = 200): string {
  const read = [definition('known-workflow', known), definition('unknown-workflow', status)];
  return verdict(judgeRefused, refused('no-run', 400), ...read);
}

function marked(of: RequestedObservation, idempotentReplay: string | null): RequestedObservation {
  return { ...of, idempotentReplay };
}

function verdict(judge: typeof judgeKeys, ...sent: readonly RequestedObservation[]): string {
  return short(judgementOf('c', judge(recorded(run('run'), ...sent))));
}

function ownerOf(...sent: readonly RequestedObservation[]): string | undefined {
  return judgementOf('c', judgeRefused(recorded(run('run'), ...sent))).restsOn;
}

const besideARun = (...sent: readonly RequestedObservation[]): string =>
  verdict(judgeWithoutCredential, requested('no-credential', 'a run', 401), ...sent);

describe('what nobody reads, and who may not create makes', () => {
  it('is nothing', () => {
    expect(besideARun()).toBe('pass');
    for (const status of [401, 403, 404, 405, 406, 500, 501])
      expect(besideARun(refused(READING_OF_NOBODY, status))).toBe('pass');
    for (const status of [401, 403, 404]) expect(besideARun(refused(LIMITED, status))).toBe('pass');
  });

  it('fails where it is something', () => {
    expect(besideARun(requested(READING_OF_NOBODY, 'the event stream', 200, {}))).toBe('fail open-to-nobody');
    expect(besideARun(made(LIMITED, 'run_b'))).toBe('fail carried-out');
  });
});

describe('run.create-idempotency', () => {
  const first = made('first', 'run_b');
  const judge = (duplicate: RequestedObservation, other: RequestedObservation, of = first): string =>
    verdict(judgeKeys, of, duplicate, other);
  const same = made('duplicate', 'run_b', 200);
  const conflict = refused('other body', 409);

  it('passes as one run, whatever its status, or as a conflict', () => {
    expect(judge(same, conflict)).toBe('pass');
    expect(judge(refused('duplicate', 409), conflict)).toBe('pass');
  });

  it('fails as a second run, or where another body is answered otherwise than with 409', () => {
    expect(judge(made('duplicate', 'run_c'), conflict)).toBe('fail second-run');
    expect(judge(same, made('other body', 'run_b'))).toBe('fail carried-out');
    expect(judge(same, made('other body', 'run_c'))).toBe('fail carried-out');
    expect(judge(same, refused('other body', 500))).toBe('fail server-error');
  });

  it('fails where a fork is answered with the run of its key, and not where it is one or is refused', () => {
    const beside = (forked: RequestedObservation): string => verdict(judgeKeys, first, same, conflict, forked);
    expect(beside(made(FORK_UNDER_KEY, 'run_b'))).toBe('fail key-across-endpoints');
    expect(beside(made(FORK_UNDER_KEY, 'run_f'))).toBe('pass');
    for (const status of [409, 404, 500]) expect(beside(refused(FORK_UNDER_KEY, status))).toBe('pass');
    const seen = recorded(run('run'), first, same, conflict, refused(FORK_UNDER_KEY, 409));
    expect(judgementOf('c', judgeKeys(seen)).reason).toContain('one for all endpoints');
  });

  it('fails where a fork is refused for the key of a run, each time, and is made under another one', () => {
    const beside = (own: RequestedObservation, again = 409): string =>
      verdict(judgeKeys, first, same, conflict, refused(FORK_UNDER_KEY, 409), own, refused(FORK_UNDER_KEY, again));
    expect(beside(made(FORK_UNDER_OWN_KEY, 'run_f'))).toBe('fail key-across-endpoints');
    expect(beside(refused(FORK_UNDER_OWN_KEY, 409))).toBe('pass');
    expect(beside(made(FORK_UNDER_OWN_KEY, 'run_f'), 503)).toBe('pass');
  });

  it('is undecided where nothing was seen, or all requests are one run', () => {
    expect(judge(same, refused('other body', 429))).toBe('inconclusive');
    expect(judge(answered('duplicate', 'duplicate', UNANSWERED), conflict)).toBe('inconclusive');
    expect(judge(same, conflict, refused('first', 400))).toBe('inconclusive');
    expect(judge(made('duplicate', 'run_a'), conflict, made('first', 'run_a'))).toBe('inconclusive');
    expect(verdict(judgeKeys)).toBe('inconclusive');
  });

  it('fails where a duplicate is not marked as stored, or the first answer is', () => {
    const stored = marked(same, 'true');
    expect(judge(stored, conflict, marked(first, null))).toBe('pass');
    expect(judge(stored, conflict, marked(first, 'false'))).toBe('pass');
    expect(judge(marked(refused('duplicate', 409), null), conflict, marked(first, null))).toBe('pass');
    expect(judge(marked(same, null), conflict, marked(first, null))).toBe('fail stored-answer-mark');
    expect(judge(stored, conflict, marked(first, 'True'))).toBe('fail stored-answer-mark');
    const bare = recorded(run('run'), marked(first, null), marked(same, null), conflict);
    expect(judgementOf('c', judgeKeys(bare))).toMatchObject({
      expected: 'openwop-Idempotent-Replay: true with the answer to a duplicate that came after the first answer',
      actual: 'duplicate: no openwop-Idempotent-Replay',
      steps: ['o2', 'o3'],
    });
    // Sent again, the first request is a duplicate.
    const early = recorded(run('run'), marked(first, 'true'), stored, conflict);
    expect(judgementOf('c', judgeKeys(early)).steps).toEqual([]);
  });

  it("fails where another tenant is handed out the run, unless all of a tenant's runs are", () => {
    const handedOut = recorded(run('run'), first, same, conflict, made(OTHER_TENANT, 'run_b', 200));
    expect(judgementOf('c', judgeKeys(handedOut))).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'tenants-mixed' },
      restsOn: 'fork.invisible-run',
    });
    for (const foreign of [made(OTHER_TENANT, 'run_c'), refused(OTHER_TENANT, 409), refused(OTHER_TENANT, 403)]) {
      expect(verdict(judgeKeys, first, same, conflict, foreign)).toBe('pass');
    }
  });

  it('holds for requests that came together', () => {
    const one = made('at once', 'run_d');
    expect(verdict(judgeAtOnce, one, one, refused('at once', 409))).toBe('pass');
    expect(verdict(judgeAtOnce, one, made('at once', 'run_e'))).toBe('fail second-run');
    expect(verdict(judgeAtOnce, made('at once', 'run_a'))).toBe('inconclusive');
    expect(verdict(judgeAtOnce)).toBe('inconclusive');
    const seen = recorded(run('run'), one, made('at once', 'run_e'));
    expect(judgementOf('c', judgeAtOnce(seen)).restsOn).toBe('run.create-idempotency');
  });
});

const log = (row: string, status: number) => requested(row, 'the log', status, { events: [] });

const inMode = (status: number, body: Json) => requested('unknown-mode', 'the log in a mode', status, body);

describe('run.error-envelope', () => {
  const known = requested('known-run', 'the snapshot', 200, {});

  it('passes where all is refused in the envelope', () => {
    expect(verdict(judgeRefused, refused('no-run', 400), known, unknown(404))).toBe('pass');
    expect(verdict(judgeRefused, refused('no-run', 422), known, unknown(404))).toBe('pass');
  });

  it('fails where a request is carried out, makes the host stumble, or is refused otherwise', () => {
    expect(verdict(judgeRefused, made('no-run', 'run_b'))).toBe('fail carried-out');
    expect(verdict(judgeRefused, known, unknown(200, {}))).toBe('fail carried-out');
    expect(verdict(judgeRefused, refused('no-run', 500))).toBe('fail server-error');
    const bare = recorded(run('run'), requested('no-run', 'no-run', 400, { error: { code: 'x' } }));
    expect(judgementOf('c', judgeRefused(bare))).toMatchObject({ verdict: 'fail', restsOn: 'fork.error-envelope' });
  });

  it('fails where what there is not is refused otherwise than with 404, or as malformed', () => {
    expect([400, 422, 404].map((status) => verdict(judgeRefused, known, unknown(status)))).toEqual(
      Array.from({ length: 3 }, () => 'pass'),
    );
    expect(verdict(judgeRefused, known, unknown(410))).toBe('fail other-refusal');
    expect(verdict(judgeRefused, unknown(410))).toBe('inconclusive');
    expect(ofDefinition(403)).toBe('fail other-refusal');
  });

  it('looks at the refusal of a stream mode, which hosts may ignore', () => {
    const all = [refused('no-run', 400), known, unknown(404)];
    expect(verdict(judgeRefused, ...all, refused('unknown-mode', 400))).toBe('pass');
    expect(verdict(judgeRefused, ...all, inMode(200, {}))).toBe('pass');
    expect(verdict(judgeRefused, ...all, inMode(404, {}))).toBe('pass');
    expect(verdict(judgeRefused, ...all, inMode(400, { message: 'x' }))).toBe('fail not-in-envelope');
  });

  it('rests on the row about bodies where the host stumbles only over one that it cannot read', () => {
    const unread = { ...refused('no-run', 500), request: '{"workflowId":' };
    expect(ownerOf(unread, refused('no-run', 400))).toBe('fork.rejects-malformed-body');
    expect(ownerOf(unread, requested('no-run', 'no-run', 400, {}))).toBe('fork.error-envelope');
    expect(ownerOf(unread, { ...refused('no-run', 500), request: '{}' })).toBeUndefined();
    expect(ownerOf(unread, known, unknown(500))).toBeUndefined();
  });

  it('fails where the definition of a workflow that there is not is given, and not where none is', () => {
    expect(ofDefinition(404)).toBe('pass');
    expect(ofDefinition(200)).toBe('fail carried-out');
    expect(ofDefinition(200, 404)).toBe('pass');
  });

  it('leaves readings out that the host does not offer', () => {
    const poll = requested('unknown-run', 'the poll', 501, {});
    expect(verdict(judgeRefused, refused('no-run', 400), refused('known-run', 501), poll)).toBe('pass');
    expect(verdict(judgeRefused, refused('no-run', 429))).toBe('inconclusive');
    expect(verdict(judgeRefused)).toBe('inconclusive');
  });

  it('wants 401 where the credential is left out, and asks nothing where there is none', () => {
    expect(verdict(judgeWithoutCredential, refused('no-credential', 401))).toBe('pass');
    expect(verdict(judgeWithoutCredential, refused('no-credential', 403))).toBe('fail other-refusal');
    expect(verdict(judgeWithoutCredential, made('no-credential', 'run_b'))).toBe('fail open-to-nobody');
    expect(verdict(judgeWithoutCredential, refused('no-credential', 503))).toBe('inconclusive');
    expect(verdict(judgeWithoutCredential)).toBe('not-applicable');
  });

  it('wants it of each reading that there is', () => {
    const refusedRun = refused('no-credential', 401);
    for (const status of [401, 403, 404]) {
      const judged = verdict(judgeWithoutCredential, refusedRun, log('known-run', 200), log('no-credential', status));
      expect(judged).toBe('pass');
    }
    expect(verdict(judgeWithoutCredential, refusedRun, log('known-run', 200), log('no-credential', 200))).toBe(
      'fail open-to-nobody',
    );
    expect(verdict(judgeWithoutCredential, refusedRun, log('known-run', 501), log('no-credential', 501))).toBe('pass');
  });

  it('wants a refusal of readings under a credential that nobody has', () => {
    const [refusedRun, read] = [refused('no-credential', 401), log('known-run', 200)];
    const judged = (status: number) =>
      verdict(judgeWithoutCredential, refusedRun, read, log(MADE_UP_CREDENTIAL, status));
    expect([401, 403, 404].map(judged)).toEqual(['pass', 'pass', 'pass']);
    expect(judged(200)).toBe('fail open-to-nobody');
    expect(verdict(judgeWithoutCredential, refusedRun, log(MADE_UP_CREDENTIAL, 200))).toBe('pass');
  });

  it('wants a refusal of acts of nobody, where there is such an act', () => {
    expect([401, 403, 404, 405, 501].map(ofAct)).toEqual(['pass', 'pass', 'pass', 'pass', 'pass']);
    expect(ofAct(200)).toBe('fail open-to-nobody');
    expect(ofAct(503)).toBe('inconclusive');
  });

  it('wants another answer than a failure for an act of nobody only where the same is taken under the credential', () => {
    expect(ofAct(500)).toBe('inconclusive');
    const [refusedRun, act] = [refused('no-credential', 401), requested(ACT_OF_NOBODY, 'a cancellation', 500, {})];
    for (const [status, expected] of [
      [200, 'fail server-error'],
      [500, 'inconclusive'],
    ] as const) {
      const everything = recorded(requested('cancel', 'the cancellation', status, {})).map((each) => ({
        ...each,
        scenario: 'run.snapshot',
      }));
      const judging = (seen: Parameters<typeof judgeKeys>[0]) => judgeWithoutCredential(seen, { everything });
      expect(verdict(judging, refusedRun, act)).toBe(expected);
    }
  });
});

/** The verdict where an act without a credential is answered so. */
function ofAct(status: number): string {
  const act = requested(ACT_OF_NOBODY, 'a cancellation', status, {});
  return verdict(judgeWithoutCredential, refused('no-credential', 401), act);
}
