import { describe, expect, it } from 'vitest';
import {
  observed,
  recordedRun,
  refusedReplay,
  replayCalled,
  runCalled,
  say,
  OPTIONS,
  verdictOf,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { modelCalls } from './external-calls.ts';
import { failures } from './failures.ts';

const failing = (code?: string): readonly Said[] => [
  say('run.started'),
  say('run.failed', code === undefined ? {} : { error: { code, message: 'No.' } }),
];
const SOURCE = runCalled('src', failing('broken'), { snapshot: { status: 'failed', error: { code: 'broken' } } });

function verdict(replay: readonly Said[], source: Recorded<RunObservation> = SOURCE, snapshot: object = {}): string {
  const made = replayCalled('rep', replay, { snapshot: { ...snapshot } });
  return verdictOf(failures, 'replay.same-failure', [source, made]);
}

function judged(recorded: readonly Recorded<RunObservation>[]): unknown {
  return failures.judge(recorded, OPTIONS)[0];
}

/** What a replay of another log is judged as, whose snapshot is this. */
const showing = (snapshot: Json): unknown => judged([SOURCE, replayCalled('rep', failing('other'), { snapshot })]);

function told(nodeId: string): readonly Said[] {
  const [begin = say('run.started'), ...end] = failing('broken');
  return [begin, say('node.started', {}, nodeId), ...end];
}

const saying = (message: string): readonly Said[] => [
  say('run.started'),
  say('run.failed', { error: { code: 'broken', message } }),
];

/** A run that fails after these events. */
function by(...way: readonly Said[]): readonly Said[] {
  const [begin = say('run.started'), ...end] = failing('broken');
  return [begin, ...way, ...end];
}

/** A run that fails behind a node that failed with this code. */
function atNode(code: string): readonly Said[] {
  return by(say('node.failed', { error: { code } }, 'n'));
}

function calls(after: string, count: number): Recorded<Observation> {
  return observed(`c-${after}`, 'calls', { after, url: 'http://witness', count, firstAnswer: null });
}

/** A run that fails after it started these nodes. */
function through(...nodes: readonly string[]): readonly Said[] {
  return by(...nodes.map((nodeId) => say('node.started', {}, nodeId)));
}

/** The log of a run that completes. */
function done(...said: readonly Said[]): readonly Said[] {
  return [say('run.started'), ...said, say('run.completed')];
}

/** A run that completes by an attempt that says this. */
const tried = (payload: Json): readonly Said[] => done(say('node.started', {}, 'a'), say('node.retried', payload, 'a'));

describe('replay.same-failure', () => {
  it('passes where the replay fails with the same code, in its log or its snapshot', () => {
    expect(verdict(failing('broken'))).toBe('pass');
    expect(verdict(failing(), SOURCE, { status: 'failed', error: { code: 'broken' } })).toBe('pass');
    expect(verdict(failing('other'), runCalled('src', failing(), { snapshot: {} }))).toBe('pass');
  });

  it('rests on the row about snapshots where its own shows the error of the source', () => {
    const snapshot = { status: 'failed', error: { code: 'broken' } };
    expect(showing(snapshot)).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
    expect(showing({ status: 'failed', error: { code: 'run_failed' } })).not.toHaveProperty('restsOn');
    expect(showing({ status: 'failed', error: { code: 'other' } })).not.toHaveProperty('restsOn');
  });

  it('fails where its node fails with another error, unless it says so', () => {
    const failed = (code: string) => by(say('node.failed', { error: { code } }, 'n'));
    const source = runCalled('src', failed('a'), { snapshot: {} });
    expect(verdict(failed('a'), source)).toBe('pass');
    expect(verdict(failed('b'), source)).toBe('fail failure-otherwise');
    const [begin = say('run.started'), ...rest] = failed('b');
    expect(verdict([begin, say('replay.diverged'), ...rest], source)).toBe('pass');
    expect(verdict(by(say('node.failed', {}, 'n')), runCalled('src', failing('broken'), { snapshot: {} }))).toBe(
      'fail failure-by-another-way',
    );
  });

  it('fails where it completes, or fails with another code or none', () => {
    expect(verdict([say('run.started'), say('run.completed')])).toBe('fail failure-gone');
    expect(verdict(failing('other'))).toBe('fail failure-otherwise');
    expect(verdict(failing())).toBe('fail failure-otherwise');
  });

  it('fails where its message has other words; ids and times are its own', () => {
    const source = runCalled('src', saying('The node of run src-1 failed after 12 ms.'));
    expect(verdict(saying('The node of run rep-2 failed after 7 ms.'), source)).toBe('pass');
    expect(verdict(saying('It was replayed.'), source)).toBe('fail failure-otherwise');
    expect(verdict(failing('broken'), runCalled('src', saying('7')))).toBe('pass');
  });

  it('fails where the history below its fork point is another one, which rests on the row about histories', () => {
    const source = runCalled('src', told('a'));
    const fork = { sourceRunId: 'src', mode: 'replay', fromSeq: 2, advertised: true };
    const from = (nodeId: string) => judged([source, replayCalled('rep', told(nodeId), { fork })]);
    expect(from('a')).toMatchObject({ verdict: 'pass' });
    expect(from('b')).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
  });

  it('fails where another node failed, and asks for no node that is not named', () => {
    const at = (nodeId?: string): readonly Said[] => {
      const [begin = say('run.started'), ...end] = failing('broken');
      return [begin, say('node.failed', nodeId === undefined ? {} : { nodeId }), ...end];
    };
    const source = runCalled('src', at('a'));
    expect(verdict(at('a'), source)).toBe('pass');
    expect(verdict(at('b'), source)).toBe('fail failure-otherwise');
    expect(verdict(at(), source)).toBe('pass');
    expect(verdict(failing('broken'), source)).toBe('fail failure-by-another-way');
  });

  it('fails where other nodes or attempts led to it, unless the replay says so', () => {
    const [a, b, again] = [say('node.started', {}, 'a'), say('node.started', {}, 'b'), say('node.retried', {}, 'a')];
    const source = runCalled('src', by(a, again, b));
    expect(verdict(by(a, again, b, say('log.appended')), source)).toBe('pass');
    expect(verdict(by(a, again), source)).toBe('fail failure-by-another-way');
    expect(verdict(by(a, b), source)).toBe('fail failure-by-another-way');
    expect(verdict(by(a, b, say('replay.diverged')), source)).toBe('pass');
  });

  it('is about a run as well whose node is tried again before it fails', () => {
    const [a, again] = [say('node.started', {}, 'a'), say('node.retried', {}, 'a')];
    const retried = runCalled('retried', by(a, again), { role: 'source that is tried again' });
    const beside = (said: readonly Said[], more: Partial<RunObservation> = {}): string => {
      const replays = [replayCalled('rep', failing('broken')), replayCalled('rep2', said, { of: 'retried', ...more })];
      return verdictOf(failures, 'replay.same-failure', [SOURCE, retried, ...replays]);
    };
    expect(beside(by(a, again))).toBe('pass');
    expect(beside(by(a))).toBe('fail failure-by-another-way');
    expect(beside(by(a, again, again))).toBe('fail failure-by-another-way');
    expect(beside(by(a, say('replay.diverged')))).toBe('pass');
    expect(beside([say('run.started'), say('run.completed')])).toBe('fail failure-gone');
    // One that was not seen is other rows' matter.
    expect(beside([], { problem: 'the run has not ended' })).toBe('pass');
  });

  it('is about a run as well whose model says that its answer was cut off', () => {
    const cut = runCalled('cut', failing('broken'), { role: 'source whose answer was cut off' });
    const beside = (said: readonly Said[]): string => {
      const replays = [replayCalled('rep', failing('broken')), replayCalled('rep2', said, { of: 'cut' })];
      return verdictOf(failures, 'replay.same-failure', [SOURCE, cut, ...replays]);
    };
    expect(beside(failing('broken'))).toBe('pass');
    expect(beside([say('run.started'), say('replay.diverged'), say('run.completed')])).toBe('fail failure-gone');
  });

  it('is about a run as well that completes when its node is tried again', () => {
    const [a, again] = [say('node.started', {}, 'a'), say('node.retried', {}, 'a')];
    const source = runCalled('done', done(a, again), { role: 'source that is tried again and completes' });
    const beside = (said: readonly Said[]): string => {
      const replays = [replayCalled('rep', failing('broken')), replayCalled('rep2', said, { of: 'done' })];
      return verdictOf(failures, 'replay.same-failure', [SOURCE, source, ...replays]);
    };
    expect(beside(done(a, again))).toBe('pass');
    expect(beside(done(a))).toBe('fail failure-by-another-way');
    expect(beside(done(a, say('replay.diverged')))).toBe('pass');
    // How it ends otherwise is other rows' matter.
    expect(beside(failing('broken'))).toBe('pass');
  });

  it.each(['source that is tried again', 'source that is tried again and completes'])(
    'rests on the row about calls where a replay of the %s asks for an attempt',
    (role) => {
      const [a, again] = [say('node.started', {}, 'a'), say('node.retried', {}, 'a')];
      const log = role.endsWith('completes') ? done(a, again) : by(a, again);
      const said = (count: number): readonly Recorded<Observation>[] => [
        SOURCE,
        replayCalled('rep', failing('broken')),
        runCalled('tried', log, { role }),
        calls(role, 2),
        replayCalled('rep2', log, { of: 'tried', role: 'replay of it' }),
        calls('replay of it', count),
      ];
      const judgedBy = (count: number) => failures.judge(said(count), OPTIONS)[0];
      const owner = 'replay.no-second-external-call.model';
      expect(judgedBy(2)).toMatchObject({ verdict: 'pass' });
      expect(judgedBy(3)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' }, restsOn: owner });
      const everything = (count: number) => said(count).map((each) => ({ ...each, scenario: 'replay.same-failure' }));
      expect(verdictOf(modelCalls, owner, [], everything(2))).toBe('inconclusive');
      expect(verdictOf(modelCalls, owner, [], everything(3))).toBe('fail second-call');
    },
  );

  it('fails where a replay asks nobody for an attempt, does without it, and says that it differs', () => {
    const role = 'source that is tried again and completes';
    const [a, again] = [say('node.started', {}, 'a'), say('node.retried', {}, 'a')];
    const counted = (said: readonly Said[], ...count: readonly number[]): string =>
      verdictOf(failures, 'replay.same-failure', [
        SOURCE,
        replayCalled('rep', failing('broken')),
        runCalled('tried', done(a, again), { role }),
        calls(role, 2),
        replayCalled('rep2', said, { of: 'tried', role: 'replay of it' }),
        ...count.map((each) => calls('replay of it', each)),
      ]);
    expect(counted(done(a, say('replay.diverged')), 2)).toBe('fail failure-by-another-way');
    expect(counted(done(a, again, say('replay.diverged')), 2)).toBe('pass');
    expect(counted(done(a, say('replay.diverged')))).toBe('pass');
  });

  it('fails where an attempt has another number, where both give one', () => {
    const source = runCalled('done', tried({ attempt: 2 }), { role: 'source that is tried again and completes' });
    const of = (said: readonly Said[]): string => {
      const replays = [replayCalled('rep', failing('broken')), replayCalled('rep2', said, { of: 'done' })];
      return verdictOf(failures, 'replay.same-failure', [SOURCE, source, ...replays]);
    };
    expect(of(tried({ attempt: 9 }))).toBe('fail failure-by-another-way');
    expect(of([...tried({ attempt: 9 }), say('replay.diverged')])).toBe('pass');
    for (const same of [{ attempt: 2 }, {}, { attempt: 'two' }]) expect(of(tried(same))).toBe('pass');
  });

  it('is about failing workflows of the sweep as well', () => {
    const own = [SOURCE, replayCalled('rep', failing('broken'))];
    const swept = (replayed: readonly Said[], source = through('a', 'b')) =>
      verdictOf(
        failures,
        'replay.same-failure',
        own,
        [runCalled('capped', source), replayCalled('again', replayed, { of: 'capped' })].map((run) => ({
          ...run,
          scenario: 'sequence.sweep',
        })),
      );
    expect(swept(through('a', 'b'))).toBe('pass');
    expect(swept(through('a'))).toBe('fail failure-by-another-way');
    expect(swept([say('run.started'), say('run.completed')])).toBe('fail failure-gone');
    expect(swept(through('a'), [say('run.started'), say('run.completed')])).toBe('pass');
  });

  it('is about replays of replays of the sweep as well', () => {
    const own = [SOURCE, replayCalled('rep', failing('broken'))];
    const again = (second: readonly Said[], first: readonly Said[] = failing('broken')): string => {
      const runs = [
        runCalled('capped', failing('broken')),
        replayCalled('first', first, { of: 'capped' }),
        replayCalled('second', second, { of: 'first' }),
      ].map((run) => ({ ...run, scenario: 'sequence.sweep' }));
      return verdictOf(failures, 'replay.same-failure', own, runs);
    };
    expect(again(failing('broken'))).toBe('pass');
    expect(again(failing('other'))).toBe('fail failure-otherwise');
    expect(again(saying('It was replayed.'))).toBe('fail failure-otherwise');
    expect(again([say('run.started'), say('run.completed')])).toBe('fail failure-gone');
    expect(again(atNode('other'), atNode('broken'))).toBe('fail failure-by-another-way');
    // Other nodes before it the row about replays of replays names.
    expect(again(through('a'))).toBe('pass');
  });

  it('rests on the row about replays of replays, which sees other ends', () => {
    const runs = [
      runCalled('capped', failing('broken')),
      replayCalled('first', failing('broken'), { of: 'capped' }),
      replayCalled('second', failing('other'), { of: 'first', snapshot: null }),
    ].map((run) => ({ ...run, scenario: 'sequence.sweep' }));
    const own = [SOURCE, replayCalled('rep', failing('broken'))];
    expect(failures.judge(own, OPTIONS, runs)[0]).toMatchObject({ restsOn: 'sequence.replay-of-replay.every-fixture' });
  });

  it('is about runs whose tool failed as well, where the replay did not call it again', () => {
    const own = [SOURCE, replayCalled('rep', failing('broken'))];
    const [from, to] = ['source where the tool fails', 'replay where the tool fails'];
    const tool = (replayed: readonly Said[], more = 0, source = failing('broken')): string => {
      const runs = [
        runCalled('tool', source, { role: from }),
        calls(from, 1),
        replayCalled('again', replayed, { of: 'tool', role: to }),
        calls(to, 1 + more),
      ].map((each) => ({ ...each, scenario: 'replay.no-second-external-call' }));
      return verdictOf(failures, 'replay.same-failure', own, runs);
    };
    const completed = [say('run.started'), say('run.completed')];
    expect(tool(failing('broken'))).toBe('pass');
    expect(tool(failing('other'))).toBe('fail failure-otherwise');
    expect(tool(completed)).toBe('fail failure-gone');
    // Whoever calls again, or says that it differs, is judged elsewhere; a host may go on without an answer.
    expect(tool(completed, 1)).toBe('pass');
    expect(tool([say('run.started'), say('replay.diverged'), say('run.completed')])).toBe('pass');
    expect(tool(completed, 0, completed)).toBe('pass');
  });

  it('is undecided where no run failed, and no replay was seen', () => {
    expect(verdict(failing('broken'), runCalled('src', [say('run.completed')]))).toBe('inconclusive');
    expect(verdictOf(failures, 'replay.same-failure', [SOURCE])).toBe('inconclusive');
    expect(verdictOf(failures, 'replay.same-failure', [recordedRun(null, { problem: 'refused' })])).toBe(
      'inconclusive',
    );
    expect(judged([runCalled('src', [say('run.started'), say('run.completed')])])).toMatchObject({
      reason: 'the source src: it did not fail: seed conformance-failure',
    });
    const unknown = { answered: 404, runId: null, answer: null, problem: 'POST /v1/runs was answered with 404' };
    expect(judged([runCalled('src', [], unknown)])).toMatchObject({
      reason: expect.stringMatching(/404: seed conformance-failure$/u),
    });
    expect(verdictOf(failures, 'replay.same-failure', [SOURCE, refusedReplay('full replay', SOURCE)])).toBe(
      'fail fork-refused',
    );
  });
});
