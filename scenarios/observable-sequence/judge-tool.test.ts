import { describe, expect, it } from 'vitest';
import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import {
  judgementIn,
  witnessed,
  refusedReplay,
  replayOf,
  runAs,
  say,
  unfinishedRun,
  type Said,
} from '../../test/recorded-runs.ts';
import type { Recordings } from '../shared/of-type.ts';
import { sideEffects } from './side-effects.ts';
import type { CallsObservation } from '../shared/witnessed-run.ts';

const judgeResult = (recorded: Recordings) => judgementIn(sideEffects, 'sequence.nondeterministic-tool', recorded);
const judgeSideEffects = (recorded: Recordings) => judgementIn(sideEffects, 'sequence.side-effects-cached', recorded);
const judgeContentAddressed = (recorded: Recordings) =>
  judgementIn(sideEffects, 'sequence.content-addressed-tools', recorded);

function logged(nonce: string, left: readonly string[] = ['variable', 'channel', 'log']): readonly Said[] {
  const made = {
    variable: say('variable.changed', { name: 'toolResult', value: nonce }, 'call-tool'),
    channel: say('channel.written', { name: 'toolAudit', value: nonce }, 'call-tool'),
    log: say('log.appended', { data: nonce }, 'call-tool'),
  };
  return [
    say('run.started'),
    say('node.started', {}, 'call-tool'),
    ...Object.entries(made).flatMap(([name, event]) => (left.includes(name) ? [event] : [])),
    say('node.completed', { output: nonce }, 'call-tool'),
    say('variable.changed', { name: 'toolCopy', value: left.includes('variable') ? nonce : null }, 'after'),
    say('run.completed'),
  ];
}

function calls(after: string, ...nonces: readonly string[]): Recorded<CallsObservation> {
  const answered: Json[] = nonces.map((nonce) => witnessed({ answer: { nonce, count: 1 } }));
  return { id: `calls ${after}`, type: 'calls', after, url: 'http://w/w/t', calls: answered, exchanges: [] };
}

function state(nonce: string, channel: string | undefined = nonce): { readonly snapshot: Json } {
  const channels: Json = channel === '' ? {} : { toolAudit: channel };
  return { snapshot: { status: 'completed', variables: { toolResult: nonce, toolCopy: nonce }, channels } };
}

/** A log and a state with a variable that was written before the tool was called. */
function withSeed(nonce: string, seed: string): readonly Said[] {
  return logged(nonce).flatMap((each, at) =>
    at === 0 ? [each, say('variable.changed', { name: 'seed', value: seed }, 'b')] : [each],
  );
}

function stateWithSeed(nonce: string, seed: string): { readonly snapshot: Json } {
  const variables = { toolResult: nonce, toolCopy: nonce, seed };
  return { snapshot: { status: 'completed', variables, channels: { toolAudit: nonce } } };
}

const source = runAs('source', logged('n1'), state('n1'));
const fresh = runAs('fresh run', logged('n2'), state('n2'));
const controls = [source, calls('source', 'n1'), fresh, calls('fresh run', 'n1', 'n2')];
const replay = (events = logged('n1'), shown = state('n1')) =>
  runAs('replay from the start', events, { ...replayOf(source, 0), ...shown });
const seen = (...more: readonly Recorded<Observation>[]) => [...controls, ...more];

const revision = (problem: string | null): Recorded<Observation> =>
  ({ id: 'rev', type: 'revision', problem, exchanges: [] }) as Recorded<Observation>;
const revised = (nonce: string, inserted = true) => {
  const events = logged(nonce);
  const node = inserted ? [say('node.started', {}, 'inserted')] : [];
  return runAs('revised replay', [...events.slice(0, 1), ...node, ...events.slice(1)], replayOf(source, 0));
};

/** A replay whose tool gave `nonce`, and whose variable of before the call is `before` in its log and `seed` in its state. */
function seeded(nonce: string, before: string, seed: string): Recordings {
  return [
    runAs('source', withSeed('n1', 'a'), stateWithSeed('n1', 'a')),
    ...controls.slice(1),
    replay(withSeed(nonce, before), stateWithSeed(nonce, seed)),
  ];
}

