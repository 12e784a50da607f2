import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { fork, judged, recorded, refusedFork, run, short } from '../../test/fork-observations.ts';
import { runCalled, type Said, say } from '../../test/recorded-runs.ts';
import { judgeInputs, judgeMember, judgeSource } from './overlay-members.ts';

const GIVEN = { input: 'given to the source', tags: ['given to the source'] };
const OVERLAID = { input: 'given to the branch', tags: ['given to the branch'] };

function snapshot({ input, tags }: { readonly input?: string; readonly tags?: readonly string[] }): Json {
  const variables = input === undefined ? {} : { input };
  return { status: 'completed', variables, ...(tags === undefined ? {} : { tags }) };
}

const source = run('source', { snapshot: snapshot(GIVEN) });

function branch(name: 'inputs' | 'tags', shown: Parameters<typeof snapshot>[0]): Observation {
  const role = `branch with other ${name}`;
  return fork(role, 'run_b', { mode: 'branch', fromSeq: 1, snapshot: snapshot(shown) });
}

const verdict = (name: 'inputs' | 'tags', ...seen: readonly Observation[]): string =>
  short(judged(judgeMember(recorded(...seen), name)));

describe.each(['inputs', 'tags'] as const)('an overlay of %s alone', (name) => {
  it('reaches the branch', () => {
    expect(verdict(name, source, branch(name, OVERLAID))).toBe('pass');
  });

  it('is ignored where the branch shows what its source was given', () => {
    expect(verdict(name, source, branch(name, GIVEN))).toBe('fail overlay-ignored');
    const outcome = judgeMember(recorded(source, branch(name, GIVEN)), name);
    expect(outcome).toMatchObject(name === 'inputs' ? { kind: 'fail' } : { on: 'fork.branch-applies-overlay.inputs' });
  });

  it('was not seen where it is shown nowhere, refused, or was not driven', () => {
    expect(verdict(name, source, branch(name, {}))).toBe('inconclusive');
    const bare = verdict(name, run('source', { snapshot: snapshot({}) }), branch(name, {}));
    expect(bare).toBe(name === 'tags' ? 'not-applicable' : 'inconclusive');
    expect(verdict(name, run('source', { snapshot: snapshot({}) }), branch(name, OVERLAID))).toBe('inconclusive');
    const not = refused(400, `branch with other ${name}`);
    expect(verdict(name, source, not)).toBe('inconclusive');
    expect(judgeMember(recorded(source, not), name)).toMatchObject({
      kind: 'undecided',
      reason: `a branch with ${name} in its overlay was answered with 400: accept ${name} in runOptionsOverlay`,
    });
    expect(verdict(name, source)).toBe('inconclusive');
    expect(verdict(name)).toBe('inconclusive');
  });
});

function showsMore(mark: string, more: Json): Json {
  return { status: 'completed', variables: { input: { mark, more } } };
}

it('holds what a branch shows of its inputs against what its source shows of the same', () => {
  const overlaid = (more: Json): Observation =>
    fork('branch with other inputs', 'run_b', {
      mode: 'branch',
      fromSeq: 1,
      snapshot: showsMore('given to the branch', more),
    });
  const given = run('source', {
    snapshot: showsMore('given to the source', { of: 'given to the source', none: null }),
  });
  expect(verdict('inputs', given, overlaid({ none: null, of: 'given to the branch' }))).toBe('pass');
  const lost = judged(judgeMember(recorded(given, overlaid({ of: 'given to the branch' })), 'inputs'));
  expect(short(lost)).toBe('fail overlay-changed');
  expect(lost.expected).toContain('/more/none: null');
});

it('leaves tags that are no list to the row about snapshots', () => {
  const listless = run('source', { snapshot: { ...Object(snapshot(GIVEN)), tags: 'a' } as Json });
  expect(judgeMember(recorded(listless, branch('tags', OVERLAID)), 'tags')).toMatchObject({
    on: 'schema.run-snapshot.wire',
  });
});

