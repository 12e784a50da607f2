import { describe, expect, it } from 'vitest';
import { readDiscovery } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import {
  answered,
  requested,
  fork,
  judged,
  recorded,
  refusedFork,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import { invisibleBranch, invisibleRun } from './invisible-run.ts';
import { missingScope, missingScopeForBranch } from './missing-scope.ts';
import { NONE_LATER, OVERLAY_LATER, UNKNOWN_READ } from './refusal-table.ts';
import { refusals } from './refusals.ts';
import { oneModeLeftOut, unadvertisedMode } from './unadvertised-mode.ts';

/** A refusal that names the run and the request. */
function about(id: string, request: number): Json {
  return {
    error: 'run_not_found',
    message: `There is no run ${id}.`,
    details: { runId: id, requestId: `req-${request}` },
  };
}

const NOT_FOUND = { error: 'run_not_found', message: 'There is no such run.' };

describe("another tenant's run", () => {
  const unknown = (id: string, body: Json = NOT_FOUND, status = 404) => requested('unknown', id, status, body);

  function judge(invisible: RequestedObservation, ...unknowns: readonly RequestedObservation[]) {
    const two = unknowns.length === 0 ? [unknown('run_x'), unknown('run_y')] : unknowns;
    const observations = recorded(run('source'), fork('control', 'run_b'), invisible, ...two);
    return judged(judgeInvisible(observations, 'control'));
  }
  const invisible = (body: Json = NOT_FOUND, status = 404) => requested('invisible', 'run_a', status, body);

  it('passes like an unknown one, ids and values of their own put aside', () => {
    expect(judge(invisible())).toMatchObject({ verdict: 'pass', evidence: ['o3', 'o4', 'o5'] });
    const judgement = judge(
      invisible(about('run_a', 1)),
      unknown('run_x', about('run_x', 2)),
      unknown('run_y', about('run_y', 3)),
    );
    expect(short(judgement)).toBe('pass');
  });

  it.each([
    ['403', NOT_FOUND, 403],
    ['400', NOT_FOUND, 400],
    ['another code', { ...NOT_FOUND, error: 'run_not_yours' }, 404],
    ['another message', { ...NOT_FOUND, message: 'Not yours.' }, 404],
    ['details', { ...NOT_FOUND, details: { tenant: 'a' } }, 404],
    ['a member less', { error: 'run_not_found' }, 404],
  ])('fails with %s', (_, body, status) => {
    expect(short(judge(invisible(body, status)))).toBe('fail existence-revealed');
  });

  it('fails where it is forked', () => {
    expect(short(judge(invisible({ runId: 'run_c' }, 201)))).toBe('fail tenants-mixed');
    expect(short(judge(invisible({}, 201)))).toBe('fail tenants-mixed');
    const page = unknown('run_x', {}, 200);
    expect(short(judge(invisible({}, 200), page, page))).toBe('inconclusive');
    expect(short(judge(invisible({ runId: 'run_c' }, 200), page, page))).toBe('fail tenants-mixed');
  });

  it('is undecided where an unknown run is not 404 to that tenant, or something got no answer', () => {
    const forbidden = unknown('run_x', NOT_FOUND, 403);
    expect(short(judge(invisible(NOT_FOUND, 403), forbidden, forbidden))).toBe('inconclusive');
    expect(short(judge(answered('invisible', 'run_a', UNANSWERED)))).toBe('inconclusive');
    const nothing = recorded(run('source'), fork('control', 'run_b'));
    expect(short(judged(judgeInvisible(nothing, 'control')))).toBe('inconclusive');
    const refused = recorded(
      run('source'),
      refusedFork('control', 401),
      invisible(),
      unknown('run_x'),
      unknown('run_y'),
    );
    expect(short(judged(judgeInvisible(refused, 'control')))).toBe('inconclusive');
  });
});

const EVERY_SCOPE = 'fork with every scope';

function judgedScope(status: number, read = 200, control = fork(EVERY_SCOPE, 'run_b'), scenario = missingScope) {
  const observations = recorded(
    run('source'),
    control,
    requested('limited-read', 'reading the run', read, {}),
    requested('no-scope', 'a credential that may not create', status),
  );
  const [judgement] = scenario.judge(observations, OPTIONS);
  return judgement === undefined ? undefined : short(judgement);
}

const forkedUnread = (status: number) =>
  recorded(
    run('source'),
    fork(EVERY_SCOPE, 'run_b'),
    requested('limited-read', 'reading the run', 200, {}),
    requested('no-scope', 'a credential that may not create', 403),
    requested('no-read-scope', 'a credential that may not read', status, status === 201 ? { runId: 'run_c' } : {}),
  );

describe('a credential without the scope', () => {
  it('passes at 403, where it reads the run', () => {
    expect(judgedScope(403)).toBe('pass');
  });

  it('reads the control of old evidence', () => {
    expect(judgedScope(403, 200, fork('replay with every scope', 'run_b'))).toBe('pass');
    expect(judgedScope(201, 200, fork('replay with every scope', 'run_b'))).toBe('fail carried-out');
  });

  it('fails at everything else, above all where the fork is carried out', () => {
    expect(judgedScope(201)).toBe('fail carried-out');
    expect(judgedScope(201, 403)).toBe('fail carried-out');
    expect(judgedScope(404)).toBe('fail other-refusal');
    expect(judgedScope(401)).toBe('fail other-refusal');
  });

  it('fails where one that may not read the run forks it', () => {
    const [refused, made] = [403, 201].map((status) => missingScope.judge(forkedUnread(status), OPTIONS)[0]);
    expect(refused?.verdict).toBe('pass');
    expect(made).toMatchObject({ verdict: 'fail', actual: expect.stringContaining('may not read') as string });
  });

  it('is undecided where it cannot read either, or nobody can fork', () => {
    expect(judgedScope(403, 403)).toBe('inconclusive');
    expect(judgedScope(403, 200, refusedFork(EVERY_SCOPE, 429))).toBe('inconclusive');
    expect(judgedScope(503)).toBe('inconclusive');
  });

  it('makes no branch either', () => {
    const judgedBranch = (status: number, control = fork(EVERY_SCOPE, 'run_b', { mode: 'branch' })) =>
      judgedScope(status, 200, control, missingScopeForBranch);
    expect(judgedBranch(403)).toBe('pass');
    expect(judgedBranch(201)).toBe('fail carried-out');
    expect(judgedBranch(503)).toBe('inconclusive');
    expect(judgedBranch(403, refusedFork(EVERY_SCOPE, 429, 'branch'))).toBe('inconclusive');
  });
});

it("another tenant's run is judged with the control of old evidence", () => {
  const unknown = ['run_x', 'run_y'].map((id) => requested('unknown', id, 404));
  const control = fork('replay of its owner', 'run_b');
  const all = recorded(run('source'), control, requested('invisible', 'run_a', 404), ...unknown);
  expect(invisibleRun.judge(all, OPTIONS).map((each) => each.verdict)).toEqual([
    'pass',
    'inconclusive',
    'inconclusive',
    'pass',
  ]);
});

function refusedAlike(row: string, id: string, status: number, request: string): RequestedObservation {
  const body = status === 404 ? NOT_FOUND : { error: 'validation_error', message: 'No.' };
  return { ...requested(row, id, status, body), request };
}

describe("a request about another tenant's run that is refused in any case", () => {
  const CONTROL = 'fork of its owner';
  const MODE = '{"mode":"rewind"}';
  const PAST = '{"mode":"replay","fromSeq":9007199254740991}';

  function judge(status: number, unknown: number, plain = 404, request = PAST) {
    const valid = [
      requested('invisible', 'run_a', plain),
      requested('unknown', 'run_x', 404),
      requested('unknown', 'run_y', 404),
    ];
    const refused = [
      refusedAlike('invisible, refused', 'run_a', status, request),
      ...['run_x', 'run_y'].map((id) => refusedAlike('unknown, refused', id, unknown, request)),
    ];
    const all = recorded(run('source'), fork(CONTROL, 'run_b'), ...valid, ...refused);
    return invisibleRun.judge(all, OPTIONS).find((each) => each.check === 'fork.invisible-run.refused');
  }

  it('passes where it is refused as one about a run that there is not', () => {
    expect(judge(404, 404)).toMatchObject({ verdict: 'pass' });
    expect(judge(400, 400, 404, MODE)).toMatchObject({ verdict: 'pass' });
  });

  it('fails where it is refused otherwise', () => {
    expect(judge(422, 404)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'existence-revealed' } });
    expect(judge(201, 404)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'tenants-mixed' } });
  });

  it('is undecided without answers, and rests on the plain request where that already tells', () => {
    expect(judge(503, 404)).toMatchObject({ verdict: 'inconclusive' });
    expect(judge(403, 404, 403)).toMatchObject({ verdict: 'fail', restsOn: 'fork.invisible-run' });
  });

  it('rests on the row about branches for a branch without a start', () => {
    const branch = '{"mode":"branch"}';
    expect(judge(400, 404, 404, branch)).toMatchObject({ verdict: 'fail', restsOn: 'fork.invisible-run.branch' });
    expect(judge(400, 400, 404, branch)).toMatchObject({ verdict: 'pass' });
    expect(judge(400, 404, 404, '{"mode":"replay","fromSeq":-1}')).not.toHaveProperty('restsOn');
  });
});

