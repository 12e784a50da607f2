import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judgementIn, OPTIONS, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import {
  after,
  changed,
  CHILD,
  childRun,
  decided,
  type Entry,
  eventsOf,
  HAPPY,
  handoffRun,
  PARENT,
  replaced,
  entryOf,
  transition,
  without,
  WORKER,
} from '../../test/handoff-runs.ts';
import { settled } from '../../test/settled.ts';
import { HANDOFF_CHILD } from './fixtures.ts';
import { happy } from './whole-paths.ts';

const DECISION = JSON.stringify({ kind: 'next-worker', nextWorkerIds: [WORKER] });
const CHECKS = happy.checks.map(({ id }) => id);
const [path, chain, harvest, mapping, loop, isRun] = [
  'handoff.happy-path',
  'handoff.causation-chain',
  'handoff.harvest-exactly-when',
  'handoff.output-mapping',
  'handoff.loop',
  'handoff.child-is-a-run',
] as const;

const child = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'completed' } });

function verdicts(log: readonly Entry[], ...more: Parameters<typeof verdictOf>[2]): Record<string, string> {
  const seen = [handoffRun(log), ...(more.length === 0 ? [child] : more)];
  return Object.fromEntries(CHECKS.map((check) => [check, verdictOf(happy, check, seen)]));
}

function reasonOf(check: string, log: readonly Entry[]): string {
  const judgement = happy.judge([handoffRun(log), child], OPTIONS).find((each) => each.check === check);
  return `${judgement?.expected ?? ''} | ${judgement?.actual ?? ''} | ${judgement?.reason ?? ''}`;
}

const ALL_PASS = Object.fromEntries(CHECKS.map((check) => [check, 'pass']));

describe('a handoff that goes the whole way', () => {
  it('passes', () => {
    expect(verdicts(HAPPY)).toEqual(ALL_PASS);
  });

  it.each<readonly [string, readonly Entry[]]>([
    ['events listed in another order', HAPPY.map((each, sequence) => ({ ...each, sequence })).toReversed()],
    ['without child.completed', replaced(without(HAPPY, 'completed'), 'harvested', { by: 'succeeded' })],
    ['without node.dispatched', without(HAPPY, 'node')],
    ['a phase of its own between two', after(replaced(HAPPY, 'completed', { by: 'own' }), 'succeeded', own())],
    ['an unknown type between two', after(HAPPY, 'began', entryOf('other', 'x.vendor.event', ['what', null]))],
    ['decisions in the name of the supervisor', replaced(HAPPY, 'decision', { nodeId: 'supervisor' })],
    ['no worker in the payloads behind the first', anonymous(['succeeded', 'completed', 'harvested'])],
    ['no worker in any payload', anonymous(['began', 'succeeded', 'completed', 'harvested'])],
    ['no worker in the payload of the first', anonymous(['began'])],
    ['no worker in the payloads of the first two', anonymous(['began', 'succeeded'])],
    ['a phase of its own before the first', pending('decision')],
    ['a phase of its own before the first that names no worker', pending('decision', { workerId: null })],
    ['what its child hands off, shown as well', after(HAPPY, 'node', ...mirrored())],
    ['a decision as a plain text', replaced(HAPPY, 'end', { payload: { decision: 'terminate' } })],
    ['a decision as a JSON text', replaced(HAPPY, 'decision', { payload: { decision: DECISION } })],
    ['no variable.changed', without(HAPPY, 'mapped')],
    ['payloads of any kind', after(HAPPY, 'start', { ...entryOf('odd', 'variable.changed'), payload: 3 })],
  ])('passes with %s', (_, log) => {
    expect(verdicts(log)).toEqual(ALL_PASS);
  });

  it('names what it rests on where a host shows less', () => {
    expect(reasonOf(path, replaced(without(HAPPY, 'completed'), 'harvested', { by: 'succeeded' }))).toContain(
      'output.harvested follows dispatch.succeeded',
    );
    const done = replaced(HAPPY, 'completed', { payload: { phase: 'child.done', workerId: WORKER } });
    expect(reasonOf(path, done)).toContain('phases of its own: sequence 5, child.done');
    expect(reasonOf(mapping, without(HAPPY, 'mapped'))).toContain('no variable.changed for parentResult');
  });
});