describe('the result of a nondeterministic tool', () => {
  it('passes where every replay shows the recorded one', () => {
    expect(judgeResult(seen(replay(), calls('replays', 'n1', 'n2')))).toMatchObject({
      verdict: 'pass',
      reason: '1 replays',
    });
  });

  it('fails, by name, where the tool was called again', () => {
    const again = seen(replay(logged('n3'), state('n3')), calls('replays', 'n1', 'n2', 'n3'));
    expect(judgeResult(again)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'second-call' } });
  });

  it('fails, by another name, where it is that of another run, and rests on the row about how records are found', () => {
    const other = seen(replay(logged('n2'), state('n2')), calls('replays', 'n1', 'n2'));
    const restsOn = 'sequence.content-addressed-tools';
    for (const judge of [judgeResult, judgeSideEffects]) {
      expect(judge(other)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'another-record' }, restsOn });
    }
    expect(judgeContentAddressed(other)).toMatchObject({ verdict: 'fail', diagnosis: { code: 'another-record' } });
    expect(judgeContentAddressed(other)).not.toHaveProperty('restsOn');
    const both = seen(
      replay(logged('n2'), state('n2')),
      runAs('replay from the tool', logged('n3'), { ...replayOf(source, 1), ...state('n3') }),
      calls('replays', 'n1', 'n2', 'n3'),
    );
    expect(judgeResult(both)).toMatchObject({ diagnosis: { code: 'second-call' } });
  });

  it('rests on the row about side effects where the result is there, and what the call wrote is not', () => {
    const events = logged('n1').map((each) => (each[0] === 'variable.changed' ? logged('n2')[2] : each) ?? each);
    const restsOn = 'sequence.side-effects-cached';
    expect(judgeResult(seen(replay(events)))).toMatchObject({ verdict: 'fail', restsOn });
    expect(judgeSideEffects(seen(replay(events)))).toMatchObject({ verdict: 'fail' });
    const computed = [
      ...logged('n1').slice(0, -1),
      say('node.completed', { output: 'n9' }, 'after'),
      say('run.completed'),
    ];
    expect(judgeResult(seen(replay(computed)))).not.toHaveProperty('restsOn', restsOn);
  });

  it('fails where the end state shows another result', () => {
    expect(judgeResult(seen(replay(logged('n1'), state('n9')))).verdict).toBe('fail');
  });

  it('rests on the rows about histories and states where what differs was written before the tool alone', () => {
    for (const judge of [judgeResult, judgeSideEffects]) {
      expect(judge(seeded('n1', 'a', 'b'))).toMatchObject({ verdict: 'fail', restsOn: 'sequence.state-equal' });
      expect(judge(seeded('n9', 'a', 'b'))).toMatchObject({ verdict: 'fail' });
      expect(judge(seeded('n9', 'a', 'b'))).not.toHaveProperty('restsOn');
    }
    expect(judgeResult(seeded('n1', 'b', 'a'))).toMatchObject({ verdict: 'fail', restsOn: 'sequence.prefix-equal' });
    expect(judgeSideEffects(seeded('n1', 'b', 'a')).verdict).toBe('pass');
  });

  it('rests on the rows about what replays show and their states where nothing is lost, and there is more', () => {
    const events = logged('n1').toSpliced(2, 0, say('node.completed', { output: 'n1' }, 'call-tool'));
    const states = Object(state('n1').snapshot) as { readonly variables: Json };
    const snapshot = { ...states, variables: { ...Object(states.variables), of: 'b' } } as Json;
    for (const judge of [judgeResult, judgeSideEffects]) {
      expect(judge(seen(replay(events)))).toMatchObject({
        diagnosis: { code: 'extra' },
        restsOn: 'sequence.state-equal.concurrent',
      });
      expect(judge(seen(replay(logged('n1'), { snapshot })))).toMatchObject({
        diagnosis: { code: 'state-differs' },
        restsOn: 'sequence.state-equal',
      });
      const lost = judge(seen(replay(events.toSpliced(3, 1))));
      expect(lost).toMatchObject({ diagnosis: { code: 'return-value-only' } });
      expect(lost).not.toHaveProperty('restsOn');
    }
  });

  it('says that the answer is lost where the variable shows it, and the end of the node does not any more', () => {
    const events = logged('n1').map((each) => (each[0] === 'node.completed' ? say(each[0], {}, each[2]) : each));
    for (const judge of [judgeResult, judgeSideEffects, judgeContentAddressed]) {
      const { verdict, diagnosis } = judge(seen(replay(events)));
      expect(verdict).toBe('fail');
      expect(diagnosis?.code).not.toBe('return-value-only');
    }
  });

  it('fails where an advertised fork is refused', () => {
    expect(judgeResult(seen(refusedReplay('replay from the start', source))).verdict).toBe('fail');
  });

  it.each([
    ['nobody called the witness', [source, calls('source')]],
    ['the log shows no result', [runAs('source', logged('other')), ...controls.slice(1), replay()]],
    ['a fresh run shows the same', [source, calls('source', 'n1'), runAs('fresh run', logged('n1')), replay()]],
    ['there was no replay', controls],
    [
      'a replay was not seen',
      seen(unfinishedRun('replay from the start', 'the run has not ended', replayOf(source, 0))),
    ],
    ['nothing was driven', []],
  ])('is undecided where %s', (_, observations) => {
    expect(judgeResult(observations).verdict).toBe('inconclusive');
  });
});

