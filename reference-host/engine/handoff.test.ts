import { describe, expect, it } from 'vitest';
import { definition, loneService, type LoneService } from '../../test/run-service.ts';
import { member } from '../json.ts';
import type { RunRecord } from '../store/runs.ts';
import { structuralProblem, type Workflow } from '../types/workflow.ts';

const worker = definition('worker', [{ id: 'work', typeId: 'core.noop' }], [], { told: 'told', other: 'another' });
const waiter = definition('waiter', [{ id: 'ask', typeId: 'core.interrupt' }]);
const broken = definition('broken', [{ id: 'fail', typeId: 'core.fail' }]);

interface Parent {
  readonly plan?: unknown;
  readonly config?: Workflow['nodes'][number]['config'];
  readonly edges?: readonly string[];
}

const next = (...nextWorkerIds: readonly string[]): object => ({ kind: 'next-worker', nextWorkerIds });
const parent = ({ plan = [next('worker')], config = {}, edges = ['plan hand'] }: Parent): Workflow =>
  definition(
    'parent',
    [
      { id: 'plan', typeId: 'core.orchestrator.supervisor', config: { agentId: 'agent', mockDispatchPlan: plan } },
      { id: 'hand', typeId: 'core.dispatch', config },
    ],
    edges,
    { result: 'untouched' },
  );

const delegate = (id: string, config: object): Workflow['nodes'][number] => ({
  id,
  typeId: 'core.subWorkflow',
  name: id,
  config: { ...config },
  inputs: {},
});
const stateOf = ({ runs }: LoneService, run: RunRecord) => runs.view(run).state;
const phases = ({ store }: LoneService, { runId }: RunRecord): unknown[] =>
  store.events.read(runId).flatMap(({ payload }) => member(payload, 'phase') ?? []);
const said = ({ store }: LoneService, { runId }: RunRecord): unknown[] =>
  store.events
    .read(runId)
    .filter(({ type }) => type !== 'run.started')
    .map(({ type, nodeId, payload }) => [type, nodeId, JSON.stringify(payload).replaceAll(runId, 'SELF')]);

describe('a supervisor and its dispatch node', () => {
  it('may be drawn as the loop that they carry out', async () => {
    const looped = parent({ edges: ['plan hand', 'hand plan'], plan: [next('worker'), next('worker')] });
    expect(structuralProblem(looped)).toBeUndefined();
    const host = loneService([looped, worker]);
    const run = await host.carryOut('parent');
    expect(stateOf(host, run).status).toBe('completed');
    expect(phases(host, run)).toHaveLength(6);
    expect(host.store.runs.children(run.runId)).toHaveLength(2);
  });

  it('make no other cycle sound', () => {
    const { nodes } = parent({});
    const back = definition('w', [...nodes, { id: 'x', typeId: 'core.noop' }], ['plan hand', 'hand x', 'x plan']);
    expect(structuralProblem(back)).toBe('the edges form a cycle');
  });

  it.each([
    ['a plan that is none', { plan: 'next' }],
    ['a decision of another kind', { plan: [{ kind: 'dance' }] }],
    ['a decision that names nobody', { plan: [next()] }],
    ['a worker id that is no text', { plan: [{ kind: 'next-worker', nextWorkerIds: [1] }] }],
    ['no edge between them', { edges: [] }],
  ])('fail with %s', async (_, given: Parent) => {
    const host = loneService([parent(given), worker]);
    expect(stateOf(host, await host.carryOut('parent')).error?.code).toBe('invalid_node_config');
  });

  it('end with the plan, as if it said terminate, and take nothing after that', async () => {
    for (const plan of [[], [{ kind: 'terminate', reason: 'enough' }, next('worker')]]) {
      const host = loneService([parent({ plan }), worker]);
      const run = await host.carryOut('parent');
      const decided = host.store.events.read(run.runId).filter(({ type }) => type === 'runOrchestrator.decided');
      expect(decided.map(({ payload }) => member(member(payload, 'decision'), 'kind'))).toEqual(['terminate']);
      expect(stateOf(host, run).status).toBe('completed');
      expect(host.store.runs.children(run.runId)).toEqual([]);
    }
  });

  it("take a worker's own mappings before those of all workers", async () => {
    const config = {
      outputMapping: { result: 'told' },
      perWorkerOutputMappings: { worker: { result: 'other', ['__proto__']: 'told', nothing: 'absent' } },
      inputMapping: { other: 'result', told: 'absent' },
    };
    const host = loneService([parent({ config }), worker]);
    const run = await host.carryOut('parent');
    expect(stateOf(host, run).variables.get('result')).toBe('untouched');
    expect(stateOf(host, run).variables.has('nothing')).toBe(false);
    const [child] = host.store.runs.children(run.runId);
    expect(child && Object.fromEntries(stateOf(host, child).variables)).toEqual({ told: 'told', other: 'untouched' });
  });
});