function own(): Entry {
  return transition('own', 'x-vendor.child.started', 'succeeded');
}

/** The happy path with a second begin, caused by this, the first of which names no worker. */
function begunTwice(by: string): readonly Entry[] {
  return after(anonymous(['began']), 'began', transition('again', 'dispatch.began', by));
}

/** The happy path, its begin caused by a phase of the host's own, which something else caused. */
function pending(by: string, more: Parameters<typeof transition>[3] = {}): readonly Entry[] {
  const phase = transition('pending', 'dispatch.pending', by, more);
  return after(replaced(HAPPY, 'began', { by: 'pending' }), 'decision', phase);
}

function anonymous(names: readonly string[]): readonly Entry[] {
  return HAPPY.map((entry) =>
    names.includes(entry.as) ? { ...entry, payload: { ...(entry.payload as object), workerId: null } } : entry,
  );
}

function mirrored(): readonly Entry[] {
  const parentRunId = { parentRunId: CHILD, workerId: 'inner', childRunId: 'run-inner' };
  return [
    transition('inner-began', 'dispatch.began', 'nothing', parentRunId),
    transition('inner-succeeded', 'dispatch.succeeded', 'inner-began', parentRunId),
  ];
}

describe('handoff.happy-path', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['nothing at all', [entryOf('start', 'run.started'), entryOf('over', 'run.completed')]],
    ['no dispatch.began', without(HAPPY, 'began')],
    ['no dispatch.succeeded', without(HAPPY, 'succeeded')],
    ['no output.harvested', without(HAPPY, 'harvested')],
    ['two dispatch.began', after(HAPPY, 'began', transition('again', 'dispatch.began', 'decision'))],
    ['two output.harvested', after(HAPPY, 'harvested', transition('again', 'output.harvested', 'completed'))],
    ['child.failed too', after(HAPPY, 'completed', transition('again', 'child.failed', 'succeeded'))],
    ['child.failed instead', replaced(HAPPY, 'completed', { payload: { phase: 'child.failed', workerId: WORKER } })],
    ['the completion before the dispatch', replaced(HAPPY, 'completed', { sequence: 2.5 - 0.5 })],
    ['another worker', after(HAPPY, 'began', transition('other', 'dispatch.began', 'decision', { workerId: 'x' }))],
    ['a second begin, the first of which names no worker', begunTwice('decision')],
    ['a second begin that the first caused, which names no worker', begunTwice('began')],
  ])('fails with %s', (_, log) => {
    expect(verdicts(log)[path]).toBe('fail wrong-path');
  });

  it('says what is missing, and where what is there stands', () => {
    const reason = reasonOf(path, without(HAPPY, 'harvested'));
    expect(reason).toContain(`one output.harvested in the handoff to ${WORKER}`);
    expect(reason).toContain('sequence 3, dispatch.succeeded of worker the-worker');
  });

  it('leaves a child that failed open', () => {
    const failed = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'failed' } });
    const log = replaced(HAPPY, 'completed', { payload: { phase: 'child.failed', workerId: WORKER } });
    expect(verdicts(log, failed)[path]).toBe('inconclusive');
  });
});

