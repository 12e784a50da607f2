import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import {
  answered,
  as,
  event,
  fork,
  judged,
  recorded,
  refusedFork,
  requested,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { type Driven, settled } from '../../test/settled.ts';
import { fullReplay } from './full-replay.ts';
import type { EventsUrlObservation } from '../shared/requested-fork.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { behindFirst, judgeForkAgain, judgeOfAFork, judgeReplayed, OF_A_FORK, ofABranch } from './of-a-fork.ts';

const REPLAY = 'replay';
const ANSWER = {
  runId: 'run_c',
  sourceRunId: 'run_b',
  fromSeq: 1,
  mode: 'replay',
  status: 'pending',
  eventsUrl: '/v1/runs/run_c/events',
};

function url(status = 200): EventsUrlObservation {
  const path = ANSWER.eventsUrl;
  return { type: 'events-url', role: OF_A_FORK, sameOrigin: true, path, status, problem: null, exchanges: ['x3'] };
}

function second(answer: Json, status = 201): readonly Observation[] {
  return [requested('fork', OF_A_FORK, status, answer), run(OF_A_FORK, { runId: 'run_c', fork: facts(1), answer })];
}

function judge(...observations: readonly Observation[]) {
  return judged(judgeOfAFork(recorded(run('source'), ...observations), REPLAY));
}

const first = fork(REPLAY, 'run_b');

describe('the answer to a fork of a fork', () => {
  it('passes where it names the fork that it was made of, its start and its own log', () => {
    expect(judge(first, ...second(ANSWER), url())).toMatchObject({ verdict: 'pass', evidence: ['o5', 'o3'] });
  });

  it.each([
    ['the first run as its source', { sourceRunId: 'run_a' }, 'sourceRunId is "run_a", not run_b'],
    ['the start of the first fork', { fromSeq: 0 }, 'fromSeq is 0, not 1'],
    ['another mode', { mode: 'branch' }, 'mode is "branch", not replay'],
  ])('fails where it names %s', (_, members, actual) => {
    expect(judge(first, ...second({ ...ANSWER, ...members }), url())).toMatchObject({ verdict: 'fail', actual });
  });

  it('fails with another status than 201, and with a URL that leads nowhere', () => {
    expect(judge(first, ...second(ANSWER, 202), url()).actual).toBe('status 202');
    expect(judge(first, ...second(ANSWER), url(404)).actual).toMatch(/^eventsUrl, GET \S+: 404/u);
  });

  it('fails where it is refused, and rests on the row about replays from later events where these are', () => {
    const unmade = { ...refusedFork(OF_A_FORK, 501), fork: facts(1) };
    const judgement = judge(first, requested('fork', OF_A_FORK, 501), unmade);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'fork.created.every-sequence' });
  });

  it('fails where the fork is refused from its last event alone', () => {
    const role = `${OF_A_FORK} from its end`;
    const ofMiddle = [first, ...second(ANSWER), url()];
    const end = (answer: Json) => run(role, { runId: 'run_d', fork: facts(2), answer });
    const refused = { ...refusedFork(role, 422), fork: facts(2) };
    expect(judge(...ofMiddle, requested('fork', role, 422), refused)).toMatchObject({
      verdict: 'fail',
      restsOn: 'fork.created.every-sequence',
    });
    const other = { ...ANSWER, runId: 'run_d', fromSeq: 2 };
    const read = { ...url(), role };
    expect(judge(...ofMiddle, requested('fork', role, 201, other), end(other), read).verdict).toBe('pass');
    expect(judge(...ofMiddle, requested('fork', role, 201, ANSWER), end(ANSWER), read)).toMatchObject({
      verdict: 'fail',
      actual: 'fromSeq is 1, not 2',
    });
  });

  it('is undecided where there is no fork to fork, and where nothing was answered', () => {
    expect(short(judge(first))).toBe('inconclusive');
    expect(short(judge(run(REPLAY, { problem: 'the run has not ended', fork: facts(0) })))).toBe('inconclusive');
    expect(judge(refusedFork(REPLAY, 501))).toMatchObject({ restsOn: 'fork.created' });
    const unanswered = run(OF_A_FORK, { runId: null, answered: null, problem: 'no answer', fork: facts(0) });
    expect(short(judge(first, answered('fork', OF_A_FORK, UNANSWERED), unanswered))).toBe('inconclusive');
    expect(short(judged(judgeOfAFork(recorded(), REPLAY)))).toBe('inconclusive');
  });
});

