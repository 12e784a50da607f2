import { describe, expect, it } from 'vitest';
import { recorded, refusedFork, short, judged } from '../../test/fork-observations.ts';
import { runCalled, type Said, say } from '../../test/recorded-runs.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { judgeConfigurable, judgeLaterRun, judgeNothing } from './overlay-configurable.ts';

const CAPPED = { workflowId: 'conformance-cap-breach' };
const DONE: readonly Said[] = [say('run.started'), say('node.completed', {}, 'n6'), say('run.completed')];
const FORK = { sourceRunId: 'run_a', mode: 'branch', fromSeq: 0, advertised: true };

function failed(code: string): readonly Said[] {
  return [say('run.started'), say('node.completed', {}, 'n3'), say('run.failed', { error: { code, message: 'No.' } })];
}

const TOO_MANY = failed('recursion_limit_exceeded');
const source = runCalled('run_a', TOO_MANY, CAPPED);
const control = (log = DONE) => runCalled('run_c', log, { ...CAPPED, role: 'run with other configurable' });
const branch = (log: readonly Said[]) =>
  runCalled('run_b', log, { ...CAPPED, role: 'branch with other configurable', fork: FORK });

const again = (log: readonly Said[]) =>
  runCalled('run_r', log, { ...CAPPED, role: 'replay of the branch with other configurable', fork: FORK });
const limited = (role: string, log: readonly Said[]) => runCalled('run_l', log, { ...CAPPED, role });

/** What is said where runs were limited before the branch, and one of this role after it. */
function made(before: readonly Said[], role: string, after: readonly Said[], branched = DONE) {
  const earlier = ['branch without an overlay', 'replay before the branch'].map((each) => limited(each, before));
  return judgeLaterRun(recorded(source, branch(branched), ...earlier, limited(role, after)));
}

const outcome = (...seen: readonly Observation[]) => judgeConfigurable(recorded(...seen));
const verdict = (...seen: readonly Observation[]): string => short(judged(outcome(...seen)));

describe('an overlay with another limit of steps', () => {
  it('lets the branch of a run that failed for its own come to its end', () => {
    expect(verdict(source, control(), branch(DONE))).toBe('pass');
  });

  it('is ignored where the branch fails for the limit of its source, and rests on what says that there is no overlay', () => {
    expect(verdict(source, control(), branch(TOO_MANY))).toBe('fail overlay-ignored');
    expect(outcome(source, control(), branch(TOO_MANY))).toMatchObject({ on: 'fork.branch-applies-overlay.inputs' });
  });

  it('was not seen where nothing depends on the limit', () => {
    expect(verdict(runCalled('run_a', DONE, CAPPED))).toBe('inconclusive');
    expect(verdict(source, control(TOO_MANY), branch(TOO_MANY))).toBe('inconclusive');
    expect(verdict(source, control(), branch(failed('internal_error')))).toBe('inconclusive');
  });

  it('was not seen where the branch was refused for it, or not driven', () => {
    const refused = refusedFork('branch with other configurable', 422, 'branch');
    expect(outcome(source, control(), refused)).toMatchObject({
      reason: expect.stringContaining('accept configurable in runOptionsOverlay'),
    });
    expect(verdict(source, control())).toBe('inconclusive');
    expect(verdict(source, branch(DONE))).toBe('inconclusive');
    expect(verdict()).toBe('inconclusive');
  });
});

/** What a run says whose configurable value is this. */
function showing(value: Json | undefined): readonly Said[] {
  const written = value === undefined ? [] : [say('variable.changed', { name: 'configured', value }, 'configured')];
  return [say('run.started'), ...written, say('run.completed')];
}

function replayOfSource(value: Json, own: Json) {
  const workflowId = 'conformance-determinism-identity';
  const replay = { workflowId, role: 'replay after the branches', fork: FORK };
  return judgeLaterRun(
    recorded(runCalled('run_a', showing(own), { workflowId }), runCalled('run_r', showing(value), replay)),
  );
}

function nothing(...seen: readonly Observation[]) {
  return judged(judgeNothing(recorded(...seen)));
}

describe('a replay of the branch with another limit of steps', () => {
  it('has that limit, and not the one of the first run', () => {
    const seen = [source, control(), branch(DONE)];
    expect(verdict(...seen, again(DONE))).toBe('pass');
    expect(verdict(...seen, again(TOO_MANY))).toBe('fail overlay-ignored');
    expect(outcome(...seen, again(TOO_MANY))).toMatchObject({ on: 'fork.branch-applies-overlay.replayed' });
    expect(verdict(...seen, again(failed('internal_error')))).toBe('pass');
  });
});

describe('what is limited as the source after the branch with another limit', () => {
  it.each(['run after the branches', 'replay after the branches', 'another branch without an overlay'])(
    'fails as what was made so before: %s',
    (role) => {
      expect(made(TOO_MANY, role, TOO_MANY)).toBeUndefined();
      expect(made(TOO_MANY, role, DONE)).toMatchObject({ kind: 'fail', diagnosis: { code: 'not-independent' } });
      expect(made(TOO_MANY, role, DONE, TOO_MANY)).toBeUndefined();
    },
  );

  it('shows nothing of overlays where what was made before did not fail so', () => {
    expect(made(DONE, 'replay after the branches', DONE)).toBeUndefined();
    expect(made(failed('internal_error'), 'another branch without an overlay', DONE)).toBeUndefined();
  });
});