describe('a source that did not call the tool', () => {
  it('is said not to have been seen where it was not executed, and how it failed where it was', () => {
    const lacking = unfinishedRun('source', 'the fixture was not executed: the host lacks a kind of its nodes');
    expect(judgeResult([lacking, calls('source')]).reason).toContain('the fixture was not executed');
    const failed = runAs('source', [say('run.started'), say('run.failed', { error: { code: 'egress_denied' } })]);
    expect(judgeResult([failed, calls('source')]).reason).toContain('before its run failed (egress_denied)');
  });
});

describe('the side effects of a tool', () => {
  it('pass where the channel and the events are there again', () => {
    expect(judgeSideEffects(seen(replay())).verdict).toBe('pass');
  });

  it.each(['variable', 'channel', 'log'])('fail, by name, where the %s is missing', (missing) => {
    const left = ['variable', 'channel', 'log'].filter((name) => name !== missing);
    const judgement = judgeSideEffects(seen(replay(logged('n1', left))));
    expect(judgement).toMatchObject({ verdict: 'fail', diagnosis: { code: 'return-value-only' } });
  });

  it('fail where the end state lacks the channel', () => {
    expect(judgeSideEffects(seen(replay(logged('n1'), state('n1', '')))).verdict).toBe('fail');
  });

  it('are undecided where the source shows none', () => {
    const plain = runAs('source', logged('n1', []), state('n1', ''));
    const observations = [plain, ...controls.slice(1), replay(logged('n1', []), state('n1', ''))];
    expect(judgeSideEffects(observations).verdict).toBe('inconclusive');
  });
});

describe('a content-addressed tool', () => {
  it('passes where code with one node more finds the recorded call', () => {
    expect(judgeContentAddressed(seen(replay(), revision(null), revised('n1')))).toMatchObject({
      verdict: 'pass',
      reason: 'after another run, and by revised code',
    });
  });

  it('passes where that code shows how long it took, which another row says of all replays', () => {
    const { events, ...whole } = revised('n1');
    const timed = events.map((event) => {
      const payload = { ...Object(member(event, 'payload')), durationMs: 7 };
      return member(event, 'type') === 'node.completed' ? { ...Object(event), payload } : event;
    });
    const again = { ...whole, events: timed };
    expect(judgeContentAddressed(seen(replay(), revision(null), again)).verdict).toBe('pass');
  });

  it('fails, by name, where that code calls again', () => {
    const observations = seen(replay(), revision(null), revised('n3'), calls('revised replay', 'n1', 'n2', 'n3'));
    expect(judgeContentAddressed(observations)).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'second-call' },
    });
  });

  it('fails where an unrelated run is enough to lose the call', () => {
    expect(judgeContentAddressed(seen(replay(logged('n3')))).verdict).toBe('fail');
  });

  it('passes by the unrelated run alone where the code cannot be changed, and says so', () => {
    const whole = revised('n1');
    const cutShort = { ...whole, events: whole.events.slice(0, 3) };
    for (const observations of [
      seen(replay(), revision('answered 404')),
      seen(replay(), revision(null), revised('n1', false)),
      seen(replay(), revision(null), cutShort),
    ]) {
      const judgement = judgeContentAddressed(observations);
      expect(judgement.verdict).toBe('pass');
      expect(judgement.reason).toContain('after another run only');
    }
  });

  it('is undecided where nobody called the witness', () => {
    expect(judgeContentAddressed([source, calls('source')]).verdict).toBe('inconclusive');
  });
});
