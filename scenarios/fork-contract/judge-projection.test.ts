import { describe, expect, it } from 'vitest';
import { as, event, fork, judged, recorded, run, short } from '../../test/fork-observations.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import {
  GIVEN_BRANCH,
  GIVEN_SOURCE,
  GIVES,
  GIVING,
  MARKS,
  OVERWRITTEN_BRANCH,
  OVERWRITTEN_SOURCE,
} from './branch-drive.ts';
import { seeBranches } from './judge-branch.ts';
import { judgeProjection } from './judge-projection.ts';

type Variables = { readonly [name: string]: Json };

const SOURCE: Variables = { input: MARKS.input, configured: MARKS.source, copied: MARKS.input };

/** A run of the identity fixture: run.started, three events for each node, run.completed. */
function log(values: Variables, writes = 'variable.changed'): readonly Json[] {
  const nodes = Object.entries(values).flatMap(([name, value], index) => [
    event(1 + 3 * index, 'node.started', { nodeId: name }),
    event(2 + 3 * index, writes, { nodeId: name, payload: { name, value } }),
    event(3 + 3 * index, 'node.completed', { nodeId: name, payload: { output: value } }),
  ]);
  return [event(0, 'run.started'), ...nodes, event(10, 'run.completed')];
}

function snapshot(runId: string, variables: Variables | undefined): Json {
  return { runId, status: 'completed', ...(variables === undefined ? {} : { variables }) };
}

const source = run('source', { events: log(SOURCE), snapshot: snapshot('run_a', SOURCE) });

interface Shown {
  readonly values?: Variables;
  readonly variables?: Variables | undefined;
  readonly writes?: string;
}

function branch(fromSeq: number, { values = SOURCE, writes, ...shown }: Shown = {}): RunObservation {
  const runId = `run_${fromSeq}`;
  const variables = 'variables' in shown ? shown.variables : values;
  const events = as(runId, log(values, writes));
  return fork(`branch from ${fromSeq}`, runId, {
    mode: 'branch',
    fromSeq,
    events,
    snapshot: snapshot(runId, variables),
  });
}

function judge(...observations: readonly RunObservation[]) {
  return judged(judgeProjection(seeBranches(recorded(...observations))));
}

const EMPTIED = { ...SOURCE, copied: null };

describe('what a branch hands on', () => {
  it("passes as the source's, whatever the overlay changed", () => {
    const overlaid = { ...SOURCE, configured: MARKS.overlay };
    expect(judge(source, branch(4, { values: overlaid }), branch(7), branch(10))).toMatchObject({
      verdict: 'pass',
      evidence: ['o2', 'o3', 'o4', 'o1'],
    });
  });

  it.each([4, 7])('fails where a node downstream of %d reads nothing', (fromSeq) => {
    const judgement = judge(source, branch(fromSeq, { values: EMPTIED, variables: { copied: null } }));
    expect(short(judgement)).toBe('fail state-not-projected');
  });

  it('fails by the log, or by what the node gave, where snapshots show no variables', () => {
    const bare = { ...source, snapshot: snapshot('run_a', undefined) };
    const lost = { values: EMPTIED, variables: undefined };
    expect(short(judge(bare, branch(7, lost)))).toBe('fail state-not-projected');
    const silent = { ...bare, events: log(SOURCE, 'x.unknown') };
    expect(short(judge(silent, branch(7, { ...lost, writes: 'x.unknown' })))).toBe('fail state-not-projected');
    expect(short(judge(silent, branch(7, { variables: undefined, writes: 'x.unknown' })))).toBe('pass');
  });

  it('is open in the middle of a node, and before the input', () => {
    expect(short(judge(source, branch(1, { values: EMPTIED })))).toBe('inconclusive');
    const middle = judge(source, branch(8, { values: EMPTIED }));
    expect(short(middle)).toBe('pass');
    expect(short(judge(source))).toBe('inconclusive');
  });

  it('fails where its node is not given what the source was, where the branch starts behind the first event', () => {
    const lost = { values: { ...SOURCE, input: null, copied: null } };
    const judgement = judge(source, branch(1, lost));
    expect(short(judgement)).toBe('fail state-not-projected');
    expect(judgement.expected).toContain('variable input at the end of the branch from 1 run_1, from 1');
    expect(short(judge(source, branch(0, lost)))).toBe('inconclusive');
    expect(short(judge(source, branch(2, lost)))).toBe('inconclusive');
    expect(short(judge(source, branch(1, { values: { copied: null } })))).toBe('inconclusive');
  });

  it('waits for a variable that is written after its node has ended', () => {
    const late = [...log(SOURCE).slice(0, 2), ...log(SOURCE).slice(3, 5)];
    const written = event(4, 'variable.changed', { payload: { name: 'input', value: MARKS.input } });
    const events = [...late.slice(0, 3), written, ...log(SOURCE).slice(5)];
    expect(short(judge({ ...source, events }, branch(4, { values: EMPTIED })))).toBe('inconclusive');
  });
});

