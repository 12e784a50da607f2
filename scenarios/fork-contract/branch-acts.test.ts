import { describe, expect, it } from 'vitest';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { as, event, fork, judged, recorded, run, short } from '../../test/fork-observations.ts';
import { witnessed } from '../../test/recorded-runs.ts';
import type { Recordings } from '../shared/of-type.ts';
import {
  judgeBehind,
  judgeBeside,
  judgeModelReplayed,
  judgeReplayedTool,
  judgeSourceReplayed,
  judgeTool,
  startOf,
} from './branch-acts.ts';
import { judgeApproval } from './branch-asks.ts';
import { COUNTED } from '../shared/witnessed-run.ts';

function calls(after: string, count: number): Observation {
  const all = Array.from({ length: count }, () => witnessed());
  return { type: 'calls', exchanges: [], after, url: 'http://witness/1', calls: all } as Observation;
}

describe('a branch from the start of a tool', () => {
  const done = [
    event(0, 'run.started'),
    event(1, 'node.started', { nodeId: 'call-tool' }),
    event(2, 'node.completed', { nodeId: 'call-tool' }),
    event(3, 'run.completed'),
  ];
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 1, events: as('run_b', done) });
  const driven = (source: number, fresh: number, after: number, last = branch): string =>
    short(
      judged(
        judgeTool(
          recorded(
            run('source'),
            calls('source', source),
            run('fresh run', { runId: 'run_f' }),
            calls('fresh run', fresh),
            last,
            calls('branch', after),
          ),
        ),
      ),
    );

  it('calls the tool', () => {
    expect(driven(1, 2, 3)).toBe('pass');
    expect(driven(2, 4, 5)).toBe('pass');
  });

  it('is inert where it does not', () => {
    expect(driven(1, 2, 2)).toBe('fail branch-inert');
  });

  it('shows nothing where nobody calls, other runs do not either, or it was not made', () => {
    expect(driven(0, 0, 0)).toBe('inconclusive');
    expect(driven(1, 1, 1)).toBe('inconclusive');
    expect(driven(1, 2, 2, { ...branch, problem: 'the run has not ended' })).toBe('inconclusive');
    expect(driven(1, 2, 2, fork('branch', 'run_b', { mode: 'branch', fromSeq: 1 }))).toBe('inconclusive');
    expect(driven(1, 2, 2, { ...branch, events: as('run_c', done) })).toBe('inconclusive');
    expect(short(judged(judgeTool(recorded(run('source'), calls('source', 1)))))).toBe('inconclusive');
    expect(short(judged(judgeTool([])))).toBe('inconclusive');
  });
});

describe('a branch of a replay from the start of a tool', () => {
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: called('run_b') });
  const replay = fork('replay', 'run_r', { events: called('run_r') });
  const counted = [
    run('source'),
    calls('source', 1),
    run('fresh run', { runId: 'run_f' }),
    calls('fresh run', 2),
    branch,
    calls('branch', 3),
    replay,
    calls('replay', 3),
  ];
  const ofReplay = fork('branch of the replay', 'run_o', { mode: 'branch', fromSeq: 0, events: called('run_o') });
  const driven = (after: number, last: Observation = ofReplay) =>
    judged(judgeTool(recorded(...counted, last, calls('branch of the replay', after))));

  it('calls the tool, and is inert where it does not', () => {
    expect(short(driven(4))).toBe('pass');
    expect(short(driven(3))).toBe('fail branch-inert');
    expect(driven(3).expected).toContain('branch of the replay');
  });

  it('takes nothing from what the first branch shows where it was not made, or is not known to have come there', () => {
    expect(short(driven(3, { ...ofReplay, problem: 'the run has not ended' } as Observation))).toBe('pass');
    expect(short(driven(3, { ...ofReplay, events: called('run_r') } as Observation))).toBe('pass');
    expect(short(judged(judgeTool(recorded(...counted))))).toBe('pass');
  });
});