describe("a branch of another tenant's run", () => {
  const CONTROL = 'fork of its owner';

  function judge(status: number, control = fork(CONTROL, 'run_b', { mode: 'branch' })) {
    const unknown = ['run_x', 'run_y'].map((id) => requested('unknown', id, 404));
    const all = recorded(run('source'), control, requested('invisible', 'run_a', status), ...unknown);
    const [judgement] = invisibleBranch.judge(all, OPTIONS);
    if (judgement === undefined) throw new TypeError('the row is judged');
    return judgement;
  }

  it('passes at 404, fails otherwise, and is undecided without an answer', () => {
    expect(short(judge(404))).toBe('pass');
    expect(short(judge(403))).toBe('fail existence-revealed');
    expect(short(judge(201))).toBe('fail tenants-mixed');
    expect(short(judge(503))).toBe('inconclusive');
  });

  it('rests on the row about branches where its owner gets none', () => {
    expect(judge(404, refusedFork(CONTROL, 501, 'branch'))).toMatchObject({ restsOn: 'fork.created.branch' });
  });
});

function judgementOfRow(check: string, ...observations: readonly RequestedObservation[]) {
  const all = recorded(run('source'), fork('replay', 'run_b'), ...observations);
  return refusals.judge(all, OPTIONS).find((each) => each.check === check);
}