describe('handoff.causation-chain', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['a beginning that points elsewhere', replaced(HAPPY, 'began', { by: 'start' })],
    ['a beginning without a cause', without(HAPPY, 'began').concat(transition('began', 'dispatch.began', 'x'))],
    ['a completion caused by the beginning', replaced(HAPPY, 'completed', { by: 'began' })],
    ['a completion caused by node.dispatched', replaced(HAPPY, 'completed', { by: 'node' })],
    ['a harvest caused by the last event', replaced(HAPPY, 'harvested', { by: 'mapped' })],
    ['a harvest that skips the completion', replaced(HAPPY, 'harvested', { by: 'succeeded' })],
    ['a cause that is no event', replaced(HAPPY, 'succeeded', { by: 'evt-nobody' })],
    ['a cause that is its own', replaced(HAPPY, 'succeeded', { by: 'succeeded' })],
    ['no decision at all', without(HAPPY, 'decision', 'end')],
    ['no beginning', without(HAPPY, 'began')],
    ['a phase of its own before the first that no decision caused', pending('start')],
  ])('fails with %s', (_, log) => {
    expect(verdicts(log)[chain]).toBe('fail broken-chain');
  });

  it('locates the link that is broken', () => {
    expect(reasonOf(chain, replaced(HAPPY, 'harvested', { by: 'start' }))).toBe(
      `sequence 7, output.harvested of worker ${WORKER}: causationId is the eventId of child.completed (run-parent-5, sequence 5)` +
        ` | sequence 7, output.harvested of worker ${WORKER}: causationId is run-parent-0 (sequence 0, run.started) | `,
    );
    expect(reasonOf(chain, replaced(HAPPY, 'began', { by: 'evt-nobody' }))).toContain(
      'evt-nobody, which is no event of this log',
    );
    const odd = handoffRun(HAPPY).events.map((event) =>
      JSON.stringify(event).includes('dispatch.succeeded')
        ? { ...(event as object), causationId: { eventId: 'e' } }
        : event,
    );
    const judgement = happy.judge([handoffRun(HAPPY, { events: odd }), child], OPTIONS)[1];
    expect(judgement?.actual).toContain('causationId is {"eventId":"e"}, which is no text');
    expect(judgement?.restsOn).toBeUndefined();
  });

  it('rests where no causationId of all transitions is a text', () => {
    const events = handoffRun(HAPPY).events.map((each): Json => ({ ...Object(each), causationId: 7 }));
    const judgement = judgementIn(happy, chain, [handoffRun(HAPPY, { events }), child]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-event' });
  });

  it('leads nowhere where events share an id', () => {
    const same = handoffRun(HAPPY).events.map((each) => ({ ...(each as object), eventId: 'e', causationId: 'e' }));
    const judgement = happy.judge([handoffRun(HAPPY, { events: same }), child], OPTIONS)[1];
    expect(judgement).toMatchObject({ check: chain, verdict: 'inconclusive', restsOn: 'schema.run-event' });
    expect(judgement?.reason).toContain('share their eventId');
  });

  it('has nothing to follow where there is at most a beginning', () => {
    expect(verdicts(without(HAPPY, 'succeeded', 'completed', 'harvested'))[chain]).toBe('inconclusive');
  });
});

describe('handoff.harvest-exactly-when', () => {
  it('fails where a completed child is not harvested, or twice', () => {
    expect(verdicts(without(HAPPY, 'harvested'))[harvest]).toBe('fail wrong-harvest');
    const twice = after(HAPPY, 'harvested', transition('again', 'output.harvested', 'completed'));
    expect(verdicts(twice)[harvest]).toBe('fail wrong-harvest');
  });

  it.each([
    ['succeeded', []],
    ['COMPLETED', []],
    ['done', childRun().events],
  ])('reads the status %s of a child as the word of the host, beside its log', (status, events) => {
    const worded = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status }, events });
    expect(verdicts(without(HAPPY, 'completed'), worded)[harvest]).toBe('pass');
    expect(verdicts(without(HAPPY, 'completed', 'harvested'), worded)[harvest]).toBe('fail wrong-harvest');
  });

  it('goes by the log of the parent where a child shows no end that is known', () => {
    const worded = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'done' }, events: [] });
    expect(verdicts(HAPPY, worded)[harvest]).toBe('pass');
    expect(verdicts(without(HAPPY, 'completed'), worded)[harvest]).toBe('inconclusive');
  });

  it('leaves open whether a child completed that nobody shows', () => {
    const hidden = childRun({ answered: 403, snapshot: null, problem: 'it was answered with 403' });
    expect(verdicts(without(HAPPY, 'completed'), hidden)[harvest]).toBe('inconclusive');
  });
});