/** A log that is through with the tool. */
function called(runId: string): readonly Json[] {
  return as(runId, [
    event(0, 'run.started'),
    event(1, 'node.completed', { nodeId: 'call-tool' }),
    event(2, 'run.completed'),
  ]);
}

/** A log whose tool put out what it was answered. */
function putting(runId: string, nonce: string): readonly Json[] {
  return as(runId, [
    event(0, 'run.started'),
    event(1, 'node.completed', { nodeId: 'call-tool', payload: { output: { nonce } } }),
    event(2, 'run.completed'),
  ]);
}

/** What is said where the branch shows the one answer, and its replay the other. */
function toldOf(of: string, again: string): string {
  const all = ['n-source', 'n-fresh', 'n-branch'].map((nonce) => witnessed({ answer: { nonce } }));
  const after = (name: string, count: number): Observation =>
    ({ ...calls(name, 0), calls: all.slice(0, count) }) as Observation;
  const seen = recorded(
    run('source'),
    after('fresh run', 2),
    fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: putting('run_b', of) }),
    after('branch', 3),
    fork('replay of the branch', 'run_c', { events: putting('run_c', again) }),
    after('replay of the branch', 3),
  );
  return short(judged(judgeReplayedTool(seen)));
}

describe('a replay of a branch that called a tool', () => {
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: called('run_b') });
  const replay = fork('replay of the branch', 'run_c', { events: called('run_c') });
  const driven = (ofBranch: number, ofReplay: number, last: Observation = replay) =>
    judgeReplayedTool(
      recorded(
        run('source'),
        calls('fresh run', 2),
        branch,
        calls('branch', ofBranch),
        last,
        calls('replay of the branch', ofReplay),
      ),
    );

  it('calls nobody', () => {
    expect(driven(3, 3)).toMatchObject({ kind: 'pass' });
  });

  it('calls again where there is one call more', () => {
    expect(short(judged(driven(3, 4)))).toBe('fail second-call');
    expect(driven(3, 4)).toMatchObject(COUNTED);
  });

  it('shows what the branch was answered, where that shows it', () => {
    expect(toldOf('n-branch', 'n-branch')).toBe('pass');
    expect(toldOf('n-branch', 'n-source')).toBe('fail recorded-answer-lost');
    expect(toldOf('hidden', 'n-source')).toBe('pass');
  });

  it('shows nothing where the branch called nobody, or the replay was not made, or does not come to the tool', () => {
    expect(driven(2, 2)).toMatchObject({ on: 'fork.branch-acts.tool' });
    expect(short(judged(driven(3, 3, fork('replay of the branch', 'run_c'))))).toBe('inconclusive');
    expect(short(judged(judgeReplayedTool(recorded(run('source'), branch))))).toBe('inconclusive');
    expect(short(judged(judgeReplayedTool(recorded(run('source'), branch, replay))))).toBe('inconclusive');
  });
});

describe('a source that called nobody, or shows no place to branch from', () => {
  it('is what all rows about its branches say', () => {
    const judges = [judgeTool, judgeReplayedTool, (seen: Recordings) => judgeBehind(seen, [])];
    for (const judge of judges) {
      const uncalled = judge(recorded(run('source'), calls('source', 0)));
      expect(uncalled).toMatchObject({ kind: 'undecided', reason: expect.stringContaining('the host did not call') });
      const unplaced = judge(recorded(run('source'), calls('source', 1)));
      expect(unplaced).toMatchObject({ reason: expect.stringContaining('does not show where call-tool starts') });
    }
  });
});

