import { describe, expect, it } from 'vitest';
import { numbered } from '../../test/refusal-runs.ts';
import { OPTIONS, RAISED, type Members } from '../../test/refusal-edits.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { midGraph } from './mid-graph.ts';
import { plantedSecret } from './model.ts';

function call(nodeId: string, output: boolean): readonly Members[] {
  return [
    { type: 'node.started', nodeId },
    { type: 'node.completed', nodeId, payload: { output: { valid: output } } },
  ];
}

const NODES = ['first-call', 'second-call', 'third-call'];
const BEFORE: Members = { type: 'variable.changed', nodeId: 'before', payload: { name: 'before', value: 'first' } };
const SOURCE: readonly Members[] = [
  { type: 'run.started' },
  BEFORE,
  ...NODES.flatMap((nodeId) => call(nodeId, true)),
  { type: 'run.completed' },
];
const START = { type: 'node.started', nodeId: 'second-call' };

const KINDS = { originalEnvelopeKind: 'valid', replayEnvelopeKind: 'refusal' };

function raised(nodeId: string, atSequence: number, more: Readonly<Record<string, Json>> = {}): Members {
  return { type: RAISED, nodeId, payload: { sourceRunId: 'source', atSequence, ...KINDS, ...more } };
}

const FAILED: Members = { type: 'run.failed', payload: { error: { code: 'replay_diverged_at_refusal' } } };

function replay(first: readonly Members[], event: Members, ...later: readonly Members[]): readonly Members[] {
  return [{ type: 'run.started' }, BEFORE, ...first, START, event, ...later, FAILED];
}

const GOOD = replay(call('first-call', true), raised('second-call', 5));

function run(role: string, events: readonly Members[], more: Partial<RunObservation> = {}): Recorded<RunObservation> {
  const runId = role === 'source' ? 'source' : 'replay';
  const fork = role === 'source' ? null : { sourceRunId: 'source', mode: 'replay', fromSeq: null, advertised: true };
  const status = events.at(-1)?.['type'] === 'run.completed' ? 'completed' : 'failed';
  const seen = { events: numbered(runId, events), snapshot: { runId, status } as Json };
  const common = { type: 'run', role, fork, answered: 201, answer: null, runId, problem: null } as const;
  return { id: `o-${role}`, ...common, ...seen, exchanges: ['x1'], ...more };
}

const FROM_CALL = "replay from the second call's start";
const FORKED = { fork: { sourceRunId: 'source', mode: 'replay', fromSeq: 4, advertised: true } };

function judgements(...runs: readonly Recorded<RunObservation>[]) {
  const staging = { id: 'o1', type: 'staging', problem: null, exchanges: ['x1'] };
  return midGraph.judge([staging, ...runs], OPTIONS);
}

function judged(...runs: readonly Recorded<RunObservation>[]) {
  return judgements(...runs)[0];
}

const FIRST = call('first-call', true);
const DIVERGED = raised('second-call', 5);
const REFUSED = replay(FIRST, DIVERGED);
const DONE: Members = { type: 'node.completed', nodeId: 'second-call' };
const SUBSTITUTION = 'refusal.no-silent-substitution.valid-to-refusal';
const LOCATED = 'refusal.locates-the-call.valid-to-refusal';

function usage(latencyMs: number): Members {
  return { type: 'provider.usage', nodeId: 'first-call', payload: { latencyMs } };
}

function written(name: string, value: Json): Members {
  return { type: 'variable.changed', nodeId: 'second-call', payload: { name, value } };
}