describe('the snapshot of a branch', () => {
  it('fails without a variable that its log holds from before the fork point', () => {
    const judgement = judge(source, branch(10, { variables: {} }));
    expect(short(judgement)).toBe('fail state-not-projected');
    expect(judgement.expected).toContain('/variables "input": "input of the source", as its log says');
    expect(judgement.actual).toContain('nothing; the source had written it before the fork point 10');
  });

  it('fails without a channel', () => {
    const sent = event(0, 'channel.written', { payload: { channel: 'c', value: [1] } });
    const told = [sent, ...log(SOURCE).slice(1)];
    const withChannels = (seen: RunObservation, channels: Json): RunObservation => ({
      ...seen,
      events: as(seen.runId ?? '', told),
      snapshot: { ...Object(seen.snapshot), channels } as Json,
    });
    const from = withChannels(source, { c: [1] });
    expect(short(judge(from, withChannels(branch(10), { c: [1] })))).toBe('pass');
    expect(short(judge(from, withChannels(branch(10), {})))).toBe('fail state-not-projected');
  });

  it('need not show what the snapshot of the source does not show', () => {
    const hiding = { ...source, snapshot: snapshot('run_a', { copied: MARKS.input }) };
    expect(short(judge(hiding, branch(10, { variables: { copied: MARKS.input } })))).toBe('pass');
    expect(short(judge(source, branch(10, { variables: undefined })))).toBe('pass');
    expect(short(judge({ ...source, snapshot: null }, branch(10, { variables: {} })))).toBe('pass');
  });

  it('may lag behind its log', () => {
    const lagging = { ...branch(10), snapshot: { runId: 'run_10', status: 'running', variables: {} } };
    expect(short(judge(source, lagging))).toBe('pass');
  });
});

describe('random numbers and values that are handed on', () => {
  const random = run('random source', { problem: 'the run has not ended' });

  it('pass together with a note about what was not seen', () => {
    expect(judge(random, source, branch(7))).toMatchObject({
      verdict: 'pass',
      reason: expect.stringContaining('the run has not ended') as string,
    });
  });

  it('fail where one of them does', () => {
    expect(short(judge(random, source, branch(7, { values: EMPTIED })))).toBe('fail state-not-projected');
  });
});

describe('a branch from the end of a run that wrote something', () => {
  const wrote = { role: 'source with a state', events: log(SOURCE), snapshot: snapshot('run_a', SOURCE) };
  const from = (variables: Variables | undefined) =>
    fork('branch with its state', 'run_b', {
      mode: 'branch',
      fromSeq: 10,
      events: as('run_b', log(SOURCE)),
      snapshot: snapshot('run_b', variables),
    });
  const plain = run('source', { events: [event(0, 'run.started'), event(1, 'run.completed')] });
  const beside = fork('branch', 'run_c', {
    mode: 'branch',
    fromSeq: 0,
    events: as('run_c', [event(0, 'run.started')]),
  });

  it('shows what was written in its snapshot, and not that nodes see it', () => {
    expect(judge(plain, beside, run('source with a state', wrote), from({}))).toMatchObject({
      verdict: 'fail',
      diagnosis: { code: 'state-not-projected' },
    });
    expect(judge(plain, beside, run('source with a state', wrote), from(SOURCE)).verdict).toBe('inconclusive');
    expect(judge(plain, beside, run('source with a state', wrote), from(undefined)).verdict).toBe('inconclusive');
  });
});

function ran(role: string, output: Json, more: Partial<RunObservation> = {}): RunObservation {
  return run(role, { events: [event(0, 'node.completed', { nodeId: GIVES, payload: { output } })], ...more });
}

function branched(output: Json): RunObservation {
  const of = { sourceRunId: 'run_a', mode: 'branch', fromSeq: 0, advertised: true };
  return ran(GIVEN_BRANCH, output, { runId: 'run_9', fork: of });
}

describe('a public workflow that gives what it is given', () => {
  const given = ran(GIVEN_SOURCE, GIVING.inputs.payload);
  const unseeded = run('source');

  it('passes where a branch from before its node gives the same', () => {
    const judgement = judge(unseeded, branch(7), given, branched(GIVING.inputs.payload));
    expect(short(judgement)).toBe('pass');
    expect(judgement.reason).toContain('seen of an input, and of snapshots');
  });

  it('fails where it gives something else, or nothing', () => {
    expect(short(judge(unseeded, branch(7), given, branched({})))).toBe('fail state-not-projected');
    const silent = { ...branched(null), events: [] };
    expect(short(judge(unseeded, branch(7), given, silent))).toBe('fail state-not-projected');
  });

  it('is open where the source does not give what it was given, or has no branch', () => {
    expect(short(judge(unseeded, branch(7), ran(GIVEN_SOURCE, {}), branched({})))).toBe('inconclusive');
    expect(short(judge(unseeded, branch(7), given))).toBe('inconclusive');
  });
});

const shows = (variables: Variables) => ({
  events: [event(0, 'run.started'), event(1, 'run.completed')],
  snapshot: snapshot('run_b', variables),
});

const said = (...more: readonly RunObservation[]): string => short(judge(source, branch(7), ...more));

describe('a branch from before a variable is written again', () => {
  const before = run(OVERWRITTEN_SOURCE, { runId: 'run_b', ...shows({ before: 1, counter: 2 }) });
  const behind = (variables: Variables) =>
    fork(OVERWRITTEN_BRANCH, 'run_c', { mode: 'branch', fromSeq: 1, ...shows(variables) });

  it('reads what it was', () => {
    expect(said(before, behind({ before: 1, counter: 2 }))).toBe('pass');
    expect(said(before, behind({ before: 2, counter: 2 }))).toBe('fail state-not-projected');
    expect(said(before, behind({ counter: 2 }))).toBe('pass');
  });

  it('says nothing where the source reads what it became', () => {
    const alike = run(OVERWRITTEN_SOURCE, { runId: 'run_b', ...shows({ before: 2, counter: 2 }) });
    expect(said(alike, behind({ before: 1 }))).toBe('pass');
    expect(said(before)).toBe('pass');
  });
});