function judgedRow(check: string, ...observations: readonly RequestedObservation[]) {
  const judgement = judgementOfRow(check, ...observations);
  return judgement === undefined ? undefined : short(judgement);
}

const empty = (status: number) => requested('empty-overlay', 'an empty overlay', status, { runId: 'run_c' });

const unknownRun = (status: number) => requested('unknown-run', 'a run that there is not', status);

const readRun = (status: number) => requested(UNKNOWN_READ, 'a run that there is not', status);

describe('the rows of the refusals that are judged by more than one request', () => {
  const overlay = requested('overlay', 'an overlay of tags', 400);

  it('an empty overlay must be accepted', () => {
    expect(judgedRow('fork.replay-refuses-overlay', overlay, empty(201))).toBe('pass');
    expect(judgedRow('fork.replay-refuses-overlay', overlay, empty(400))).toBe('fail empty-overlay-refused');
    expect(judgedRow('fork.replay-refuses-overlay', overlay, empty(503))).toBe('inconclusive');
    expect(judgedRow('fork.replay-refuses-overlay', requested('overlay', 'an overlay of tags', 201), empty(201))).toBe(
      'fail carried-out',
    );
  });

  it.each([
    [400, 'pass'],
    [201, 'fail carried-out'],
    [503, 'inconclusive'],
  ])('an overlay of a member that nobody knows is not empty (%d)', (status, verdict) => {
    const unknown = requested('overlay', 'an overlay of a member that nobody knows', status);
    expect(judgedRow('fork.replay-refuses-overlay', overlay, unknown, empty(201))).toBe(verdict);
  });

  it.each([
    [409, { verdict: 'fail', restsOn: 'fork.created.every-sequence' }],
    [201, { verdict: 'fail', restsOn: undefined }],
  ])('an empty overlay is not what was refused where the same without it is (%d)', (none, found) => {
    const without = requested('no-overlay', 'the same without an overlay', none);
    const { verdict, restsOn } = judgementOfRow('fork.replay-refuses-overlay', overlay, empty(409), without) ?? {};
    expect({ verdict, restsOn }).toEqual(found);
  });

  it.each([
    [400, 201, { verdict: 'pass', restsOn: undefined }],
    [201, 201, { verdict: 'fail', restsOn: undefined }],
    [422, 201, { verdict: 'fail', restsOn: undefined }],
    [422, 422, { verdict: 'fail', restsOn: 'fork.created.every-sequence' }],
    [503, 201, { verdict: 'inconclusive', restsOn: undefined }],
  ])('an overlay on a later replay is refused as such (%d, without it %d)', (status, none, found) => {
    const later = requested(OVERLAY_LATER, 'an overlay of inputs on a replay from a later event', status);
    const without = requested(NONE_LATER, 'the same without an overlay', none);
    const judgement = judgementOfRow('fork.replay-refuses-overlay', overlay, empty(201), later, without);
    expect({ verdict: judgement?.verdict, restsOn: judgement?.restsOn }).toEqual(found);
  });

  it('an unknown run that turns out to exist decides nothing', () => {
    expect(judgedRow('fork.unknown-run', unknownRun(404))).toBe('pass');
    expect(judgedRow('fork.unknown-run', unknownRun(201), readRun(404))).toBe('fail carried-out');
    expect(judgedRow('fork.unknown-run', unknownRun(201), readRun(200))).toBe('inconclusive');
  });
});