describe('handoff.output-mapping', () => {
  const bare = { snapshot: null } as const;

  it('fails where the value is not there, or came after the next decision', () => {
    const unmapped = { snapshot: { variables: { parentResult: '' } } };
    const seen = [handoffRun(without(HAPPY, 'mapped'), unmapped), child];
    expect(verdictOf(happy, mapping, seen)).toBe('fail output-not-mapped');
    // A snapshot that says something else than its log is another row's matter.
    expect(verdictOf(happy, mapping, [handoffRun(HAPPY, unmapped), child])).toBe('pass');
    const late = after(without(HAPPY, 'mapped'), 'end', changed('mapped', 'parentResult', 'handoff-complete'));
    expect(verdicts(late)[mapping]).toBe('fail output-mapped-late');
    const inOtherWords = { name: 'parentResult', previous: '', next: 'handoff-complete' };
    const event = { as: 'mapped', type: 'variable.changed', payload: inOtherWords };
    expect(verdicts(after(without(HAPPY, 'mapped'), 'end', event))[mapping]).toBe('fail output-mapped-late');
    const otherBefore = after(late, 'completed', changed('default', 'parentResult', ''));
    expect(verdicts(otherBefore)[mapping]).toBe('fail output-mapped-late');
    const harvestedLate = after(without(HAPPY, 'mapped', 'harvested'), 'end', {
      ...transition('harvested', 'output.harvested', 'completed'),
    });
    expect(verdicts(harvestedLate)[mapping]).toBe('fail output-mapped-late');
  });

  it('asks nothing of a child that did not complete, and rests on the path where there is none', () => {
    const unmapped = handoffRun(without(HAPPY, 'mapped', 'harvested', 'completed'), {
      snapshot: { variables: { parentResult: '' } },
    });
    const failed = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'failed' } });
    expect(verdictOf(happy, mapping, [unmapped, failed])).toBe('inconclusive');
    expect(verdictOf(happy, mapping, [unmapped, child])).toBe('fail output-not-mapped');
    const nothing = ['began', 'succeeded', 'node', 'completed', 'mapped', 'harvested'] as const;
    const none = handoffRun(without(HAPPY, ...nothing), { snapshot: { variables: { parentResult: '' } } });
    expect(judgementIn(happy, mapping, [none])).toMatchObject({ restsOn: path });
  });

  it('reads the log where the snapshot shows no variables', () => {
    expect(verdictOf(happy, mapping, [handoffRun(HAPPY, bare), child])).toBe('pass');
  });

  it('takes what the child shows for what is mapped', () => {
    const other = childRun({ snapshot: { runId: CHILD, variables: { childOutcome: 'something else' } } });
    expect(verdicts(HAPPY, other)[mapping]).toBe('fail output-not-mapped');
  });

  it.each<readonly [string, readonly Entry[], object]>([
    ['the value is shown nowhere', without(HAPPY, 'mapped'), bare],
    ['there is no decision afterwards', without(HAPPY, 'end'), {}],
    ['no event tells when', without(HAPPY, 'mapped', 'harvested'), {}],
  ])('is open where %s', (_, log, more) => {
    expect(verdictOf(happy, mapping, [handoffRun(log, more), child])).toBe('inconclusive');
  });
});

describe('handoff.causation-chain', () => {
  it('is what chains rest on in which no transition says what caused it', () => {
    const uncaused = handoffRun(HAPPY);
    const events = uncaused.events.map((event): Json => ({ ...Object(event), causationId: null }));
    const seen = [Object.assign(uncaused, { events }), child];
    expect(judgementIn(happy, chain, seen)).toMatchObject({ verdict: 'fail', restsOn: chain });
  });
});