describe('mid-graph', () => {
  it('passes where the second call alone is named', () => {
    const both = [run('replay', GOOD), run("replay from the second call's start", GOOD)];
    expect(judged(run('source', SOURCE), ...both)).toMatchObject({ verdict: 'pass', evidence: expect.any(Array) });
  });

  it('passes where a recorded answer used something else, or nothing is said of it', () => {
    const measured = run('source', [...SOURCE.slice(0, 2), usage(30), ...SOURCE.slice(2)]);
    for (const first of [[usage(1), ...FIRST], FIRST]) {
      const events = replay(first, raised('second-call', 6));
      expect(judged(measured, run('replay', events))?.verdict).toBe('pass');
    }
  });

  it('passes where the event names no node, and counts in its own log', () => {
    const bare = { type: RAISED, payload: { atSequence: 5 } };
    expect(judged(run('source', SOURCE), run('replay', replay(call('first-call', true), bare)))?.verdict).toBe('pass');
  });

  it('rests on the row about its members where the event names no place and no node', () => {
    const bare = { type: RAISED, payload: KINDS };
    const [own, members] = judgements(run('source', SOURCE), run('replay', replay(call('first-call', true), bare)));
    expect(own).toMatchObject({ verdict: 'inconclusive', restsOn: 'refusal.payload.valid-to-refusal' });
    expect(members?.verdict).toBe('fail');
    const node = { type: RAISED, nodeId: 'second-call', payload: KINDS };
    expect(judged(run('source', SOURCE), run('replay', replay(call('first-call', true), node)))?.verdict).toBe('pass');
  });

  it.each([
    ['another node', replay(call('first-call', true), raised('first-call', 5))],
    ['another place', replay(call('first-call', true), raised('second-call', 2))],
    [
      "the first call's event",
      replay(call('first-call', true), raised('second-call', 5, { originalEventId: 'source-3' })),
    ],
    ['a second event', replay(call('first-call', true), raised('second-call', 5), raised('third-call', 6))],
    ['a call that goes on', replay(call('first-call', true), raised('second-call', 5), ...call('third-call', true))],
    ['a first call with another answer', replay(call('first-call', false), raised('second-call', 5))],
  ])('fails with %s', (_, events) => {
    expect(judged(run('source', SOURCE), run('replay', events))?.verdict).toBe('fail');
    const later = run("replay from the second call's start", events);
    expect(judged(run('source', SOURCE), run('replay', GOOD), later)?.verdict).toBe('fail');
  });

  it('passes where the event names an event of the second call', () => {
    for (const originalEventId of ['source-4', 'source-5']) {
      const events = replay(call('first-call', true), raised('second-call', 5, { originalEventId }));
      expect(judged(run('source', SOURCE), run('replay', events))?.verdict).toBe('pass');
    }
  });

  it.each<readonly [string, readonly Members[], string]>([
    ['completes', [...REFUSED.slice(0, -1), { type: 'run.completed' }], 'refusal.valid-to-refusal'],
    [
      'fails with another code',
      [...REFUSED.slice(0, -1), { ...FAILED, payload: { code: 'x' } }],
      'refusal.valid-to-refusal',
    ],
    ['goes on', replay(FIRST, DIVERGED, ...call('third-call', true)), SUBSTITUTION],
    ['completes the node', replay(FIRST, DIVERGED, { ...DONE, payload: { output: null } }), SUBSTITUTION],
    ['writes the refusal', replay(FIRST, DIVERGED, written('second', 'I cannot')), SUBSTITUTION],
    ['says so twice', replay(FIRST, DIVERGED, DIVERGED), 'refusal.distinct-event.valid-to-refusal'],
    [
      'writes the generic event beside it',
      replay(FIRST, DIVERGED, { ...DIVERGED, type: 'replay.diverged' }),
      'refusal.distinct-event.valid-to-refusal',
    ],
    ['names no place of either log', replay(FIRST, raised('second-call', 9999)), LOCATED],
    ['names the start of the run', replay(FIRST, raised('second-call', 0)), LOCATED],
    ['names an event of no log', replay(FIRST, raised('second-call', 5, { originalEventId: 'of no log' })), LOCATED],
    [
      'repeats a secret',
      replay(FIRST, raised('second-call', 5, { refusalReason: plantedSecret(OPTIONS) })),
      'refusal.reason-redacted.valid-to-refusal',
    ],
  ])('fails where the replay %s, and rests on the row about one call', (_, events, restsOn) => {
    const failing = { verdict: 'fail', restsOn };
    expect(judged(run('source', SOURCE), run('replay', events))).toMatchObject(failing);
    const later = run(FROM_CALL, events, FORKED);
    expect(judged(run('source', SOURCE), run('replay', GOOD), later)).toMatchObject(failing);
  });

  it('says what of the event names another call', () => {
    const events = replay(call('first-call', true), raised('second-call', 5, { originalEventId: 'source-3' }));
    expect(judged(run('source', SOURCE), run('replay', events))?.actual).toMatch(
      /^one with \/payload\/originalEventId "source-3" at sequence 5 of the replay/u,
    );
  });

  it('rests on the row about the place where it names another call', () => {
    const events = replay(call('first-call', true), raised('first-call', 5));
    expect(judged(run('source', SOURCE), run('replay', events))?.restsOn).toBe('refusal.locates-the-call');
  });

  const rewritten = GOOD.map((event) =>
    event['type'] === 'variable.changed' ? { ...event, payload: { name: 'before', value: 'another' } } : event,
  );
  const [started, ...others] = GOOD;

  it.each([
    ['another value', rewritten],
    ['an event less', [started ?? {}, ...others.slice(1)]],
    ['an event more', [started ?? {}, BEFORE, ...others]],
  ])('fails with %s in the history', (_, events) => {
    const controls = [run('source', SOURCE), run('replay', GOOD)];
    expect(judged(run('source', SOURCE), run('replay', events))).toMatchObject({ verdict: 'fail' });
    expect(judged(...controls, run(FROM_CALL, events, FORKED))).toMatchObject({ verdict: 'fail' });
    expect(judged(...controls, run(FROM_CALL, GOOD, FORKED))).toMatchObject({ verdict: 'pass' });
  });

  it('leaves out what was declared volatile', () => {
    const volatile = { ...OPTIONS, volatile: ['/payload/value'] };
    const staging = { id: 'o1', type: 'staging', problem: null, exchanges: ['x1'] };
    const [judgement] = midGraph.judge([staging, run('source', SOURCE), run('replay', rewritten)], volatile);
    expect(judgement).toMatchObject({ verdict: 'pass', reason: expect.stringContaining('/payload/value') });
  });

  it.each([
    ['passes with', 'pass', { before: 'first' }, 'failed'],
    ['fails without', 'fail', {}, 'failed'],
    ['fails with another value of', 'fail', { before: 'another' }, 'failed'],
    ['passes with a snapshot that lags behind, without', 'pass', {}, 'running'],
  ])('%s the variables of the history', (_, verdict, variables, status) => {
    const shows = run('source', SOURCE, {
      snapshot: { runId: 'source', status: 'completed', variables: { before: 'first' } },
    });
    const replayed = run('replay', GOOD, { snapshot: { runId: 'replay', status, variables } });
    expect(judged(shows, replayed)?.verdict).toBe(verdict);
    expect(judged(run('source', SOURCE), replayed)?.verdict).toBe('pass');
  });

  it('fails where an offered fork is refused', () => {
    const refused = run('replay', [], { runId: null, answered: 501, problem: 'the request was answered with 501' });
    expect(judged(run('source', SOURCE), refused)?.verdict).toBe('fail');
  });

  it('fails where the call is refused in silence, unless another event always takes its place', () => {
    const refusal = { type: 'envelope.refusal', nodeId: 'second-call' };
    const silent = run('replay', replay(call('first-call', true), refusal));
    expect(judged(run('source', SOURCE), silent)).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'plain-failure' },
      restsOn: 'refusal.valid-to-refusal',
    });
    const later = run(
      FROM_CALL,
      silent.events.map((event) => Object(event) as Members),
      FORKED,
    );
    expect(judged(run('source', SOURCE), run('replay', GOOD), later)?.verdict).toBe('fail');
  });

  it.each([
    ['there is no source', []],
    ['the source did not complete', [run('source', GOOD), run('replay', GOOD)]],
    ['the replay says nothing', [run('source', SOURCE), run('replay', SOURCE)]],
    ['the replay was not seen', [run('source', SOURCE), run('replay', GOOD, { problem: 'the run has not ended' })]],
  ])('is open where %s', (_, runs) => {
    expect(judged(...runs)?.verdict).toBe('inconclusive');
  });

  it('names the seam that is missing', () => {
    const staging = { id: 'o1', type: 'staging', problem: 'no seam', exchanges: ['x1'] };
    const open = { verdict: 'inconclusive', reason: 'no seam' };
    expect(midGraph.judge([staging], OPTIONS)).toMatchObject([open, open, open]);
  });
});