describe('a replay of a branch from behind a tool', () => {
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: called('run_b') });
  const replay = fork('replay of the branch', 'run_c', { events: called('run_c') });
  const later = fork('branch from behind the tool', 'run_d', { mode: 'branch', fromSeq: 2, events: called('run_d') });
  const ofLater = fork('replay of the branch from behind the tool', 'run_e', { events: called('run_e') });
  const first = [
    run('source'),
    calls('fresh run', 2),
    branch,
    calls('branch', 3),
    replay,
    calls('replay of the branch', 3),
  ];
  const driven = (before: number, after: number) =>
    judged(
      judgeReplayedTool(
        recorded(
          ...first,
          later,
          calls('branch from behind the tool', before),
          ofLater,
          calls('replay of the branch from behind the tool', after),
        ),
      ),
    );

  it('calls nobody: what is below the fork point is recorded', () => {
    expect(short(driven(3, 3))).toBe('pass');
    expect(short(driven(3, 4))).toBe('fail second-call');
    expect(driven(3, 4)).toMatchObject(COUNTED);
    expect(driven(3, 4).expected).toContain('below the fork point of the branch from behind the tool run_d');
  });

  it('says nothing where the branch called itself, or there is none', () => {
    expect(short(driven(4, 5))).toBe('pass');
    expect(short(judged(judgeReplayedTool(recorded(...first))))).toBe('pass');
  });
});

describe('a branch from behind a tool', () => {
  const LOG = [
    event(0, 'run.started'),
    event(1, 'node.completed', { nodeId: 'call-tool' }),
    event(2, 'node.started', { nodeId: 'after' }),
    event(3, 'run.completed'),
  ];
  const BEHIND = 'branch from behind the tool';
  const branch = fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: as('run_b', LOG) });
  const behind = fork(BEHIND, 'run_d', { mode: 'branch', fromSeq: 2, events: as('run_d', LOG) });
  const driven = (ofBranch: number, ofLast: number, last: Observation = behind) =>
    judgeBehind(
      recorded(
        run('source', { events: LOG }),
        calls('fresh run', 2),
        branch,
        calls('branch', ofBranch),
        last,
        calls(BEHIND, ofLast),
      ),
      [],
    );

  it('calls nobody', () => {
    expect(short(judged(driven(3, 3)))).toBe('pass');
  });

  it('calls again where there is one call more', () => {
    const judgement = judged(driven(3, 4));
    expect(short(judgement)).toBe('fail history-executed');
    expect(judgement).toMatchObject({ actual: '1 more at the witness' });
  });

  it('says nothing more where it has another history, or the branch from the start of the tool calls nobody', () => {
    const other = fork(BEHIND, 'run_d', { mode: 'branch', fromSeq: 2, events: as('run_d', LOG.slice(2)) });
    expect(driven(3, 4, other)).toMatchObject({ on: 'fork.branch-inherits-prefix' });
    expect(driven(2, 2)).toMatchObject({ on: 'fork.branch-acts.tool' });
  });

  it('shows nothing where it was not made or has no end, or nobody counted', () => {
    const unended = fork(BEHIND, 'run_d', { mode: 'branch', fromSeq: 2, events: as('run_d', LOG.slice(0, 3)) });
    expect(short(judged(driven(3, 3, unended)))).toBe('inconclusive');
    expect(short(judged(driven(3, 3, { ...behind, problem: 'no end' } as Observation)))).toBe('inconclusive');
    expect(short(judged(judgeBehind(recorded(run('source'), branch), [])))).toBe('inconclusive');
    const counted = recorded(run('source'), calls('fresh run', 2), branch, calls('branch', 3));
    expect(short(judged(judgeBehind(counted, [])))).toBe('inconclusive');
  });
});

describe('where a node has not begun', () => {
  const [begun, before] = [event(0, 'run.started'), event(4, 'node.completed', { nodeId: 'before' })];
  const asked = event(6, 'interrupt.requested', { nodeId: 'ask' });
  const placeOf = (...events: readonly Json[]) => startOf(run('source', { events: [begun, before, ...events] }), 'ask');

  it('is its start', () => {
    expect(placeOf(event(5, 'node.started', { nodeId: 'ask' }), asked)).toBe(5);
    expect(placeOf(event(5, 'node.scheduled', { nodeId: 'ask' }), event(7, 'node.started', { nodeId: 'ask' }))).toBe(7);
  });

  it('is the event before the first that names it, where none starts', () => {
    expect(placeOf(asked)).toBe(4);
    expect(placeOf(event(5, 'node.started', { nodeId: 'other' }), asked)).toBe(5);
  });

  it('is nowhere in a log that does not name it', () => {
    expect(placeOf(event(6, 'interrupt.requested'))).toBeUndefined();
  });
});