const showing = (metadata?: Json): Json => ({ status: 'completed', ...(metadata === undefined ? {} : { metadata }) });

const metadataOf = (before?: Json, after?: Json): string => {
  const made = fork('branch with other metadata', 'run_b', { mode: 'branch', fromSeq: 1, snapshot: showing(after) });
  const seen = recorded(run('source', { snapshot: showing(before) }), made);
  return short(judged(judgeMember(seen, 'metadata')));
};

describe('an overlay of metadata alone', () => {
  const [given, overlaid] = [{ note: 'given to the source' }, { note: 'given to the branch' }];

  it('reaches the branch, whatever else the host shows there', () => {
    expect(metadataOf(given, overlaid)).toBe('pass');
    expect(metadataOf(given, { ...overlaid, region: 'eu' })).toBe('pass');
  });

  it('is lost where the branch shows metadata without it, though its source shows its own', () => {
    expect(metadataOf(given, {})).toBe('fail overlay-ignored');
    expect(metadataOf(given, { region: 'eu' })).toBe('fail overlay-ignored');
    expect(metadataOf(given, given)).toBe('fail overlay-ignored');
  });

  it('was not seen where the branch shows no metadata at all, and asks nothing where the source shows none of its own', () => {
    expect(metadataOf(given)).toBe('inconclusive');
    expect(metadataOf({}, {})).toBe('not-applicable');
    expect(metadataOf()).toBe('not-applicable');
  });
});

/** What is said of the source of a branch that was made. */
function sourceOf(...seen: readonly Observation[]): string {
  return short(judged(judgeSource(recorded(source, branch('tags', OVERLAID), ...seen))));
}

describe('the source of branches with overlays', () => {
  it('is what it was', () => {
    expect(sourceOf(run('source again', { snapshot: snapshot(GIVEN) }))).toBe('pass');
    expect(sourceOf(run('source again', { snapshot: snapshot({ ...GIVEN, tags: OVERLAID.tags }) }))).toBe(
      'fail source-changed',
    );
  });

  it('is not known where it was not read again, or no branch was made', () => {
    expect(sourceOf()).toBe('inconclusive');
    expect(short(judged(judgeSource(recorded(source, run('source again')))))).toBe('inconclusive');
  });
});

const refused = (status: number, role = 'branch with other tags') => refusedFork(role, status, 'branch');
const left = (...seen: readonly Observation[]) => judgeMember(recorded(source, ...seen), 'tags');

describe('a refused branch', () => {
  it.each([409, 501])('is not refused for its overlay where one without any was, too (%d)', (status) => {
    expect(left(refused(status), refused(status, 'branch without an overlay'))).toMatchObject({
      on: 'fork.created.branch',
      otherwise: { kind: 'undecided', reason: expect.stringMatching(/and one without an overlay with \d+$/) },
    });
  });

  it('is refused for its overlay where one without any was made', () => {
    const plain = fork('branch without an overlay', 'run_c', { mode: 'branch', fromSeq: 0 });
    expect(left(refused(501), plain)).toMatchObject({ reason: expect.stringContaining('accept tags in') });
    expect(left(refused(409), plain)).toMatchObject({ on: 'fork.created.branch' });
  });
});

function echoed(value: string): Said {
  return say('node.completed', { output: { payload: { value } } }, 'echo');
}

/** A run of the public workflow that was given a text, and a branch of it that shows another one. */
function ofIdentity(after: string): readonly Observation[] {
  const forked = { sourceRunId: 'run_a', mode: 'branch', fromSeq: 0, advertised: true };
  return [
    runCalled('run_a', [echoed('given to the source')]),
    runCalled('run_b', [echoed(after)], { role: 'branch with other inputs', fork: forked }),
  ];
}

describe('the public workflow that puts out its inputs', () => {
  it('shows them', () => {
    expect(verdict('inputs', ...ofIdentity('given to the branch'))).toBe('pass');
    expect(verdict('inputs', ...ofIdentity('given to the source'))).toBe('fail overlay-ignored');
  });
});