describe('child runs', () => {
  it('nest so deep and no deeper', async () => {
    const host = loneService([definition('self', [delegate('hand', { workflowId: 'self' })])]);
    const run = await host.carryOut('self');
    expect(stateOf(host, run).error).toEqual({ code: 'child_failed', message: 'The child run is failed.' });
    let deepest = run;
    let depth = 1;
    for (let [child] = host.store.runs.children(deepest.runId); child !== undefined; depth += 1) {
      deepest = child;
      [child] = host.store.runs.children(deepest.runId);
    }
    expect(depth).toBe(16);
    expect(stateOf(host, deepest).error?.code).toBe('dispatch_failed');
    expect(phases(host, deepest)).toEqual(['dispatch.began', 'dispatch.failed']);
    expect(phases(host, run)).toEqual(['dispatch.began', 'dispatch.succeeded', 'child.failed']);
  });

  it('fail their core.subWorkflow node, unless it absorbs that', async () => {
    const ways = ['absorb', 'fail-parent'].map((onChildFailure) =>
      definition(onChildFailure, [delegate('hand', { workflowId: 'broken', onChildFailure })]),
    );
    const host = loneService([...ways, broken]);
    expect(stateOf(host, await host.carryOut('absorb')).status).toBe('completed');
    expect(stateOf(host, await host.carryOut('fail-parent')).error?.code).toBe('child_failed');
  });

  it('end with a parent that fails at another node', async () => {
    const steps = ['a', 'b', 'c', 'd', 'e', 'f'].map((id) => ({ id, typeId: 'core.noop' }));
    const both = definition(
      'both',
      [delegate('hand', { workflowId: 'waiter' }), ...steps, { id: 'fail', typeId: 'core.fail' }],
      ['a b', 'b c', 'c d', 'd e', 'e f', 'f fail'],
    );
    const host = loneService([both, waiter]);
    const run = await host.carryOut('both');
    expect(stateOf(host, run).status).toBe('failed');
    expect(host.store.runs.children(run.runId).map((child) => stateOf(host, child).status)).toEqual(['cancelled']);
  });

  it('of two nodes at the same time replay in the recorded order', async () => {
    const nodes = ['one', 'other'].map((id) => delegate(id, { workflowId: 'worker', outputMapping: { [id]: 'told' } }));
    const host = loneService([definition('two', nodes), worker]);
    const source = await host.carryOut('two');
    expect(Object.fromEntries(stateOf(host, source).variables)).toEqual({ one: 'told', other: 'told' });
    for (let fromSeq = 0; fromSeq <= (host.store.events.last(source.runId)?.sequence ?? 0); fromSeq += 1) {
      const replay = host.runs.fork(source, { mode: 'replay', fromSeq, overlay: {} });
      await host.runs.idle();
      expect(said(host, replay)).toEqual(said(host, source));
    }
    expect(host.store.runs.children(source.runId)).toHaveLength(2);
  });
});