function answer(role: string, answered: number, mark: string): Observation {
  return { type: 'answer', role, mark, answered, exchanges: [] } as Observation;
}

/** A log that shows an answer. */
function showing(mark: string, end = 'run.completed', more: readonly Json[] = []): readonly Json[] {
  const written = event(2, 'variable.changed', { payload: { name: 'approval', value: mark } });
  return [event(0, 'run.started'), ...more, written, event(3, end)];
}

function branchOf(events: readonly Json[]): Observation {
  return fork('branch', 'run_b', { mode: 'branch', fromSeq: 1, events: as('run_b', events) });
}

const OF_BRANCH = 'branch of the branch';

/** The verdict where the source was answered with mark 1 and its branch with mark 2, and they show these. */
function showingMarks(shownBySource: number, shownByBranch: number): string {
  const seen = [run('source', { events: as('run_a', put(shownBySource)) }), answer('source', 200, markOf(1))];
  const last = [branchOf(put(shownByBranch)), answer('branch', 200, markOf(2))];
  return short(judged(judgeApproval(recorded(...seen, ...last))));
}

function markOf(digit: number): string {
  return `00000000-0000-4000-8000-00000000000${digit}`;
}

/** A log that shows a mark as a member of an answer. */
function put(digit: number): readonly Json[] {
  const resolved = event(1, 'interrupt.resolved', { payload: { resumeValue: { mark: markOf(digit) } } });
  return [event(0, 'run.started'), resolved, event(2, 'run.completed')];
}

/** What is said of a source alone that shows this, as text. */
function saidOf(events: readonly Json[]): string {
  return JSON.stringify(judgeApproval(recorded(run('source', { events: as('run_a', events) }))));
}