describe('the payload of a refusal in a longer graph', () => {
  const source = run('source', SOURCE);

  it.each<readonly [string, Readonly<Record<string, Json>>]>([
    ['another source', { sourceRunId: 'replay' }],
    ['equal kinds', { replayEnvelopeKind: 'valid' }],
    ['a text for a number', { atSequence: '5' }],
  ])('fails with %s', (_, members) => {
    const events = replay(call('first-call', true), raised('second-call', 5, members));
    const wrong = { verdict: 'fail', restsOn: 'refusal.payload.valid-to-refusal' };
    expect(judgements(source, run('replay', events))[1]).toMatchObject(wrong);
    expect(judgements(source, run('replay', GOOD), run(FROM_CALL, events, FORKED))[1]).toMatchObject(wrong);
  });

  it('passes where it is right, and is open where no replay says anything', () => {
    expect(judgements(source, run('replay', GOOD))[1]?.verdict).toBe('pass');
    expect(judgements(source, run('replay', SOURCE))[1]?.verdict).toBe('inconclusive');
    expect(judgements(source, run('replay', GOOD, { problem: 'the run has not ended' }))[1]?.verdict).toBe(
      'inconclusive',
    );
  });
});

function start(nodeId: string): Members {
  return { type: 'node.started', nodeId };
}