describe('a replay', () => {
  const relay = parent({ plan: [next('waiter'), next('worker')] });

  it('dispatches nobody where its source was cut short, and says so', async () => {
    const host = loneService([relay, waiter, worker]);
    const source = await host.carryOut('parent');
    host.runs.cancel(source);
    await host.runs.idle();
    const replay = host.runs.fork(source, { mode: 'replay', fromSeq: 0, overlay: {} });
    await host.runs.idle();
    expect(host.store.runs.children(replay.runId)).toEqual([]);
    expect(phases(host, replay)).toEqual([
      'dispatch.began',
      'dispatch.succeeded',
      'child.cancelled',
      'dispatch.began',
      'dispatch.failed',
    ]);
    expect(stateOf(host, replay).error?.code).toBe('dispatch_failed');
    expect(host.store.events.read(replay.runId).map(({ type }) => type)).toContain('replay.diverged');
  });

  it('of a source that is still under way waits for what that dispatches', async () => {
    const asks = { kind: 'clarify', reason: 'why?' };
    const host = loneService([parent({ plan: [asks, next('worker')] }), worker]);
    const source = await host.carryOut('parent');
    const replay = host.runs.fork(source, { mode: 'replay', fromSeq: 0, overlay: {} });
    await host.runs.idle();
    // The replay is answered before its source, and so comes to the dispatch first.
    await host.runs.resolve({ run: replay, nodeId: 'hand', resumeValue: 1 });
    await host.runs.idle();
    expect(phases(host, replay)).toEqual(['dispatch.began']);
    await host.runs.resolve({ run: source, nodeId: 'hand', resumeValue: 1 });
    await host.runs.idle();
    expect(said(host, replay)).toEqual(said(host, source));
    expect(host.store.runs.children(source.runId)).toHaveLength(1);
    expect(host.store.runs.children(replay.runId)).toEqual([]);
  });
});

const answerAll = async (host: LoneService, run: RunRecord, values: readonly number[]): Promise<unknown[]> => {
  const kinds: unknown[] = [];
  for (const resumeValue of values) {
    kinds.push((await host.runs.resolve({ run, nodeId: 'hand', resumeValue })).kind);
    await host.runs.idle();
  }
  return kinds;
};

describe('two questions of one dispatch node', () => {
  it('are answered one after the other, also by a replay', async () => {
    const asks = ['clarify', 'clarify', 'escalate'].map((kind) => ({ kind }));
    const host = loneService([parent({ plan: asks })]);
    const source = await host.carryOut('parent');
    expect(await answerAll(host, source, [1, 2, 3])).toEqual(['resolved', 'resolved', 'resolved']);
    expect(stateOf(host, source).status).toBe('completed');
    const last = host.store.events.last(source.runId)?.sequence ?? 0;
    for (let fromSeq = 0; fromSeq <= last; fromSeq += 1) {
      const replay = host.runs.fork(source, { mode: 'replay', fromSeq, overlay: {} });
      await host.runs.idle();
      expect(said(host, replay)).toEqual(said(host, source));
    }
  });

  it('are asked again by a branch whose history has only the first answer', async () => {
    const host = loneService([parent({ plan: [{ kind: 'clarify' }, { kind: 'clarify' }] })]);
    const source = await host.carryOut('parent');
    await answerAll(host, source, [1, 2]);
    const second = host.store.events.read(source.runId).findLast(({ type }) => type === 'interrupt.requested');
    const branch = host.runs.fork(source, { mode: 'branch', fromSeq: second?.sequence ?? 0, overlay: {} });
    await host.runs.idle();
    expect(stateOf(host, branch).status).toBe('waiting-input');
    const resolved = host.store.events.read(branch.runId).filter(({ type }) => type === 'interrupt.resolved');
    expect(resolved.map(({ payload }) => member(payload, 'resumeValue'))).toEqual([1]);
  });
});

describe('core.fail', () => {
  it('says what the definition and a variable say', async () => {
    const config = { code: 'broken', message: 'No:', messageVariable: 'why' };
    const fails = definition('fails', [{ id: 'fail', typeId: 'core.fail', config }], [], { why: { secret: 1 } });
    const host = loneService([fails, broken]);
    expect(stateOf(host, await host.carryOut('fails')).error).toEqual({ code: 'broken', message: 'No: {"secret":1}' });
    expect(stateOf(host, await host.carryOut('broken')).error?.code).toBe('failed');
  });
});