describe('handoff.loop', () => {
  it('rests on the path where the run failed before anything was decided', () => {
    const failed = [entryOf('start', 'run.started'), entryOf('over', 'run.failed')];
    expect(judgementIn(happy, loop, [handoffRun(failed)])).toMatchObject({ restsOn: path });
  });

  it.each<readonly [string, readonly Entry[]]>([
    ['a decision twice', after(HAPPY, 'decision', decided('again', 'next-worker', [WORKER]))],
    ['a decision missing', without(HAPPY, 'decision')],
    ['no terminate', without(HAPPY, 'end')],
    ['a decision behind terminate', after(HAPPY, 'end', decided('more', 'next-worker', [WORKER]))],
    ['a dispatch behind terminate', after(HAPPY, 'end', transition('more', 'dispatch.began', 'end'))],
    ['a decision without a kind', replaced(HAPPY, 'end', { payload: null })],
  ])('fails with %s', (_, log) => {
    expect(verdicts(log)[loop]).toBe('fail wrong-turns');
  });

  it('says how the run ended where it did not complete', () => {
    const failed = replaced(HAPPY, 'over', { type: 'run.failed' });
    expect(verdicts(failed)[loop]).toBe('pass');
    expect(reasonOf(loop, failed)).toContain('the run ended failed');
  });
});

/** Events that all name another run. */
function renamed(events: readonly Json[]): readonly Json[] {
  return events.map((event): Json => ({ ...Object(event), runId: 'run_z' }));
}

const OVER = entryOf('over', 'run.completed');

function childOf(workflowId: string) {
  return childRun({ snapshot: { runId: CHILD, workflowId, status: 'completed' } });
}