function done(nodeId = ''): readonly Members[] {
  return call(nodeId, true);
}

function as(runId: string, role: string, events: readonly Members[], more: Partial<RunObservation> = {}) {
  return run(role, [], { runId, events: numbered(runId, events), ...more });
}

describe('the other calls of the chain', () => {
  const [first, second] = NODES;
  const begun = [{ type: 'run.started' }, BEFORE];
  const ended = FAILED;
  const unchanged = as('again', 'unchanged replay', SOURCE);
  const atLast = (event?: Members, more: Partial<RunObservation> = {}) =>
    as(
      'last',
      'replay to the third call',
      [
        ...begun,
        ...done(first),
        ...done(second),
        start('third-call'),
        ...(event === undefined ? [{ type: 'run.failed' }] : [event, ended]),
      ],
      more,
    );
  const ofReplay = (event: Members, ...later: readonly Members[]) =>
    as('twice', 'replay of the replay', [...begun, start('first-call'), event, ...later, ended]);
  const fromAgain = raised('first-call', 2, { sourceRunId: 'again' });
  const verdict = (...runs: readonly Recorded<RunObservation>[]) =>
    judgements(run('source', SOURCE), unchanged, ...runs).at(-1);

  it('pass where each is named alone', () => {
    expect(verdict(atLast(raised('third-call', 6)), ofReplay(fromAgain))).toMatchObject({ verdict: 'pass' });
  });

  it('fail where another one is named, or a call begins behind the first', () => {
    expect(verdict(atLast(raised('first-call', 2)), ofReplay(fromAgain))).toMatchObject({ verdict: 'fail' });
    const behind = ofReplay(fromAgain, start('second-call'));
    expect(verdict(atLast(raised('third-call', 6)), behind)).toMatchObject({ verdict: 'fail' });
  });

  it('fail where one completes or names no place, and rest on the row about one call', () => {
    const third = raised('third-call', 6);
    const lost = atLast(raised('third-call', 4242));
    expect(verdict(lost, ofReplay(fromAgain))).toMatchObject({ verdict: 'fail', restsOn: LOCATED });
    const completed = ofReplay(fromAgain, { type: 'run.completed' });
    expect(verdict(atLast(third), completed)).toMatchObject({ restsOn: 'sequence.single-terminal-event' });
  });

  it('are open where nothing is said, or a replay was not made', () => {
    expect(verdict(atLast(), ofReplay(fromAgain))).toMatchObject({ verdict: 'inconclusive' });
    expect(verdict(ofReplay(fromAgain))).toMatchObject({ verdict: 'inconclusive' });
    const unseen = atLast(raised('third-call', 6), { problem: 'the run has not ended' });
    expect(verdict(unseen, ofReplay(fromAgain))).toMatchObject({ verdict: 'inconclusive' });
  });
});
