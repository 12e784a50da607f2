import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import {
  judgementIn,
  observed,
  OPTIONS,
  refusedRun,
  unfinished,
  verdictOf,
  witnessed,
} from '../../test/recorded-runs.ts';
import {
  CHILD,
  decided,
  type Entry,
  entryOf,
  HAPPY,
  handoffRun,
  PARENT,
  replaced,
  without,
  WORKER,
} from '../../test/handoff-runs.ts';
import { TOOL, TOOL_CHILD } from './fixtures.ts';
import { replays } from './replays.ts';
import { COUNTED } from '../shared/witnessed-run.ts';

type Evidence = Parameters<typeof verdictOf>[2];

const fork = { sourceRunId: 'run-parent', mode: 'replay', fromSeq: null, advertised: true };
const source = (log: readonly Entry[] = HAPPY, more: object = {}) => handoffRun(log, { role: 'source', ...more });
const replay = (log: readonly Entry[] = HAPPY, more: object = {}) =>
  handoffRun(log, { id: 'o4', role: 'full replay', runId: 'run-replay', fork, ...more });
const calls = (after: string, count: number) =>
  observed(`o-${after}`, 'calls', {
    after,
    url: 'http://witness',
    calls: Array.from({ length: count }, () => witnessed()),
  });

const running = { snapshot: { status: 'running', variables: { parentResult: '' } } };

function verdict(...seen: Evidence): string {
  return verdictOf(replays, 'handoff.replays', seen);
}

function judged(run: ReturnType<typeof replay>, of = source()): string {
  return verdict(of, calls('source', 1), run, calls('full replay', 1));
}

/** A replay from within the handoff that begins with an event about itself. */
function shifted(log: readonly Entry[]): ReturnType<typeof replay> {
  return replay([entryOf('marker', 'replay.started'), ...log], { fork: { ...fork, fromSeq: 5 } });
}

/** A replay of the replay. */
function again(log: readonly Entry[]): ReturnType<typeof replay> {
  const of = { ...fork, sourceRunId: 'run-replay' };
  return replay(log, { id: 'o5', role: 'replay of it', runId: 'run-again', fork: of });
}

/** The happy path, its decision for these workers. */
function deciding(...workers: readonly string[]): readonly Entry[] {
  return replaced(HAPPY, 'decision', decided('decision', 'next-worker', workers));
}

/** What is said of a replay of a run whose plan is known, and the row that it rests on. */
function planned(log: readonly Entry[], replayed: readonly Entry[]) {
  const seen = [source(log, { workflowId: TOOL }), calls('source', 1), replay(replayed), calls('full replay', 1)];
  const { verdict: is, restsOn } = judgementIn(replays, 'handoff.replays', seen);
  return [is, restsOn];
}

/** What is said of a replay, and whether its keys are advised on. */
function advised(log: readonly Entry[], replayed: readonly Entry[]) {
  const seen = [source(log), calls('source', 1), replay(replayed), calls('full replay', 1)];
  const { verdict: is, reason } = judgementIn(replays, 'handoff.replays', seen);
  return [is, reason?.includes('/harvestedKeys')];
}

/** A log whose last transition names these runs. */
function naming(parentRunId: string, childRunId: string): readonly Entry[] {
  const payload = { phase: 'output.harvested', parentRunId, childRunId, workerId: WORKER };
  return replaced(HAPPY, 'harvested', { payload });
}

const HARVESTED = { phase: 'output.harvested', workerId: WORKER };
const saying = (payload: Json) => ({ payload });

/** The happy path, its harvest of these keys. */
const keys = (...harvestedKeys: readonly string[]) =>
  replaced(HAPPY, 'harvested', saying({ ...HARVESTED, parentRunId: PARENT, harvestedKeys }));

/** What a failure does not rest on. */
const apart = (...seen: Evidence) => judgementIn(replays, 'handoff.replays', seen).apart;