const odd = (status: number) => requested('unknown-run', 'no-such-run', status);

const noCredential = (name: string, status: number) => requested('no-credential', name, status, { runId: 'run_c' });

describe('ids of another form, and a credential that nobody was given', () => {
  it('may be refused in several ways, but not with a server error', () => {
    expect(judgedRow('fork.unknown-run', unknownRun(404), odd(400))).toBe('pass');
    expect(judgedRow('fork.unknown-run', unknownRun(404), odd(404))).toBe('pass');
    expect(judgedRow('fork.unknown-run', unknownRun(404), odd(500))).toBe('fail server-error');
    expect(judgedRow('fork.unknown-run', unknownRun(404), odd(429))).toBe('inconclusive');
  });

  it('is refused', () => {
    const [none, madeUp] = ['no credential', 'a made-up credential'];
    const refused = [401, 403, 404].map((status) =>
      judgedRow(
        'fork.requires-credentials',
        requested('no-credential', none, 401),
        requested('no-credential', madeUp, status),
      ),
    );
    expect(refused).toEqual(['pass', 'pass', 'pass']);
    expect(
      judgedRow('fork.requires-credentials', requested('no-credential', none, 401), noCredential(madeUp, 201)),
    ).toBe('fail carried-out');
  });
});

function judgedModes(...observations: readonly Observation[]) {
  const [judgement] = unadvertisedMode.judge(recorded(...observations), OPTIONS);
  return judgement === undefined ? undefined : short(judgement);
}

function judgedMode(answer: RequestedObservation, control = fork('fork in an advertised mode', 'run_b')) {
  return judgedModes(run('source'), control, answer);
}

const branch = (status: number) => requested('left-out', 'branch', status, { runId: 'run_c' });

describe('a mode that is left out', () => {
  it('passes refused, fails executed', () => {
    expect([400, 404, 422, 501].map((status) => judgedMode(branch(status)))).toEqual(['pass', 'pass', 'pass', 'pass']);
    expect(judgedMode(branch(201))).toBe('fail carried-out');
  });

  it('is undecided without a control, an answer, or a refusal that is one', () => {
    expect(judgedMode(branch(422), refusedFork('fork in an advertised mode', 401))).toBe('inconclusive');
    expect(judgedMode(answered('left-out', 'branch', UNANSWERED))).toBe('inconclusive');
    expect(judgedMode(branch(500))).toBe('inconclusive');
    expect(judgedModes(run('source'), fork('fork in an advertised mode', 'run_b'))).toBe('inconclusive');
  });

  it.each([
    [{ replay: { supported: true, modes: ['replay'] } }, true],
    [{ capabilities: { replay: { supported: true, modes: ['branch', 'other'] } } }, true],
    [{ replay: { supported: true, modes: ['replay', 'branch'] } }, false],
    [{ replay: { supported: true, modes: ['other'] } }, false],
    [{ replay: { supported: true } }, false],
    [{ replay: { supported: false, modes: ['replay'] } }, false],
    [{ replay: { supported: true, modes: 'replay' } }, false],
    [{}, false],
  ])('%j opens the gate: %s', (document, open) => {
    expect(oneModeLeftOut(readDiscovery(document)).open).toBe(open);
  });
});
