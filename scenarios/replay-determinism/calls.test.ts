import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  OPTIONS,
  observed,
  refusedRun,
  replayCalled,
  runCalled,
  unfinished,
  type Said,
  verdictOf,
} from '../../test/recorded-runs.ts';
import { modelCalls, toolCalls } from './external-calls.ts';
import { COUNTED } from '../shared/witnessed-run.ts';

type AnyRecorded = Recorded<Observation>;

function loggedCall(nonce: string): readonly Said[] {
  return [
    ['run.started'],
    ['node.completed', { nodeId: 'call-tool', output: { nonce } }, 'call-tool'],
    ['run.completed'],
  ];
}

/** A log whose model's node put this out. */
function put(output: Json): readonly Said[] {
  return [['run.started'], ['node.completed', { output }, 'provider-call'], ['run.completed']];
}

function calls(after: string, count: number): AnyRecorded {
  const seen = { after, url: 'http://witness/w/t', count, firstAnswer: { nonce: 'n1' } };
  return observed(`c-${after}`, 'calls', seen);
}

const ONCE = 'replay.no-second-external-call';

/** What is recorded of a run whose tool gave nothing, and of its replay: the calls after each. */
function barren(why: string, ends: string, counts: readonly [number, number]): readonly AnyRecorded[] {
  const said: readonly Said[] = [['run.started'], [ends]];
  const [first, again] = [`source where the ${why}`, `replay where the ${why}`];
  return [
    runCalled(first, said, { role: first }),
    calls(first, counts[0]),
    replayCalled(again, said, { role: again, of: first }),
    calls(again, counts[1]),
  ];
}

describe.each([
  ['tool answers null', 'run.completed'],
  ['tool fails', 'run.failed'],
  ['call is reset', 'run.failed'],
  ['run is cancelled behind the call', 'run.cancelled'],
])('calls where the %s', (why, ends) => {
  const usual = [runCalled('src', loggedCall('n1')), calls('source', 1), replayCalled('rep', loggedCall('n1'))];
  const seen = (counts: readonly [number, number]) => [...usual, calls('full replay', 1), ...barren(why, ends, counts)];

  it('fail at the replay that called, however often its source had', () => {
    expect(verdictOf(toolCalls, ONCE, seen([1, 1]))).toBe('pass');
    expect(verdictOf(toolCalls, ONCE, seen([3, 3]))).toBe('pass');
    expect(verdictOf(toolCalls, ONCE, seen([3, 4]))).toBe('fail second-call');
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, seen([3, 4]))).toBe('inconclusive');
  });

  it('say nothing where the source did not call', () => {
    expect(verdictOf(toolCalls, ONCE, seen([0, 1]))).toBe('pass');
    expect(verdictOf(toolCalls, ONCE, barren(why, ends, [1, 2]))).toBe('inconclusive');
  });
});