describe('the answer to a replay of a branch', () => {
  const branch = fork('branch', 'run_b', { mode: 'branch' });
  const answeredBy = (status: number) => {
    const role = 'replay of the branch';
    const made = { runId: 'run_c', fork: facts(1), answer: ANSWER };
    const replay = status === 201 ? run(role, made) : { ...refusedFork(role, status), fork: facts(1) };
    const answers = [requested('fork', role, status, ANSWER), replay, { ...url(), role }];
    const [judgement] = ofABranch.judge(recorded(run('source'), branch, ...answers), OPTIONS);
    return judgement;
  };

  it('passes where the branch is named, and fails where it is not forked', () => {
    expect(answeredBy(201)).toMatchObject({ verdict: 'pass' });
    expect(answeredBy(400)).toMatchObject({ verdict: 'fail' });
    expect(answeredBy(503)).toMatchObject({ verdict: 'inconclusive' });
  });

  it('rests on the answer to a replay where that lacks the same member', () => {
    const { sourceRunId: _, ...lacking } = ANSWER;
    const replay: Driven = [fullReplay, recorded(run('source'), fork(REPLAY, 'run_b'), ...about(REPLAY, lacking))];
    const role = 'replay of the branch';
    const made = run(role, { runId: 'run_c', fork: facts(1), answer: lacking });
    const ofBranch: Driven = [ofABranch, recorded(run('source'), branch, made, ...about(role, lacking))];
    expect(settled(ofBranch).red).toEqual(['fork.created.of-a-fork.branch']);
    expect(settled(replay, ofBranch).red).toEqual(['fork.created']);
  });

  it('rests on the row about branches where there is none', () => {
    const [judgement] = ofABranch.judge(recorded(run('source'), refusedFork('branch', 501, 'branch')), OPTIONS);
    expect(judgement).toMatchObject({ restsOn: 'fork.created.branch' });
  });
});

function about(role: string, answer: Json) {
  return [requested('fork', role, 201, answer), { ...url(), role }];
}

function facts(fromSeq: number) {
  return { sourceRunId: 'run_b', mode: 'replay', fromSeq, advertised: true };
}

describe('a fork that was forked', () => {
  const [before, ofFork] = [fork(REPLAY, 'run_b'), fork(OF_A_FORK, 'run_c')];
  const judgeAgain = (...seen: readonly Observation[]) =>
    judged(judgeForkAgain(recorded(run('source'), before, ofFork, ...seen), REPLAY));
  const again = (members: object): Observation =>
    Object.assign({}, before, { role: 'replay again', id: 'o9' }, members);

  it('is what it was', () => {
    expect(short(judgeAgain(again({})))).toBe('pass');
  });

  it('is another one where its log or its snapshot changed', () => {
    const { events } = before as unknown as { readonly events: readonly Json[] };
    expect(short(judgeAgain(again({ events: events.slice(0, -1) })))).toBe('fail source-changed');
    expect(short(judgeAgain(again({ snapshot: { status: 'running' } })))).toBe('fail source-changed');
  });

  it('is not known where it was not read again, or not forked', () => {
    expect(short(judgeAgain())).toBe('inconclusive');
    expect(short(judgeAgain(again({ problem: 'the log could not be read' })))).toBe('inconclusive');
    expect(short(judgeAgain(again({ snapshot: null })))).toBe('inconclusive');
    expect(short(judged(judgeForkAgain(recorded(run('source')), REPLAY)))).toBe('inconclusive');
  });
});