describe('handoff.replays', () => {
  it('passes where a replay tells the same and calls nobody', () => {
    expect(verdict(source(), calls('source', 1), replay(), calls('full replay', 1))).toBe('pass');
  });

  it('passes where a replay names less, and its keys in another order', () => {
    const named = replaced(HAPPY, 'harvested', saying({ ...HARVESTED, harvestedKeys: ['a', 'b'] }));
    const turned = replaced(HAPPY, 'harvested', saying({ ...HARVESTED, harvestedKeys: ['b', 'a'] }));
    expect(judged(replay(turned), source(named))).toBe('pass');
    expect(judged(replay(replaced(HAPPY, 'harvested', saying(HARVESTED))), source(named))).toBe('pass');
  });

  it('advises on a harvest that names its keys in the source alone, or in the replay', () => {
    const unkeyed = replaced(HAPPY, 'harvested', saying({ ...HARVESTED, harvestedKeys: null }));
    expect(advised(unkeyed, HAPPY)).toEqual(['pass', true]);
    expect(advised(HAPPY, unkeyed)).toEqual(['pass', true]);
    expect(advised(unkeyed, unkeyed)).toEqual(['pass', undefined]);
    expect(advised(HAPPY, HAPPY)).toEqual(['pass', undefined]);
  });

  it('passes where its state differs in what was declared volatile alone', () => {
    const state = { runId: 'run-replay', status: 'completed', workflowId: 'parent' };
    const other = replay(HAPPY, { snapshot: { ...state, variables: { parentResult: { text: 'a', at: 2 } } } });
    const of = source(HAPPY, { snapshot: { ...state, variables: { parentResult: { text: 'a', at: 1 } } } });
    const seen = [of, calls('source', 1), other, calls('full replay', 1)];
    const judgedWith = (...volatile: readonly string[]) =>
      replays.judge(seen, { ...OPTIONS, volatile }).find(({ check }) => check === 'handoff.replays');
    expect(judgedWith('/payload/value/at')).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('/payload/value/at') as string,
    });
    expect(judgedWith()?.verdict).toBe('fail');
    expect(judgedWith('/payload/value/text')?.verdict).toBe('fail');
  });

  it('passes where a replay has a child of its own without effects', () => {
    const text = JSON.stringify(HAPPY).replaceAll(CHILD, 'run-other').replaceAll(PARENT, 'run-replay');
    const other = JSON.parse(text) as readonly Entry[];
    expect(verdict(source(), calls('source', 1), replay(other), calls('full replay', 1))).toBe('pass');
  });

  describe('where transitions of a replay', () => {
    const later = { ...fork, fromSeq: 5 };
    const broken = replaced(HAPPY, 'harvested', { by: 'start' });

    it('lead nowhere, fails unless those of the source lead nowhere either', () => {
      expect(judged(replay(broken))).toBe('fail broken-chain');
      expect(judged(replay(broken), source(broken))).toBe('pass');
    });

    it('are missing, fails where those of the source lead nowhere, unless these are missing, too', () => {
      const uncaused = HAPPY.map(({ by, ...entry }) =>
        entry.as === 'harvested' || by === undefined ? entry : { ...entry, by },
      );
      expect(judged(replay(uncaused), source(broken))).toBe('fail broken-chain');
      expect(judged(replay(uncaused), source(uncaused))).toBe('pass');
      expect(judged(replay(broken), source(uncaused))).toBe('pass');
    });

    it('are missing, rests on the row about histories where they are missing in these, too', () => {
      const uncaused = HAPPY.map(({ by: _by, ...entry }) => entry);
      const restsOn = (run: ReturnType<typeof replay>) =>
        judgementIn(replays, 'handoff.replays', [source(), calls('source', 1), run, calls('full replay', 1)]).restsOn;
      expect(restsOn(replay(uncaused, { fork: { ...fork, fromSeq: 6 } }))).toBe('sequence.prefix-equal');
      expect(restsOn(replay(uncaused))).toBe('handoff.causation-chain');
    });

    it('share their ids, is open', () => {
      const events = replay().events.map((event) => ({ ...(event as object), eventId: 'e', causationId: 'e' }));
      expect(judged(replay(HAPPY, { events }))).toBe('inconclusive');
    });

    it('lead on behind a history that lacks an event, rests on the row about histories', () => {
      const log = replaced(HAPPY, 'mapped', { by: 'succeeded' });
      const lacking = replay(without(log, 'node'), { fork: { ...fork, fromSeq: 7 } });
      const seen = [source(log), calls('source', 1), lacking, calls('full replay', 1)];
      expect(judgementIn(replays, 'handoff.replays', seen)).toMatchObject({
        actual: expect.stringContaining('no event there') as string,
        restsOn: 'sequence.prefix-equal',
      });
    });

    it('follow what stands in the history of the source, passes, and fails where it is no history', () => {
      const begun = replaced(HAPPY, 'completed', { by: 'run-parent-3' });
      expect(judged(replay(begun, { fork: later }))).toBe('pass');
      expect(judged(replay(begun))).toBe('fail broken-chain');
      const harvested = replaced(HAPPY, 'harvested', { by: 'run-parent-5' });
      expect(judged(replay(harvested, { fork: later }))).toBe('fail broken-chain');
    });

    it('are history and named by the ids of the source, fails where these have other ones there', () => {
      const stale = replaced(HAPPY, 'completed', { by: 'run-parent-3' });
      const seen = (run: ReturnType<typeof replay>) => [source(), calls('source', 1), run, calls('full replay', 1)];
      const all = { ...fork, fromSeq: 8 };
      expect(judgementIn(replays, 'handoff.replays', seen(replay(stale, { fork: all })))).toMatchObject({
        verdict: 'fail',
        diagnosis: { code: 'broken-chain' },
        restsOn: 'sequence.prefix-equal',
      });
      expect(judged(replay(HAPPY, { fork: all }))).toBe('pass');
      const kept = replay(HAPPY, { fork: all, events: source().events });
      expect(judged(kept)).toBe('pass');
      const elsewhere = replaced(HAPPY, 'began', { by: 'event of another log' });
      expect(judged(replay(elsewhere, { fork: all }), source(elsewhere))).toBe('pass');
    });

    it('stand behind an event about the replay, which shifts their numbers, passes, and fails where they lead nowhere', () => {
      expect(judged(shifted(HAPPY))).toBe('pass');
      expect(judged(shifted(replaced(HAPPY, 'completed', { by: 'run-parent-3' })))).toBe('pass');
      expect(judged(shifted(broken))).toBe('fail broken-chain');
    });

    it('name the source as parent, passes for its own child and in the history alone', () => {
      expect(judged(replay(HAPPY))).toBe('pass');
      expect(judged(replay(naming('run-replay', CHILD)))).toBe('pass');
      const elsewhere = naming('run-else', CHILD);
      expect(judged(replay(elsewhere))).toBe('fail payload-wrong-value');
      expect(judged(replay(elsewhere), source(elsewhere))).toBe('pass');
      const other = JSON.parse(JSON.stringify(HAPPY).replaceAll(CHILD, 'run-other')) as readonly Entry[];
      expect(judged(replay(other))).toBe('fail payload-wrong-value');
      expect(judged(replay(other, { fork: { ...fork, fromSeq: 9 } }))).toBe('pass');
    });
  });

  it('fails where the tool is called again, whatever became of the replay', () => {
    const twice = [source(), calls('source', 1), replay(), calls('full replay', 2)];
    expect(verdict(...twice)).toBe('fail dispatched-again');
    expect(verdict(...twice.with(2, unfinished(replay())))).toBe('fail dispatched-again');
  });

  it('fails where a replay of the replay calls the tool again or tells another handoff, and passes where it does not', () => {
    const first = [source(), calls('source', 1), replay(), calls('full replay', 1)];
    expect(verdict(...first, again(HAPPY), calls('replay of it', 1))).toBe('pass');
    expect(verdict(...first, again(HAPPY), calls('replay of it', 2))).toBe('fail dispatched-again');
    expect(verdict(...first, again(without(HAPPY, 'harvested')), calls('replay of it', 1))).toBe('fail wrong-path');
  });

  it('rests on the row about replays of replays for one of these alone', () => {
    const other = { snapshot: { status: 'completed', variables: { parentResult: 'x' } } };
    const first = [source(), calls('source', 1), replay(), calls('full replay', 1)];
    expect(apart(...first, { ...again(HAPPY), ...other }, calls('replay of it', 1))).toBeUndefined();
    expect(apart(...first, again(HAPPY), calls('replay of it', 2))).toEqual(COUNTED.apart);
    expect(apart(...first.with(2, replay(HAPPY, other)))).toEqual(['sequence.replay-of-replay']);
  });

  it.each<readonly [string, ReturnType<typeof replay>]>([
    ['ends otherwise', replay(replaced(HAPPY, 'over', { type: 'run.failed' }))],
    ['decides on another worker', replay(replaced(HAPPY, 'decision', decided('decision', 'next-worker', ['x'])))],
    ['has a transition less', replay(without(HAPPY, 'harvested'))],
    ['has a decision less', replay(without(HAPPY, 'end'))],
  ])('fails where the replay %s', (_, run) => {
    expect(verdict(source(), calls('source', 1), run, calls('full replay', 1))).toBe('fail wrong-path');
  });

  it('rests on the row about payloads where the decision of the source names others than it hands off to', () => {
    expect(planned(deciding(), deciding(TOOL_CHILD))).toEqual(['fail', 'handoff.payloads']);
    expect(planned(deciding(), deciding())).toEqual(['pass', undefined]);
    expect(planned(deciding(TOOL_CHILD), deciding())).toEqual(['fail', undefined]);
  });

  it('rests on it where a transition of the source names keys that nobody mapped, or a worker of no decision, and its replay others', () => {
    const stray = replaced(HAPPY, 'harvested', saying({ ...HARVESTED, workerId: 'nobody' }));
    expect(planned(keys(), keys('result'))).toEqual(['fail', 'handoff.payloads']);
    expect(planned(keys('x'), keys('toolResult'))).toEqual(['fail', 'handoff.payloads']);
    expect(planned(stray, HAPPY)).toEqual(['fail', 'handoff.payloads']);
    expect(planned(keys('result'), keys('x'))).toEqual(['fail', undefined]);
    expect(planned(keys('result'), keys('result'))).toEqual(['pass', undefined]);
  });

  it('rests on nothing for a replay of a replay, which may name its source as the parent', () => {
    const first = [source(keys('result'), { workflowId: TOOL }), calls('source', 1)];
    const both = [replay(keys('result')), calls('full replay', 1), again(keys('x')), calls('replay of it', 1)];
    expect(judgementIn(replays, 'handoff.replays', [...first, ...both]).restsOn).toBeUndefined();
  });

  it('fails where the replay is refused', () => {
    const seen = [source(), calls('source', 1), refusedRun(replay()), calls('full replay', 1)];
    expect(verdict(...seen)).toBe('fail fork-refused');
  });

  it('fails where the replay comes to another state', () => {
    const other = replay(HAPPY, { snapshot: { status: 'completed', variables: { parentResult: 'x' } } });
    const seen = [source(), calls('source', 1), other, calls('full replay', 1)];
    expect(verdict(...seen)).toBe('fail state-differs');
  });

  it.each<readonly [string, ReturnType<typeof replay>]>([
    ['names another worker', replay(replaced(HAPPY, 'completed', saying({ phase: 'child.completed', workerId: 'x' })))],
    ['names other keys', replay(replaced(HAPPY, 'harvested', saying({ ...HARVESTED, harvestedKeys: ['x'] })))],
    ['names two children', replay(replaced(HAPPY, 'harvested', saying({ ...HARVESTED, childRunId: 'run-x' })))],
  ])('fails where a transition of the replay %s', (_, run) => {
    expect(judged(run)).toBe('fail payload-wrong-value');
  });

  it('passes where a replay goes on with a child of its own, whose row tells of it', () => {
    const other = replaced(HAPPY, 'harvested', saying({ ...HARVESTED, childRunId: 'run-x' }));
    expect(judged(replay(other, { fork: { ...fork, fromSeq: 7 } }))).toBe('pass');
  });

  it.each<readonly [string, Evidence]>([
    ['nothing was driven', []],
    ['the source was not seen', [unfinished(source()), calls('source', 0)]],
    ['the source did not call', [source(), calls('source', 0)]],
    ['the source dispatched nobody', [source(without(HAPPY, 'succeeded')), calls('source', 1)]],
    ['the source failed', [source(replaced(HAPPY, 'over', { type: 'run.failed' })), calls('source', 1)]],
    ['the snapshot of the source is older than its log', [source(HAPPY, running), calls('source', 1), replay()]],
    [
      'the snapshot of the replay is older than its log',
      [source(), calls('source', 1), replay(HAPPY, running), calls('full replay', 1)],
    ],
    ['there is no replay', [source(), calls('source', 1)]],
    ['the replay was not seen', [source(), calls('source', 1), unfinished(replay()), calls('full replay', 1)]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});