describe('handoff.child-is-a-run', () => {
  it.each<readonly [string, Parameters<typeof childRun>[0]]>([
    ['is not there', { answered: 404, snapshot: null, problem: 'it was answered with 404' }],
    ['has a log without an end', { ...child, events: [] }],
    ["has its parent's log", { ...child, events: handoffRun(HAPPY).events }],
  ])('fails where the child %s', (_, more) => {
    expect(verdicts(HAPPY, childRun(more))[isRun]).toBe('fail child-is-no-run');
  });

  it.each<readonly [string, object]>([
    ['has no runId', { workflowId: HANDOFF_CHILD, status: 'completed' }],
    ['is a run of another workflow', { runId: CHILD, workflowId: 'x', status: 'completed' }],
    ['ended otherwise', { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'failed' }],
  ])('says what the child is shown as where it %s', (_, snapshot) => {
    expect(verdicts(HAPPY, childRun({ snapshot: snapshot as Json }))[isRun]).toBe('fail child-shown-otherwise');
  });

  it.each([
    ['fail child-shown-otherwise', CHILD],
    ['pass', PARENT],
    ['pass', null],
    ['inconclusive', 'a-run-between'],
  ])('is a %s where the snapshot of the child names as its parent %s', (wanted, parentRunId) => {
    const snapshot = { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'completed', parentRunId };
    expect(verdicts(HAPPY, childRun({ snapshot }))[isRun]).toBe(wanted);
  });

  it.each([
    ['fail child-shown-otherwise', 404],
    ['inconclusive', 200],
    ['inconclusive', 403],
    ['inconclusive', null],
  ])('is a %s where the parent that the child names is answered with %s', (wanted, parentAnswered) => {
    const snapshot = { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'completed', parentRunId: 'a-run-between' };
    expect(verdicts(HAPPY, childRun({ snapshot, parentAnswered }))[isRun]).toBe(wanted);
  });

  it('rests where no event of parent and child names its own run', () => {
    const parent = handoffRun(HAPPY);
    const foreign = childRun({ ...child, events: renamed(child.events) });
    const [ofItself, alike] = [parent, { ...parent, events: renamed(parent.events) }].map((run) =>
      judgementIn(happy, isRun, [run, foreign]),
    );
    expect(ofItself).toMatchObject({ verdict: 'fail', actual: '"run_z"' });
    expect(ofItself?.restsOn).toBeUndefined();
    expect(alike).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-event.wire' });
  });

  it('may name the version of its workflow', () => {
    expect(verdicts(HAPPY, childOf(`${HANDOFF_CHILD}@1.0.0`))[isRun]).toBe('pass');
    expect(verdicts(HAPPY, childOf(`${HANDOFF_CHILD}-1.0.0`))[isRun]).toBe('fail child-shown-otherwise');
  });

  it("may end with a status that is the host's own word", () => {
    const succeeded = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'succeeded' } });
    expect(verdicts(HAPPY, succeeded)[isRun]).toBe('pass');
  });

  it('rests where the snapshot of the child has no status', () => {
    const other = childRun({ snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD } });
    const judgement = judgementIn(happy, isRun, [handoffRun(HAPPY), other]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-snapshot' });
  });

  it.each([
    { workflowId: HANDOFF_CHILD, status: 'completed' },
    { runId: CHILD, workflowId: null, status: 'completed' },
  ])('rests where the snapshot of the child does not name itself: %j', (snapshot) => {
    const judgement = judgementIn(happy, isRun, [handoffRun(HAPPY), childRun({ snapshot })]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-snapshot.wire' });
  });

  it("rests where the snapshot of the child names another workflow if its parent's does, too", () => {
    const other = childRun({ snapshot: { runId: CHILD, workflowId: 'x', status: 'completed' } });
    const [alone, alike] = ['parent', 'x'].map((workflowId) =>
      judgementIn(happy, isRun, [handoffRun(HAPPY, { workflowId }), other]),
    );
    expect(alone).toMatchObject({ verdict: 'fail' });
    expect(alone?.restsOn).toBeUndefined();
    expect(alike).toMatchObject({ verdict: 'fail', restsOn: 'schema.run-snapshot.wire' });
  });

  it.each([null, [], 'text'])('rests where the snapshot of the child is no object, but %j', (snapshot) => {
    const judgement = judgementIn(happy, isRun, [handoffRun(HAPPY), childRun({ ...child, snapshot })]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'run.created' });
    expect(judgement?.actual).toBe('200 with a body that is no JSON object');
  });

  it('fails where the child is its parent', () => {
    const log = JSON.parse(JSON.stringify(HAPPY).replaceAll(CHILD, PARENT)) as readonly Entry[];
    expect(verdicts(log, childRun({ runId: PARENT }))[isRun]).toBe('fail child-is-no-run');
  });

  const nowhere = { sse: 404, json: 404, poll: 404 };
  const unread = { ...child, events: [], problem: 'GET /v1/runs/x/events/poll answered 404' };

  it.each<readonly [string, string, unknown]>([
    ['fails', 'fail child-is-no-run', { own: nowhere, parents: { sse: 200, json: 200, poll: 200 } }],
    ['fails by one way', 'fail child-is-no-run', { own: nowhere, parents: { sse: 200, json: 404, poll: 404 } }],
    ['is open', 'inconclusive', { own: { ...nowhere, poll: 403 }, parents: { ...nowhere, poll: 200 } }],
    ['is open', 'inconclusive', { own: { ...nowhere, sse: 200 }, parents: { sse: 200, json: 200, poll: 200 } }],
    ['is open', 'inconclusive', { own: { sse: null, json: null, poll: null }, parents: { sse: 200, json: 200 } }],
    ['is open', 'inconclusive', { own: nowhere, parents: nowhere }],
    ['is open', 'inconclusive', { own: null, parents: 3 }],
    ['is open', 'inconclusive', undefined],
  ])('%s where its log is nowhere: %s, %j', (_, wanted, logs) => {
    expect(verdicts(HAPPY, childRun({ ...unread, logs } as object))[isRun]).toBe(wanted);
  });

  it("fails where the child's nodes are carried out in the parent's log", () => {
    const node = { ...entryOf('inside', 'node.started'), nodeId: 'work' };
    expect(verdicts(after(HAPPY, 'node', node))[isRun]).toBe('fail child-is-no-run');
    expect(verdicts(after(without(HAPPY, 'began', 'completed'), 'node', node))[isRun]).toBe('fail child-is-no-run');
  });

  it.each(['start', 'harvested', 'end'])('passes where every run carries out a node of one name: after %s', (place) => {
    const node = { ...entryOf('every run', 'node.started'), nodeId: '__trigger__' };
    const ofChild = childRun({ ...child, events: eventsOf([entryOf('s', 'run.started'), node, OVER], CHILD) });
    expect(verdicts(after(HAPPY, place, node), ofChild)[isRun]).toBe('pass');
  });

  it.each<readonly [string, string]>([
    ['failed', 'completed'],
    ['cancelled', 'completed'],
  ])('rests on the path where child.%s is reported of a child that %s', (told, status) => {
    const log = replaced(HAPPY, 'completed', { payload: { phase: `child.${told}`, workerId: WORKER } });
    const snapshot = { runId: CHILD, workflowId: HANDOFF_CHILD, status };
    const { red, open } = settled([happy, [handoffRun(log), childRun({ ...child, snapshot })]]);
    expect(red).toContain(path);
    expect(red).not.toContain(isRun);
    expect(open).toContain(`${isRun} <- ${path}`);
  });

  it('fails where a child that failed is reported as completed', () => {
    const failed = childRun({
      snapshot: { runId: CHILD, workflowId: HANDOFF_CHILD, status: 'failed' },
      events: eventsOf([entryOf('s', 'run.started'), entryOf('over', 'run.failed')], CHILD),
    });
    expect(settled([happy, [handoffRun(HAPPY), failed]]).red).toEqual([isRun]);
  });

  it.each<readonly [string, Parameters<typeof childRun>[0]]>([
    ['may not be read', { answered: 403, snapshot: null, problem: 'it was answered with 403' }],
    ['was not seen to its end', { ...child, events: [], problem: 'the run has not ended' }],
    ['is another one', { runId: 'run-of-somebody' }],
  ])('is open where the child %s', (_, more) => {
    expect(verdicts(HAPPY, childRun(more))[isRun]).toBe('inconclusive');
  });

  it('is open where nothing names the child, or nothing was dispatched', () => {
    const log = JSON.parse(JSON.stringify(HAPPY).replaceAll('childRunId', 'unnamed')) as readonly Entry[];
    expect(verdicts(log)[isRun]).toBe('inconclusive');
    expect(verdicts(HAPPY.slice(0, 1))[isRun]).toBe('inconclusive');
  });
});