/** A run of our own workflow and its branch, with what the variable shows that is copied there. */
function copying(input: string, copied: string | undefined, problem: string | null = null): readonly Observation[] {
  const variables = copied === undefined ? { input } : { input, copied };
  const given = { input: 'given to the source', copied: 'given to the source' };
  return [
    run('source that copies', { snapshot: { status: 'completed', variables: given } }),
    fork('branch that copies', 'run_d', {
      mode: 'branch',
      fromSeq: 0,
      problem,
      snapshot: { status: 'completed', variables },
    }),
  ];
}

const [NEW, OLD] = ['given to the branch', 'given to the source'] as const;

const told = (...seen: readonly Observation[]) => short(judged(judgeInputs(recorded(...seen))));

describe('what a branch hands on of its inputs', () => {
  const echoing = ofIdentity(NEW);

  it('is what it was given', () => {
    expect(told(...echoing, ...copying(NEW, NEW))).toBe('pass');
    expect(told(...echoing, ...copying(NEW, OLD))).toBe('fail overlay-ignored');
    expect(told(...echoing, ...copying(OLD, OLD))).toBe('fail overlay-ignored');
  });

  it('is looked at where no other workflow was run, too', () => {
    const roles = ['source', 'branch with other inputs'];
    const own = copying(NEW, OLD).map((each, at) => Object.assign({}, each, { role: roles[at] }));
    expect(told(...own)).toBe('fail overlay-ignored');
  });

  it('is no matter where it was not seen, or nothing was handed on', () => {
    expect(told(...echoing)).toBe('pass');
    expect(told(...echoing, ...copying(NEW, undefined))).toBe('pass');
    expect(told(...echoing, ...copying(NEW, OLD, 'the run has not ended'))).toBe('pass');
  });
});

const nothingTaken = (value: Json, more: object = {}) =>
  fork('branch with the input false', 'run_e', {
    mode: 'branch',
    fromSeq: 0,
    snapshot: { status: 'completed', variables: { input: value } },
    ...more,
  });
const toldOfNothing = (made: Observation) => told(...ofIdentity(NEW), ...copying(NEW, NEW), made);

describe('an input that counts as nothing', () => {
  it('is taken from an overlay as any other is', () => {
    expect(toldOfNothing(nothingTaken(false))).toBe('pass');
    expect(toldOfNothing(nothingTaken(null))).toBe('fail overlay-ignored');
    expect(toldOfNothing(nothingTaken(OLD))).toBe('fail overlay-ignored');
  });

  it('is what the log says where the snapshot alone shows another, whose row tells of it', () => {
    const events = [say('run.started'), say('variable.changed', { name: 'input', value: false }), say('run.completed')];
    const more = { events: runCalled('run_e', events).events };
    const made = [...ofIdentity(NEW), ...copying(NEW, NEW)];
    expect(judgeInputs(recorded(...made, nothingTaken('else', more)))).toMatchObject({ on: 'run.snapshot-agrees' });
    expect(judgeInputs(recorded(...made, nothingTaken('!', more)))).toMatchObject({ kind: 'pass' });
    const ignored = [say('run.started'), say('variable.changed', { name: 'input', value: OLD }), say('run.completed')];
    const lost = { events: runCalled('run_e', ignored).events };
    expect(judgeInputs(recorded(...made, nothingTaken('else', lost)))).toMatchObject({ kind: 'fail' });
  });

  it('was not seen where the branch was refused, or did not end, and says nothing where its source shows no input', () => {
    expect(toldOfNothing(refused(400, 'branch with the input false'))).toBe('inconclusive');
    expect(toldOfNothing(nothingTaken(OLD, { problem: 'the run has not ended' }))).toBe('inconclusive');
    expect(told(...ofIdentity(NEW), nothingTaken(OLD))).toBe('pass');
  });
});