describe('a branch with other configurable', () => {
  const OURS = { workflowId: 'conformance-determinism-identity' };
  const given = runCalled('run_a', showing('given to the source'), OURS);
  const forked = (value: Json, role: string) => runCalled('run_b', showing(value), { ...OURS, role, fork: FORK });
  const taken = forked('given to the branch', 'branch with other configurable');
  const replayed = (value: Json) => forked(value, 'replay of the branch with other configurable');

  it('is replayed with it', () => {
    expect(verdict(given, taken)).toBe('pass');
    expect(verdict(given, taken, replayed('given to the branch'))).toBe('pass');
    expect(verdict(given, taken, replayed('given to the source'))).toBe('fail overlay-ignored');
    expect(verdict(given, taken, replayed('from nobody'))).toBe('fail overlay-changed');
    expect(outcome(given, taken, replayed('from nobody'))).toMatchObject({ on: 'fork.branch-is-independent.replayed' });
  });
});

describe('branches with other configurable that are made at once', () => {
  const OURS = { workflowId: 'conformance-determinism-identity' };
  const forked = (value: Json, role: string) => runCalled('run_b', showing(value), { ...OURS, role, fork: FORK });
  const both = (first: Json, second: Json) => [
    runCalled('run_a', showing('given to the source'), OURS),
    forked(first, 'branch with other configurable'),
    forked(second, 'branch with a value that counts as nothing'),
  ];

  it('have a value each, whichever was the last', () => {
    expect(verdict(...both('given to the branch', false))).toBe('pass');
    expect(verdict(...both('given to the branch', 'given to the branch'))).toBe('fail overlay-changed');
    expect(verdict(...both(false, false))).toBe('fail overlay-changed');
    expect(nothing(...both('given to the branch', 'given to the branch'))).toMatchObject({
      restsOn: 'fork.branch-applies-overlay.configurable',
    });
  });
});

describe('a run after a branch with other configurable', () => {
  const OURS = { workflowId: 'conformance-determinism-identity' };
  const later = (value: Json, role = 'run after the branches') =>
    judgeLaterRun(recorded(runCalled('run_l', showing(value), { ...OURS, role })));

  it('shows its own', () => {
    expect(later('given to the source')).toBeUndefined();
    expect(later('given to the branch')).toMatchObject({ kind: 'fail', diagnosis: { code: 'not-independent' } });
    expect(later('configured by the overlay', 'source')).toMatchObject({ kind: 'fail' });
    expect(judgeLaterRun(recorded(source))).toBeUndefined();
  });

  it('is a replay of the source, too, and what counts as nothing is of an overlay where the source shows its own', () => {
    expect(replayOfSource('given to the source', 'given to the source')).toBeUndefined();
    expect(replayOfSource('given to the branch', 'given to the source')).toMatchObject({ kind: 'fail' });
    expect(replayOfSource(false, 'given to the source')).toMatchObject({ diagnosis: { code: 'not-independent' } });
    expect(replayOfSource(false, false)).toBeUndefined();
  });

  it('proves nothing about overlays where it shows another one, and that is said', () => {
    const seen = [
      runCalled('run_a', showing('other'), OURS),
      runCalled('run_b', showing('other'), { ...OURS, role: 'branch with other configurable', fork: FORK }),
      runCalled('run_c', showing('other'), { ...OURS, role: 'branch with a value that counts as nothing', fork: FORK }),
    ];
    const why = { reason: expect.stringContaining('shows "other", where it was given "given to the source"') };
    expect(outcome(...seen)).toMatchObject(why);
    expect(nothing(...seen)).toMatchObject(why);
  });
});

describe('an overlay with a value that counts as nothing', () => {
  const OURS = { workflowId: 'conformance-determinism-identity' };
  const run = (value: Json | undefined) => runCalled('run_a', showing(value), OURS);
  const branched = (value: Json | undefined, role = 'branch with a value that counts as nothing') =>
    runCalled('run_b', showing(value), { ...OURS, role, fork: FORK });
  const other = (value: Json) => branched(value, 'branch with other configurable');

  it('is taken, or its source shows what it was given', () => {
    const given = run('given to the source');
    const taken = other('given to the branch');
    expect(nothing(given, taken, branched(false))).toMatchObject({ verdict: 'pass' });
    expect(short(nothing(given, taken, branched('given to the source')))).toBe('fail overlay-ignored');
    expect(short(nothing(given, taken, branched(null)))).toBe('fail overlay-ignored');
  });

  it('rests on the overlay that is ignored whatever it holds', () => {
    const given = run('given to the source');
    const ignored = other('given to the source');
    expect(nothing(given, ignored, branched('given to the source'))).toMatchObject({
      restsOn: 'fork.branch-applies-overlay.configurable',
    });
  });

  it('was not seen where nothing shows it, or the node puts out something else', () => {
    const given = run('given to the source');
    expect(nothing(run({}), other({}), branched({}))).toMatchObject({ verdict: 'inconclusive' });
    for (const seen of [[], [given], [given, branched(undefined)], [run(undefined), branched(false)], [source]]) {
      expect(nothing(...seen)).toMatchObject({ verdict: 'inconclusive' });
    }
    const refused = refusedFork('branch with a value that counts as nothing', 422, 'branch');
    expect(nothing(given, refused)).toMatchObject({ verdict: 'inconclusive' });
  });
});