/** A run of a workflow of one node. */
function ofOneNode(nodeId: string): readonly Entry[] {
  const started = { ...entryOf('node', 'node.started', { nodeId }), nodeId };
  return [entryOf('start', 'run.started'), started, entryOf('over', 'run.completed')];
}

describe('a run of another workflow under the name of the fixture', () => {
  it('decides nothing', () => {
    expect(new Set(Object.values(verdicts(ofOneNode('noop'))))).toEqual(new Set(['inconclusive']));
    expect(reasonOf(path, ofOneNode('noop'))).toContain(
      'names nodes of another workflow, ["noop"]; seed its definition',
    );
  });

  it.each(['supervisor', 'main/dispatch'])('is none where a node is %s', (nodeId) => {
    expect(verdicts(ofOneNode(nodeId))[path]).toBe('fail wrong-path');
  });

  it('is none where its log names no node', () => {
    expect(verdicts([entryOf('start', 'run.started'), entryOf('over', 'run.completed')])[path]).toBe('fail wrong-path');
  });
});

describe('a run that was not seen', () => {
  it.each(CHECKS)('leaves %s open', (check) => {
    expect(verdictOf(happy, check, [unfinished(handoffRun(HAPPY))])).toBe('inconclusive');
    expect(verdictOf(happy, check, [])).toBe('inconclusive');
  });

  it('throws at nothing that evidence may hold', () => {
    const odd = handoffRun(HAPPY, { events: [null, 3, { type: 'core.workflowChain.event' }, { __proto__: null }] });
    expect(() => happy.judge([odd, child], OPTIONS)).not.toThrow();
  });
});