describe('calls', () => {
  const source = runCalled('src', loggedCall('n1'));
  const replay = replayCalled('rep', loggedCall('n1'));
  const chained = replayCalled('rep2', loggedCall('n1'), { role: 'replay of the replay', of: 'rep' });
  const counted = (first: number, second: number, third: number): readonly AnyRecorded[] => [
    source,
    calls('source', first),
    replay,
    calls('full replay', second),
    chained,
    calls('replay of the replay', third),
  ];
  it('pass where the count stays what the source made it', () => {
    expect(verdictOf(toolCalls, ONCE, counted(1, 1, 1))).toBe('pass');
    expect(verdictOf(toolCalls, ONCE, counted(2, 2, 2))).toBe('pass');
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, counted(1, 1, 1))).toBe('pass');
    expect(verdictOf(toolCalls, `${ONCE}.cached-response`, counted(1, 1, 1))).toBe('pass');
    expect(verdictOf(modelCalls, `${ONCE}.model`, counted(1, 1, 1))).toBe('pass');
  });

  it('is called by a branch, and not by its replay', () => {
    const from = 'branch from the beginning';
    const branch = replayCalled('br', loggedCall('n2'), { role: from });
    const forked = { ...branch, fork: { ...branch.fork, mode: 'branch' as const } } as AnyRecorded;
    const again = replayCalled('again', loggedCall('n2'), { of: 'br', role: `replay of the ${from}` });
    const seen = (...counts: readonly [number, number]): readonly AnyRecorded[] => [
      ...counted(1, 1, 1),
      forked,
      calls(from, counts[0]),
      again,
      calls(`replay of the ${from}`, counts[1]),
    ];
    expect(verdictOf(modelCalls, `${ONCE}.model`, seen(2, 2))).toBe('pass');
    expect(verdictOf(modelCalls, `${ONCE}.model`, seen(1, 1))).toBe('pass');
    expect(verdictOf(modelCalls, `${ONCE}.model`, seen(2, 3))).toBe('fail second-call');
  });

  it('gives the replay of a branch what the branch was answered', () => {
    const from = 'branch from the beginning';
    const answered = (output: Json, again: readonly Said[]): string => {
      const branch = replayCalled('br', put(output), { role: from });
      const forked = { ...branch, fork: { ...branch.fork, mode: 'branch' as const } } as AnyRecorded;
      const last = replayCalled('again', again, { of: 'br', role: `replay of the ${from}` });
      const seen = [...counted(1, 1, 1), forked, calls(from, 2), last, calls(`replay of the ${from}`, 2)];
      return verdictOf(modelCalls, `${ONCE}.model`, seen);
    };
    expect(answered({ text: 'a', durationMs: 1 }, put({ text: 'a', durationMs: 2 }))).toBe('pass');
    expect(answered({ text: 'a' }, put({ text: 'b' }))).toBe('fail other-response');
    // A log that shows nothing of the node says nothing of its answer.
    expect(answered({ text: 'a' }, [['run.started'], ['run.completed']])).toBe('pass');
  });

  it('fail at the replay that called', () => {
    expect(verdictOf(toolCalls, ONCE, counted(1, 2, 2))).toBe('fail second-call');
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, counted(1, 2, 2))).toBe('pass');
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, counted(1, 1, 2))).toBe('fail second-call');
    expect(verdictOf(toolCalls, ONCE, counted(1, 1, 2))).toBe('pass');
  });

  it('fail at a replay of the replay of a replay, in the row about replays of replays', () => {
    const role = 'replay of the replay, replayed';
    const third = replayCalled('rep3', loggedCall('n1'), { role, of: 'rep2' });
    const seen = (count: number) => [...counted(1, 1, 1), third, calls(role, count)];
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, seen(1))).toBe('pass');
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, seen(2))).toBe('fail second-call');
    expect(verdictOf(toolCalls, ONCE, seen(2))).toBe('pass');
  });

  it('fail where they were made when the difference of the replay was read', () => {
    const [right, more] = [1, 2].map((count) => [...counted(1, 1, count), calls('difference of full replay', count)]);
    expect(verdictOf(toolCalls, ONCE, right ?? [])).toBe('pass');
    const [judgement] = toolCalls.judge(more ?? [], OPTIONS);
    expect(judgement).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' }, ...COUNTED });
    expect(judgement?.actual).toMatch(/^1 more after GET \/v1\/runs\/\{runId\}:diff of /u);
    expect(verdictOf(toolCalls, `${ONCE}.replay-of-replay`, more ?? [])).toBe('pass');
  });

  it('fail where a call was made by a replay that did not end', () => {
    const seen = [source, calls('source', 1), unfinished(replay), calls('full replay', 2)];
    expect(verdictOf(toolCalls, ONCE, seen)).toBe('fail second-call');
  });

  it('say nothing where the source did not call, and name the address', () => {
    const uncalled = [source, calls('source', 0)];
    const [judgement] = toolCalls.judge(uncalled, OPTIONS);
    expect(judgement?.verdict).toBe('inconclusive');
    expect(judgement?.reason).toMatch(/did not call http:\/\/witness\/w\/t: .*--witness-url/);
    const [model] = modelCalls.judge(uncalled, OPTIONS);
    expect(model?.reason).toMatch(/did not call http:\/\/witness\/w\/t \(unless .* runs share responses.*\): allow it/);
  });

  it('say nothing of a replay that stopped before the call', () => {
    const failed = replayCalled('rep', [['run.started'], ['run.failed']]);
    const seen = [source, calls('source', 1), failed, calls('full replay', 1)];
    expect(verdictOf(toolCalls, ONCE, seen)).toBe('inconclusive');
  });

  it('fail where an advertised replay is refused', () => {
    const seen = [source, calls('source', 1), refusedRun(replay), calls('full replay', 1)];
    expect(verdictOf(toolCalls, ONCE, seen)).toBe('fail fork-refused');
  });

  it('fail where a replay that was refused called all the same, and not where a branch was made of it', () => {
    const refused = refusedRun(replay);
    expect(verdictOf(toolCalls, ONCE, [source, calls('source', 1), refused, calls('full replay', 2)])).toBe(
      'fail second-call',
    );
    const other = { ...refused, answered: 201, answer: { mode: 'branch' } };
    expect(verdictOf(toolCalls, ONCE, [source, calls('source', 1), other, calls('full replay', 2)])).toBe(
      'inconclusive',
    );
  });

  it('look for the recorded response', () => {
    const other = replayCalled('rep', loggedCall('n2'));
    const cached = `${ONCE}.cached-response`;
    expect(verdictOf(toolCalls, cached, [source, calls('source', 1), other])).toBe('fail other-response');
    const silent = runCalled('src', [['run.started'], ['run.completed']]);
    expect(verdictOf(toolCalls, cached, [silent, calls('source', 1), replay])).toBe('inconclusive');
  });
});