describe('a branch from the start of a question', () => {
  const question = event(1, 'interrupt.requested', { nodeId: 'ask' });
  const source = run('source', { events: as('run_a', showing('first', 'run.completed', [question])) });
  const verdict = (...rest: readonly Observation[]): string => short(judged(judgeApproval(recorded(source, ...rest))));
  const given = answer('source', 200, 'first');

  it('asks, and goes on with what it was told', () => {
    const asked = showing('second', 'run.completed', [question]);
    expect(verdict(given, branchOf(asked), answer('branch', 200, 'second'))).toBe('pass');
    expect(verdict(given, branchOf(showing('no', 'run.failed')), answer('branch', 200, 'second'))).toBe('pass');
  });

  it('is inert where it does not ask, or goes on with the answer of its source', () => {
    expect(verdict(given, branchOf(showing('first')))).toBe('fail branch-inert');
    expect(verdict(given, branchOf(showing('first')), answer('branch', 200, 'second'))).toBe('fail branch-inert');
    expect(verdict(given, branchOf(showing('auto')), answer('branch', 409, 'second'))).toBe('fail branch-inert');
  });

  it('was not to be had where its source shows no question, or was resolved before it was answered', () => {
    expect(saidOf(put(1))).toContain('was not answered: it was resolved before');
    expect(saidOf(showing('first'))).toContain('was not answered: it shows none');
  });

  it('is wrong where it goes on with the answer of somebody else, where the source shows its own', () => {
    expect(showingMarks(1, 2)).toBe('pass');
    expect(showingMarks(1, 3)).toBe('fail answer-of-another');
    expect(showingMarks(1, 1)).toBe('fail branch-inert');
    // A host that has marks of its own.
    expect(showingMarks(4, 3)).toBe('inconclusive');
  });

  it('is a run like any other, which takes an answer while it waits', () => {
    const waiting = Object.assign(branchOf([question]), { problem: 'the run has not ended' });
    const refused = (answered: number, status = 'waiting-approval') =>
      judged(
        judgeApproval(
          recorded(source, given, waiting, Object.assign(answer('branch', answered, 'second'), { status })),
        ),
      );
    for (const status of [404, 409, 410]) expect(short(refused(status))).toBe('fail branch-unanswerable');
    // What the host says of the answer, or of a run that goes on, does not close the question.
    const open = [refused(422), refused(403), refused(409, 'running')];
    expect(open.map(short)).toEqual(['inconclusive', 'inconclusive', 'inconclusive']);
    expect(open[0]?.reason).toContain('the branch run_b: its answer was answered with 422');
  });

  it('asks as well where it is a branch of a branch', () => {
    const asked = showing('second', 'run.completed', [question]);
    const first = [given, branchOf(asked), answer('branch', 200, 'second')];
    const twice = (events: readonly Json[], ...rest: readonly Observation[]): string =>
      verdict(...first, fork(OF_BRANCH, 'run_c', { mode: 'branch', fromSeq: 1, events: as('run_c', events) }), ...rest);
    expect(twice(showing('third', 'run.completed', [question]), answer(OF_BRANCH, 200, 'third'))).toBe('pass');
    expect(twice(showing('second'))).toBe('fail branch-inert');
    expect(twice(showing('auto', 'run.completed', [question]))).toBe('fail branch-inert');
    // What is not seen of it takes nothing from what the first branch shows.
    expect(twice(showing('none'), answer(OF_BRANCH, 403, 'third'))).toBe('pass');
    const open = { ...fork(OF_BRANCH, 'run_c', { mode: 'branch' }), problem: 'the run has not ended' };
    expect(verdict(...first, open)).toBe('pass');
  });

  it('asks as well where it is a branch of a replay', () => {
    const asked = showing('second', 'run.completed', [question]);
    const replay = fork('replay', 'run_r', { events: as('run_r', showing('first', 'run.completed', [question])) });
    const ofReplay = (events: readonly Json[], ...rest: readonly Observation[]): string => {
      const made = fork('branch of the replay', 'run_o', { mode: 'branch', fromSeq: 1, events: as('run_o', events) });
      return verdict(given, branchOf(asked), answer('branch', 200, 'second'), replay, made, ...rest);
    };
    const told = answer('branch of the replay', 200, 'third');
    expect(ofReplay(showing('third', 'run.completed', [question]), told)).toBe('pass');
    expect(ofReplay(showing('first'))).toBe('fail branch-inert');
    expect(ofReplay(showing('first'), told)).toBe('fail branch-inert');
    expect(ofReplay(showing('none'), answer('branch of the replay', 403, 'third'))).toBe('pass');
  });

  it('cannot be made of a source that does not show where its question starts', () => {
    const silent = run('source', { events: as('run_a', showing('first')) });
    const outcome = judged(judgeApproval(recorded(silent, given)));
    expect(short(outcome)).toBe('inconclusive');
    expect(outcome).toMatchObject({
      reason: expect.stringContaining('does not show where the node starts that asks') as string,
    });
  });

  it('shows nothing where the source was not answered, the answer is refused or shown nowhere', () => {
    expect(verdict(answer('source', 403, 'first'))).toBe('inconclusive');
    expect(verdict(given)).toBe('inconclusive');
    expect(verdict(given, branchOf(showing('none')), answer('branch', 403, 'second'))).toBe('inconclusive');
    expect(verdict(given, branchOf(showing('none')), answer('branch', 200, 'second'))).toBe('inconclusive');
    expect(short(judged(judgeApproval([])))).toBe('inconclusive');
  });
});

const countedTo = (after: string, count: number): Observation => {
  const all = ['n-source', 'n-fresh', 'n-branch', 'n-else'].map((nonce) => witnessed({ answer: { nonce } }));
  return { type: 'calls', exchanges: [], after, url: 'http://w/1', calls: all.slice(0, count) } as Observation;
};
const answeredIn = (runId: string, content: string): readonly Json[] =>
  as(runId, [
    event(0, 'run.started'),
    event(1, 'node.completed', { nodeId: 'provider-call', payload: { output: content } }),
    event(2, 'run.completed'),
  ]);