function replayOfBranch(members: object): Observation {
  return run('replay of the branch', { runId: 'run_c', fork: facts(2), ...members });
}

/** These events, numbered anew. */
function numbered(events: readonly (Json | undefined)[]): readonly Json[] {
  return events.flatMap((each, at) =>
    each === undefined ? [] : [{ ...Object(each), sequence: at, eventId: `e${at}` } as Json],
  );
}

describe('a replay of a branch', () => {
  const log = [event(0, 'run.started'), event(1, 'node.completed', { nodeId: 'a' }), event(2, 'run.completed')];
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1, events: as('run_b', log) });
  const replayed = (events: readonly Json[]) =>
    judgeReplayed(recorded(run('source'), branch, replayOfBranch({ events: as('run_c', events) })), []);

  it('has its history, and does the same', () => {
    expect(replayed(log)).toMatchObject({ kind: 'pass' });
  });

  it('is another one where it does not, which rests on the rows about replays', () => {
    const [begun, , ended] = log;
    const other = event(1, 'node.completed', { nodeId: 'b' });
    expect(replayed([begun, other, ended].filter((each) => each !== undefined))).toMatchObject({
      on: 'sequence.prefix-equal',
      otherwise: { kind: 'fail' },
    });
    expect(replayed([...log.slice(0, 2), event(2, 'run.failed')])).toMatchObject({
      on: 'replay.divergence-is-reported.every-fixture',
      otherwise: { kind: 'fail' },
    });
  });

  it('has its history and does the same from its last event on, too', () => {
    const judgeBoth = (events: readonly Json[]) =>
      judgeReplayed(recorded(run('source'), branch, replayOfBranch({ events: as('run_c', log) }), fromEnd(events)), []);
    expect(judgeBoth(log)).toMatchObject({ kind: 'pass' });
    const other = event(1, 'node.completed', { nodeId: 'b' });
    expect(judgeBoth(log.with(1, other))).toMatchObject({ on: 'sequence.prefix-equal', otherwise: { kind: 'fail' } });
    expect(judgeBoth(log.with(2, event(2, 'run.failed')))).toMatchObject({ otherwise: { kind: 'fail' } });
  });

  it('has its history in every other scenario', () => {
    const parent = fork('branch of a tool', 'run_p', { mode: 'branch', events: as('run_p', log) });
    const elsewhere = (events: readonly Json[], made = parent) => {
      const from = { ...facts(2), sourceRunId: 'run_p' };
      const replay = run('replay of that branch', { runId: 'run_q', fork: from, events: as('run_q', events) });
      const all = recorded(made, replay).map((each) => ({ ...each, scenario: 'sequence.generations' }));
      const own = recorded(run('source'), branch, replayOfBranch({ events: as('run_c', log) }));
      return judgeReplayed(own, [], all);
    };
    expect(elsewhere(log)).toMatchObject({ kind: 'pass' });
    expect(elsewhere(log.with(2, event(2, 'run.failed')))).toMatchObject({ kind: 'pass' });
    const other = log.with(1, event(1, 'node.completed', { nodeId: 'b' }));
    expect(elsewhere(other)).toMatchObject({ on: 'sequence.prefix-equal', otherwise: { kind: 'fail' } });
    expect(elsewhere(other, { ...parent, events: as('run_p', log.slice(0, 2)) })).toMatchObject({ kind: 'pass' });
  });

  it('that fails by another way rests on the row about replays of failing runs', () => {
    const failing = [event(0, 'run.started'), event(1, 'node.failed', { nodeId: 'a' }), event(2, 'run.failed')];
    const failed = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: as('run_b', failing) });
    const again = failing.filter((_, at) => at !== 1);
    const replay = replayOfBranch({ events: as('run_c', again), fork: facts(0) });
    expect(judgeReplayed(recorded(run('source'), failed, replay), [])).toMatchObject({
      on: 'replay.same-failure',
      otherwise: { kind: 'fail' },
    });
  });

  it('that ends once, where the branch ends twice, rests on the row about ends', () => {
    const twice = [...log.slice(0, 2), event(2, 'run.failed'), { ...Object(log[2]), sequence: 3 }];
    const ended = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1, events: as('run_b', twice) });
    const ofEnded = (events: readonly Json[]) => {
      const replay = replayOfBranch({ events: as('run_c', events), fork: facts(0) });
      return judgeReplayed(recorded(run('source'), ended, replay), []);
    };
    expect(ofEnded(log)).toMatchObject({ on: 'sequence.single-terminal-event', otherwise: { kind: 'fail' } });
    const other = log.with(1, event(1, 'node.completed', { nodeId: 'b' }));
    expect(ofEnded(other)).toMatchObject({ on: 'replay.divergence-is-reported.every-fixture' });
  });

  it('that ends where the branch goes on behind its end rests on that row, too, and shows the event as it came', () => {
    const behind = [...log, event(3, 'log.appended', { payload: { text: 'x' }, causationId: 'e2' })];
    const ended = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1, events: as('run_b', behind) });
    const replay = replayOfBranch({ events: as('run_c', log), fork: facts(0) });
    expect(judgeReplayed(recorded(run('source'), ended, replay), [])).toMatchObject({
      on: 'sequence.single-terminal-event',
      otherwise: { expected: expect.stringMatching(/"causationId".*"text":"x"|"text":"x".*"causationId"/u) as unknown },
    });
  });

  it('need not show that it asks what the branch was answered', () => {
    const [begun, , ended] = log;
    const resolved = event(2, 'interrupt.resolved', { nodeId: 'a', causationId: 'e1' });
    const asking = numbered([begun, event(1, 'interrupt.requested', { nodeId: 'a' }), resolved, ended]);
    const asked = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: as('run_b', asking) });
    const again = (events: readonly Json[]) => {
      const replay = replayOfBranch({ events: as('run_c', events), fork: { ...facts(0), fromSeq: 0 } });
      return judgeReplayed(recorded(run('source'), asked, replay), []);
    };
    const plain: Json = { ...Object(resolved), causationId: 'e0' };
    expect(again([asking[0] ?? null, plain, asking[3] ?? null])).toMatchObject({ kind: 'pass' });
    expect(again([asking[0] ?? null, asking[3] ?? null])).toMatchObject({ otherwise: { kind: 'fail' } });
  });

  it('need not show that it waits and goes on, where the branch did', () => {
    const [begun, , ended] = log;
    const resolved = event(2, 'interrupt.resolved', { nodeId: 'a' });
    const [suspended, resumed] = [
      event(1, 'node.suspended', { nodeId: 'a' }),
      event(3, 'node.resumed', { nodeId: 'a' }),
    ];
    const waited = numbered([begun, suspended, resolved, resumed, ended]);
    const asked = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: as('run_b', waited) });
    const again = (...events: readonly (Json | undefined)[]) => {
      const replay = replayOfBranch({ events: as('run_c', numbered(events)), fork: { ...facts(0), fromSeq: 0 } });
      return judgeReplayed(recorded(run('source'), asked, replay), []);
    };
    expect(again(begun, resolved, ended)).toMatchObject({ kind: 'pass' });
    expect(again(begun, resolved, resumed, ended)).toMatchObject({ kind: 'pass' });
    expect(again(begun, ended)).toMatchObject({ otherwise: { kind: 'fail' } });
  });

  it('shows what a branch has recorded, whatever the workflow does', () => {
    const again = (events: readonly Json[], more: object = {}, root = run('source'), fixture = 'random') => {
      const from = { ...facts(0), sourceRunId: 'run_d' };
      const recording = fork(`branch of ${fixture}`, 'run_d', { mode: 'branch', fromSeq: 0, events: as('run_d', log) });
      const replay = run(`replay of the branch of ${fixture}`, { runId: 'run_e', fork: from, events, ...more });
      const seen = recorded(root, branch, replayOfBranch({ events: as('run_c', log) }), recording, replay);
      return judgeReplayed(seen, []);
    };
    const redrawn = [
      ...log.slice(0, 1),
      event(1, 'node.completed', { nodeId: 'a', payload: { output: 2 } }),
      ...log.slice(2),
    ];
    expect(again(as('run_e', log))).toMatchObject({ kind: 'pass', evidence: { length: 4 } });
    expect(again(as('run_e', redrawn))).toMatchObject({ otherwise: { kind: 'fail' } });
    // One that shows what the run did of which the branch was made is a replay of that run.
    const root = run('source of random', { events: redrawn });
    const ofRoot = { on: 'fork.branch-applies-overlay.replayed', otherwise: { kind: 'fail' } };
    expect(again(as('run_e', redrawn), {}, root)).toMatchObject(ofRoot);
    expect(again(as('run_e', log.slice(0, 2)), {}, root)).not.toMatchObject({ on: ofRoot.on });
    // One that was given nothing else did otherwise itself.
    const ofBranch = { on: 'fork.branch-applies-overlay.projected-state' };
    const given = 'determinism-identity';
    const itsRoot = run(`source of ${given}`, { events: redrawn });
    expect(again(as('run_e', redrawn), {}, itsRoot, given)).toMatchObject(ofBranch);
    expect(again(as('run_e', redrawn), {}, run('source'), given)).not.toMatchObject(ofBranch);
    expect(again(as('run_e', redrawn), { problem: 'the run has not ended' })).toMatchObject({ kind: 'pass' });
    // A branch of it is no replay, and may do something else.
    const branched = { sourceRunId: 'run_d', mode: 'branch', fromSeq: 0, advertised: true };
    expect(again(as('run_e', redrawn), { fork: branched })).toMatchObject({ kind: 'pass' });
  });

  it('does not ask again what the branch was answered', () => {
    const asks = run('replay of the branch of approval', { problem: 'it waits to be answered again' });
    const seen = recorded(run('source'), branch, replayOfBranch({ events: as('run_c', log) }), asks);
    expect(judgeReplayed(seen, [])).toMatchObject({
      on: 'replay.interrupt-short-circuits',
      otherwise: { kind: 'fail', actual: 'it waits to be answered again' },
    });
  });

  it('is not known where one of the two was not seen, or cannot be read', () => {
    const unseen = replayOfBranch({ problem: 'the run has not ended' });
    expect(short(judged(judgeReplayed(recorded(run('source'), branch, unseen), [])))).toBe('inconclusive');
    expect(short(judged(judgeReplayed(recorded(run('source')), [])))).toBe('inconclusive');
  });
});

function placeOf(...events: readonly Json[]): number {
  return behindFirst(run('source', { events }));
}

describe('the place behind the first thing that a run records', () => {
  const [begun, ended] = [event(0, 'run.started'), event(4, 'run.completed')];
  const done = event(2, 'node.completed', { nodeId: 'a' });

  it('is that of the event behind the end of its first node, or its beginning where none is shown', () => {
    expect(placeOf(begun, done, event(3, 'node.started', { nodeId: 'b' }), ended)).toBe(3);
    expect(placeOf(begun, ended)).toBe(0);
    expect(placeOf(begun, done)).toBe(0);
  });
});

/** A replay of the branch from its last event, with this log. */
function fromEnd(events: readonly Json[]): RunObservation {
  return run('replay of the branch from its end', { runId: 'run_d', fork: facts(2), events: as('run_d', events) });
}