const toolAfter = (nonce: string) =>
  judgeSourceReplayed(
    recorded(
      run('source', { events: putting('run_a', 'n-source') }),
      countedTo('fresh run', 2),
      fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: putting('run_b', 'n-branch') }),
      countedTo('branch', 3),
      fork('replay', 'run_r', { events: putting('run_r', nonce) }),
    ),
  );
const modelAfter = (last: string, count: number, first = '{"valid":true}') =>
  judgeModelReplayed(
    recorded(
      run('asking source', { events: answeredIn('run_a', first) }),
      fork('branch that asks', 'run_b', {
        mode: 'branch',
        fromSeq: 0,
        events: answeredIn('run_b', '{"valid":false}'),
      }),
      countedTo('branch that asks', 2),
      fork('replay after the branch', 'run_r', { events: answeredIn('run_r', last) }),
      countedTo('replay after the branch', count),
    ),
  );

/** A run, two branches of it that show these answers, and so many calls by then. */
function besides(nonce: string, count: number, runId = 'run_e'): Recordings {
  return recorded(
    run('source', { events: putting('run_a', 'n-source') }),
    countedTo('fresh run', 2),
    fork('branch', 'run_b', { mode: 'branch', fromSeq: 0, events: putting('run_b', 'n-branch') }),
    fork('branch at the same time', runId, { mode: 'branch', fromSeq: 0, events: putting(runId, nonce) }),
    countedTo('branch', count),
  );
}

/** What is said where their replays show these answers. */
function replayed(ofFirst: string, ofSecond: string): string {
  const replays = [
    fork('replay of the branch', 'run_c', { events: putting('run_c', ofFirst) }),
    fork('replay of the branch at the same time', 'run_d', { events: putting('run_d', ofSecond) }),
  ];
  const seen = [...besides('n-else', 4), ...recorded(...replays, countedTo('replay of the branch', 4))];
  return short(judged(judgeReplayedTool(seen)));
}

describe('two branches that were made at once', () => {
  it('call a tool each', () => {
    expect(judgeBeside(besides('n-else', 4))).toBeUndefined();
    expect(judgeBeside(besides('n-branch', 3))).toMatchObject({ diagnosis: { code: 'not-independent' } });
  });

  it('are no matter of this row where they are one run, or one goes on with what its source was answered', () => {
    expect(judgeBeside(besides('n-branch', 3, 'run_b'))).toBeUndefined();
    expect(judgeBeside(besides('n-source', 3))).toBeUndefined();
    expect(judgeBeside(besides('n-branch', 4))).toBeUndefined();
    expect(judgeBeside([])).toBeUndefined();
  });

  it('are replayed with what each of them was answered', () => {
    expect(replayed('n-branch', 'n-else')).toBe('pass');
    expect(replayed('n-branch', 'n-branch')).toBe('fail recorded-answer-lost');
    expect(replayed('n-else', 'n-else')).toBe('fail recorded-answer-lost');
  });
});

describe('a replay of a run after a branch of it', () => {
  it('shows what the run was answered', () => {
    expect(toolAfter('n-source')).toBeUndefined();
    expect(modelAfter('{"valid":true}', 2)).toBeUndefined();
  });

  it('shows what the branch was answered where that is kept with the run', () => {
    expect(toolAfter('n-branch')).toMatchObject({ kind: 'fail', diagnosis: { code: 'not-independent' } });
    expect(modelAfter('{"valid":false}', 2)).toMatchObject({ kind: 'fail', diagnosis: { code: 'not-independent' } });
  });

  it('is no matter of this row where it asks, or where the run shows the same', () => {
    expect(toolAfter('n-else')).toBeUndefined();
    expect(modelAfter('{"valid":false}', 3)).toBeUndefined();
    expect(modelAfter('{"valid":false}', 2, '{"valid":false}')).toBeUndefined();
    expect(judgeSourceReplayed([])).toBeUndefined();
  });
});
