import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { judgementIn, verdictOf } from '../../test/recorded-runs.ts';
import {
  after,
  BOTH,
  CHILD,
  childRun,
  decided,
  type Entry,
  eventsOf,
  HAPPY,
  handoffRun,
  PARENT,
  RELAYED,
  SIDE_BY_SIDE,
  replaced,
  entryOf,
  transition,
  without,
  worker,
} from '../../test/handoff-runs.ts';
import { ECHO, HANDOFF_CHILD, SUB_WORKFLOW, TELLER, TWO_WORKERS } from './fixtures.ts';
import { nested, pair, relay, subWorkflow } from './whole-paths.ts';

function ofPair(log: readonly Entry[], workflowId = 'ours'): readonly [path: string, chain: string] {
  const seen = [handoffRun(log, { workflowId })];
  return [
    verdictOf(pair, 'handoff.happy-path.two-workers', seen),
    verdictOf(pair, 'handoff.causation-chain.two-workers', seen),
  ];
}

/** A log whose transitions do not say whose they are: their causes and children do. */
function unnamed(log: readonly Entry[]): readonly Entry[] {
  return log.map((entry) => ({ ...entry, payload: leftOut(entry.payload, 'workerId') }));
}

function leftOut(payload: Json | undefined, name: string): Json {
  return Object.fromEntries(Object.entries(payload ?? {}).filter(([each]) => each !== name));
}

/** What is said of the children of both workers of a decision, where these were read. */
function childrenOf(teller: Parameters<typeof childRun>[0], echo: Parameters<typeof childRun>[0]): string {
  const [, { workflowId, children = [] } = TWO_WORKERS[0]] = TWO_WORKERS;
  const [first = '', second = ''] = children;
  const read = (
    [
      ['teller', first, teller],
      ['echo', second, echo],
    ] as const
  ).map(([name, id, more]) => {
    const runId = `run-${name}`;
    return childRun({ runId, snapshot: { runId, workflowId: id, status: 'completed' }, ...more });
  });
  const log = JSON.stringify(BOTH)
    .replaceAll('"workerId":"teller"', `"workerId":"${first}"`)
    .replaceAll('"workerId":"echo"', `"workerId":"${second}"`);
  const entries = replaced(
    JSON.parse(log) as readonly Entry[],
    'decision',
    decided('decision', 'next-worker', children),
  );
  return verdictOf(pair, 'handoff.child-is-a-run.two-workers', [handoffRun(entries, { workflowId }), ...read]);
}

describe('the children of two workers of one decision', () => {
  const nowhere = { answered: 404, snapshot: null, problem: 'it was answered with 404' };
  const hidden = { answered: 403, snapshot: null, problem: 'it was answered with 403' };

  it('pass where each is a run', () => {
    expect(childrenOf({}, {})).toBe('pass');
  });

  it.each<readonly [string, Parameters<typeof childRun>[0], Parameters<typeof childRun>[0], string]>([
    ['the second is not there', {}, nowhere, 'fail child-is-no-run'],
    ['the first is not there', nowhere, {}, 'fail child-is-no-run'],
    ['the second is not there, and the first was not seen', hidden, nowhere, 'fail child-is-no-run'],
    ['the second was not seen', {}, hidden, 'inconclusive'],
    [
      'both are runs of the first',
      {},
      { snapshot: { runId: 'run-echo', workflowId: TELLER, status: 'completed' } },
      'fail child-shown-otherwise',
    ],
  ])('do not where %s', (_, teller, echo, wanted) => {
    expect(childrenOf(teller, echo)).toBe(wanted);
  });
});

describe('two workers of one decision', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['one after the other', BOTH],
    ['side by side', SIDE_BY_SIDE],
    ['the second behind the first one', replaced(BOTH, 'echo began', { by: 'teller harvested' })],
    ['one after the other, none of them named', unnamed(BOTH)],
    ['side by side, none of them named', unnamed(SIDE_BY_SIDE)],
  ])('pass %s', (_, log) => {
    expect(ofPair(log)).toEqual(['pass', 'pass']);
  });

  it.each<readonly [string, readonly Entry[], readonly [string, string]]>([
    ['only one went', BOTH.filter(({ as }) => !as.startsWith('echo')), ['fail wrong-path', 'inconclusive']],
    ['one was not harvested', without(BOTH, 'echo harvested'), ['fail wrong-path', 'pass']],
    [
      'one of two without a name was not harvested',
      unnamed(without(BOTH, 'echo harvested')),
      ['fail wrong-path', 'pass'],
    ],
    [
      'their chains are mixed up',
      replaced(BOTH, 'echo completed', { by: 'teller succeeded' }),
      ['pass', 'fail broken-chain'],
    ],
    [
      'the second follows the beginning of the first one',
      replaced(SIDE_BY_SIDE, 'echo began', { by: 'teller began' }),
      ['pass', 'fail broken-chain'],
    ],
    [
      'the second follows the first one before that is over',
      replaced(BOTH, 'echo began', { by: 'teller completed' }),
      ['pass', 'fail broken-chain'],
    ],
    ['the second begins anywhere', replaced(BOTH, 'echo began', { by: 'start' }), ['pass', 'fail broken-chain']],
  ])('do not where %s', (_, log, verdicts) => {
    expect(ofPair(log)).toEqual(verdicts);
  });
});

describe('two workers of the public workflow, which maps the outputs of one', () => {
  const [first] = TWO_WORKERS;

  it.each<readonly [string, readonly Entry[], string]>([
    ['one is harvested', without(BOTH, 'echo harvested'), 'pass'],
    ['both are harvested, which another row judges', BOTH, 'pass'],
    ['none is', without(BOTH, 'echo harvested', 'teller harvested'), 'inconclusive'],
    ['only one went', BOTH.filter(({ as }) => !as.startsWith('echo')), 'fail wrong-path'],
    ['one is not reported as dispatched', without(BOTH, 'echo succeeded', 'echo harvested'), 'fail wrong-path'],
  ])('are judged where %s', (_, log, verdict) => {
    expect(ofPair(log, first.workflowId)[0]).toBe(verdict);
  });
});

/** What is said of the public workflow with this log, its two children read. */
function ofPublicPair(log: readonly Entry[], ...statuses: readonly [teller?: string, echo?: string]) {
  const [{ workflowId, children = [] }] = TWO_WORKERS;
  const names = ['teller', 'echo'].map((name, index) => [name, children[index] ?? ''] as const);
  const text = names.reduce(
    (all, [name, id]) => all.replaceAll(`"workerId":"${name}"`, `"workerId":"${id}"`),
    JSON.stringify(log),
  );
  const decision = decided('decision', 'next-worker', children);
  const read = names.map(([name, id], index) =>
    childRun({ runId: `run-${name}`, snapshot: { workflowId: id, status: statuses[index] ?? 'completed' } }),
  );
  const seen = handoffRun(replaced(JSON.parse(text) as readonly Entry[], 'decision', decision), { workflowId });
  return judgementIn(pair, 'handoff.happy-path.two-workers', [seen, ...read]);
}

describe('two workers of the public workflow whose children are read', () => {
  const other = without(BOTH, 'teller harvested');

  it('pass where the first is harvested alone', () => {
    expect(ofPublicPair(without(BOTH, 'echo harvested'))).toMatchObject({ verdict: 'pass' });
    expect(ofPublicPair(unnamed(without(BOTH, 'echo harvested')))).toMatchObject({ verdict: 'pass' });
  });

  it('fail where the other is, whose outputs are not mapped', () => {
    expect(ofPublicPair(other)).toMatchObject({ verdict: 'fail' });
    expect(ofPublicPair(other).restsOn).toBeUndefined();
    expect(ofPublicPair(unnamed(other))).toMatchObject({ verdict: 'fail' });
    const both = { verdict: 'fail', restsOn: 'handoff.harvest-exactly-when.unmapped' };
    expect(ofPublicPair(BOTH)).toMatchObject(both);
  });

  it('stay open where none is, or where one failed', () => {
    expect(ofPublicPair(without(other, 'echo harvested')).verdict).toBe('inconclusive');
    expect(ofPublicPair(other, 'failed').verdict).toBe('inconclusive');
  });

  it('are not told by transitions that name one and children that are the other', () => {
    expect(ofPublicPair(other).verdict).toBe('fail');
    expect(ofPublicPair(misnamed(other)).verdict).toBe('pass');
  });
});

/** A log whose transitions each name the worker of the other one's. */
function misnamed(log: readonly Entry[]): readonly Entry[] {
  const names: Readonly<Record<string, string>> = { teller: 'echo', echo: 'teller' };
  return log.map((entry) => {
    const workerId = names[entry.as.split(' ')[0] ?? ''];
    return workerId === undefined ? entry : { ...entry, payload: { ...(entry.payload as object), workerId } };
  });
}

type Evidence = Parameters<typeof verdictOf>[2];

function ofRelay(check: string, ...seen: Evidence): string {
  return verdictOf(relay, `handoff.${check}`, seen);
}

const returned = (relayed: Json) => handoffRun(RELAYED, { snapshot: { variables: { relayed } } });

const given = (turn: number) => childRun({ snapshot: { workflowId: ECHO, variables: { turn } } });

describe('a relay', () => {
  const log = RELAYED;
  const snapshot = { variables: { shared: 'told-by-the-teller', relayed: 'told-by-the-teller' } };

  it('passes where the second worker heard the first one', () => {
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }))).toBe('pass');
    const heard = childRun({ snapshot: { workflowId: ECHO, variables: { heard: 'told-by-the-teller' } } });
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot: null }), heard)).toBe('pass');
    expect(ofRelay('loop.turns', handoffRun(log))).toBe('pass');
  });

  it('does not ask the first worker what it heard', () => {
    const first = childRun({ snapshot: { workflowId: 'teller', variables: { heard: '' } } });
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), first)).toBe('pass');
  });

  it('fails where it heard nothing, wherever that shows', () => {
    const silent = handoffRun(log, { snapshot: { variables: { relayed: '' } } });
    expect(ofRelay('output-mapping.relay', silent)).toBe('fail output-not-relayed');
    const deaf = childRun({ snapshot: { workflowId: ECHO, variables: { heard: '' } } });
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), deaf)).toBe('fail input-not-mapped');
    const versioned = childRun({ snapshot: { workflowId: `${ECHO}@2`, variables: { heard: '' } } });
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), versioned)).toBe('fail input-not-mapped');
    // One whose log shows that it heard it is shown otherwise.
    const echoed = { name: 'echoed', value: 'told-by-the-teller' };
    const said = eventsOf([{ ...entryOf('said', 'variable.changed'), payload: echoed }], CHILD);
    const misshown = childRun({ events: said, snapshot: { workflowId: ECHO, variables: { heard: 'x' } } });
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), misshown)).toBe('inconclusive');
    const unheard = handoffRun(log, { snapshot: { variables: { shared: '', relayed: '' } } });
    expect(ofRelay('output-mapping.relay', unheard, deaf)).toBe('fail output-not-mapped');
  });

  it('fails where it was not given the second value', () => {
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), given(0))).toBe('pass');
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot }), given(5))).toBe('fail output-not-relayed');
    const had = handoffRun(log, { snapshot: { variables: { ...snapshot.variables, rounds: 0 } } });
    expect(ofRelay('output-mapping.relay', had, given(5))).toBe('fail input-not-mapped');
  });

  it("takes what the second worker makes of that for its node kind's", () => {
    const variables = { heard: 'told-by-the-teller', echoed: {} };
    const own = childRun({ snapshot: { workflowId: ECHO, variables } });
    expect(ofRelay('output-mapping.relay', returned({}), own)).toBe('pass');
    expect(ofRelay('output-mapping.relay', returned('other'), own)).toBe('fail output-not-relayed');
    const silent = childRun({ snapshot: { workflowId: ECHO, variables: { echoed: {} } } });
    expect(ofRelay('output-mapping.relay', returned({}), silent)).toBe('fail output-not-relayed');
  });

  it('is open where nothing shows what it heard', () => {
    expect(ofRelay('output-mapping.relay', handoffRun(log, { snapshot: null }))).toBe('inconclusive');
  });

  const anonymous = log.map((each) =>
    each.type === 'runOrchestrator.decided' ? { ...each, payload: { decision: { kind: kindOf(each) } } } : each,
  );

  it.each<readonly [string, readonly Entry[]]>([
    ['its decision', log],
    ['its decision, which names no worker', anonymous],
    ['the last transition before it', replaced(log, 'echo began', { by: 'teller harvested' })],
    [
      'what the host adds to that',
      after(late(), 'teller harvested', transition('own', 'x-vendor.kept', 'teller harvested', { workerId: 'teller' })),
    ],
  ])('passes where its second turn follows %s', (_, entries) => {
    expect(ofRelay('causation-chain.turns', handoffRun(entries))).toBe('pass');
  });

  function late(): readonly Entry[] {
    return replaced(log, 'echo began', { by: 'own' });
  }

  it.each<readonly [string, readonly Entry[]]>([
    ['the first decision', replaced(log, 'echo began', { by: 'decision' })],
    ['the first decision, which names no worker', replaced(anonymous, 'echo began', { by: 'decision' })],
    ['the end of the first child', replaced(log, 'echo began', { by: 'teller completed' })],
  ])('fails where its second turn follows %s', (_, entries) => {
    expect(ofRelay('causation-chain.turns', handoffRun(entries))).toBe('fail broken-chain');
  });

  it('has no chain of a second turn where only one was taken', () => {
    const once = log.filter(({ as }) => !as.startsWith('echo'));
    expect(ofRelay('causation-chain.turns', handoffRun(once))).toBe('inconclusive');
  });

  it('fails where the turns have one decision in common', () => {
    expect(ofRelay('loop.turns', handoffRun(without(log, 'second')))).toBe('fail wrong-turns');
  });
});

function kindOf({ as }: Entry): string {
  return as === 'end' ? 'terminate' : 'next-worker';
}

function ofNested(...seen: Evidence): string {
  return verdictOf(nested, 'handoff.happy-path.nested', seen);
}

function chained(...seen: Evidence): string {
  return verdictOf(nested, 'handoff.causation-chain.nested', seen);
}

/** The worker of a worker. */
function grandchild(more: Parameters<typeof childRun>[0]): Evidence[number] {
  return childRun({ parent: 'inner handoff', runId: 'run-inner', ...more });
}

describe('a nested handoff', () => {
  const outer = { role: 'outer handoff' };
  const inner = (entries: readonly Entry[], more: object = {}) => {
    const text = JSON.stringify(entries).replaceAll(CHILD, 'run-inner').replaceAll(PARENT, CHILD);
    const events = eventsOf(JSON.parse(text) as readonly Entry[], CHILD);
    return childRun({ parent: outer.role, events, ...more });
  };

  it('passes where both logs tell their own', () => {
    expect(ofNested(handoffRun(HAPPY, outer), inner(HAPPY))).toBe('pass');
  });

  it('fails where the inner one is entry nowhere, or in the outer log only', () => {
    const plain = [entryOf('start', 'run.started'), entryOf('over', 'run.completed')];
    expect(ofNested(handoffRun(HAPPY, outer), inner(plain))).toBe('fail wrong-path');
    const mixed = after(HAPPY, 'node', ...worker('inner', 'decision'));
    expect(ofNested(handoffRun(mixed, outer), inner(plain))).toBe('fail wrong-path');
    expect(ofNested(handoffRun(without(HAPPY, 'harvested'), outer), inner(HAPPY))).toBe('fail wrong-path');
  });

  it('is read of the child where its dispatch names the parent instead, and rests where nothing else is named', () => {
    const itself = transition('succeeded', 'dispatch.succeeded', 'began', { childRunId: PARENT });
    const run = handoffRun(replaced(HAPPY, 'succeeded', itself), outer);
    const parent = childRun({ parent: outer.role, runId: PARENT, events: run.events });
    expect(ofNested(run, parent, inner(HAPPY))).toBe('pass');
    expect(ofNested(run, parent, inner(without(HAPPY, 'harvested')))).toBe('fail wrong-path');
    const alone = handoffRun(JSON.parse(JSON.stringify(HAPPY).replaceAll(CHILD, PARENT)) as readonly Entry[], outer);
    const judgement = judgementIn(nested, 'handoff.happy-path.nested', [alone, parent]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'handoff.child-is-a-run' });
  });

  it('has a chain of its own in each log', () => {
    const mixed = replaced(HAPPY, 'completed', { by: 'decision' });
    expect(chained(handoffRun(HAPPY, outer), inner(HAPPY))).toBe('pass');
    expect(chained(handoffRun(mixed, outer), inner(HAPPY))).toBe('fail broken-chain');
    expect(chained(handoffRun(HAPPY, outer), inner(mixed))).toBe('fail broken-chain');
    expect(chained(handoffRun(HAPPY, outer))).toBe('inconclusive');
  });

  it('decides once for each turn of its own', () => {
    const [right, untold, absent] = [[inner(HAPPY)], [inner(without(HAPPY, 'end'))], []].map((children) =>
      verdictOf(nested, 'handoff.loop.nested', [handoffRun(HAPPY, outer), ...children]),
    );
    expect([right, untold, absent]).toEqual(['pass', 'fail wrong-turns', 'inconclusive']);
  });

  it('names each its own parent', () => {
    const root = transition('began', 'dispatch.began', 'decision', { parentRunId: 'run-root' });
    const [right, wrong] = [HAPPY, replaced(HAPPY, 'began', root)].map((log) =>
      verdictOf(nested, 'handoff.payloads.nested', [handoffRun(HAPPY, outer), inner(log)]),
    );
    expect([right, wrong]).toEqual(['pass', 'fail payload-wrong-value']);
  });

  it.each<readonly [string, string, Evidence]>([
    [
      'passes',
      'pass',
      [grandchild({ snapshot: { runId: 'run-inner', workflowId: HANDOFF_CHILD, status: 'completed' } })],
    ],
    [
      'fails',
      'fail child-is-no-run',
      [grandchild({ answered: 404, snapshot: null, problem: 'it was answered with 404' })],
    ],
    ['is open', 'inconclusive', [grandchild({ answered: 403, snapshot: null, problem: 'it was answered with 403' })]],
    ['is open', 'inconclusive', []],
  ])("%s by what is read of the worker's worker: %s", (_, wanted, read) => {
    const seen = [handoffRun(HAPPY, outer), inner(HAPPY), ...read];
    expect(verdictOf(nested, 'handoff.child-is-a-run.nested', seen)).toBe(wanted);
    expect(ofNested(...seen)).toBe('pass');
  });

  it('is open where the child was not seen, or is not named', () => {
    expect(ofNested(handoffRun(HAPPY, outer))).toBe('inconclusive');
    const unread = inner(HAPPY, { problem: 'the run has not ended' });
    expect(ofNested(handoffRun(HAPPY, outer), unread)).toBe('inconclusive');
    const hidden = inner(HAPPY, { answered: 404, problem: 'it was answered with 404' });
    expect(judgementIn(nested, 'handoff.loop.nested', [handoffRun(HAPPY, outer), hidden])).toMatchObject({
      restsOn: 'handoff.child-is-a-run',
      reason: expect.stringContaining('GET /v1/runs/{childRunId} answered 404 for'),
    });
  });
});

function ofSubWorkflow(run: Evidence[number], row = 'happy-path'): string {
  return verdictOf(subWorkflow, `handoff.${row}.sub-workflow`, [run]);
}

describe('a sub-workflow', () => {
  const role = { role: 'sub-workflow' };
  const log = replaced(without(HAPPY, 'decision', 'end'), 'began', { by: 'start' });

  it('goes the whole way without a decision', () => {
    expect(ofSubWorkflow(handoffRun(log, role))).toBe('pass');
    expect(ofSubWorkflow(handoffRun(without(log, 'harvested'), role))).toBe('fail wrong-path');
    expect(ofSubWorkflow(handoffRun(log, { ...role, problem: 'the request was answered with 422' }))).toBe(
      'inconclusive',
    );
  });
});

describe('the causes of a sub-workflow', () => {
  const role = { role: 'sub-workflow' };
  const log = without(HAPPY, 'decision', 'end');
  const verdict = (entries: readonly Entry[]): string => ofSubWorkflow(handoffRun(entries, role), 'causation-chain');

  it.each(['start', 'nothing'])('may begin with %s', (by) => {
    expect(verdict(replaced(log, 'began', { by }))).toBe('pass');
  });

  it.each<readonly [string, string]>([
    ['succeeded', 'start'],
    ['completed', 'began'],
    ['harvested', 'nothing'],
  ])('are broken where %s follows %s', (name, by) => {
    expect(verdict(replaced(log, name, { by }))).toBe('fail broken-chain');
  });

  it('are open where there is nothing to follow', () => {
    expect(verdict(without(log, 'succeeded', 'completed', 'harvested'))).toBe('inconclusive');
  });
});

/** What is said of the payloads of this log, of the public workflow and of ours. */
function payloadsOf(log: readonly Entry[]): readonly string[] {
  return SUB_WORKFLOW.map(({ workflowId }) => ofSubWorkflow(subRun(log, workflowId), 'payloads'));
}

describe('the payloads of a sub-workflow', () => {
  const log = without(HAPPY, 'decision', 'end');
  const harvesting = (...harvestedKeys: readonly string[]) =>
    replaced(log, 'harvested', transition('harvested', 'output.harvested', 'completed', { harvestedKeys }));

  it('name the parent and the keys of its outputMapping, which are others in each workflow', () => {
    expect(payloadsOf(harvesting('childResult'))).toEqual(['pass', 'fail payload-wrong-value']);
    expect(payloadsOf(harvesting('shared'))).toEqual(['fail payload-wrong-value', 'pass']);
    const other = replaced(log, 'began', transition('began', 'dispatch.began', 'start', { parentRunId: 'run-other' }));
    expect(payloadsOf(other)).toEqual(['fail payload-wrong-value', 'fail payload-wrong-value']);
  });
});

describe('the output of a sub-workflow', () => {
  const log = without(HAPPY, 'decision', 'end', 'mapped');
  const holding = (variables: { readonly [name: string]: Json }, entries = log): readonly string[] =>
    SUB_WORKFLOW.map(({ workflowId }) =>
      ofSubWorkflow(
        handoffRun(entries, { workflowId, role: 'sub-workflow', snapshot: { variables } }),
        'output-mapping',
      ),
    );

  it('is the value that was mapped, whether transitions are told or not', () => {
    const right = { childOutcome: 'child-completed', shared: 'told-by-the-teller' };
    expect(holding(right)).toEqual(['pass', 'pass']);
    expect(holding(right, [entryOf('start', 'run.started'), entryOf('over', 'run.completed')])[0]).toBe('pass');
    const wrong = 'fail output-not-mapped';
    expect(holding({ childOutcome: '', shared: '' })).toEqual([wrong, wrong]);
    expect(holding({})).toEqual(['inconclusive', 'inconclusive']);
  });
});

describe('the payloads of two turns', () => {
  it('may name a worker on which a decision does not say that it is', () => {
    const other = replaced(
      RELAYED,
      'echo began',
      transition('echo began', 'dispatch.began', 'second', { workerId: 'nobody' }),
    );
    const untold = replaced(RELAYED, 'second', decided('second', 'next-worker'));
    const said = [RELAYED, other, untold].map((log) => verdictOf(relay, 'handoff.payloads.turns', [handoffRun(log)]));
    expect(said).toEqual(['pass', 'fail payload-wrong-value', 'pass']);
    expect(verdictOf(relay, 'handoff.causation-chain.turns', [handoffRun(untold)])).toBe('pass');
  });
});

describe('the payloads of two workers', () => {
  it('name each its own', () => {
    const more = { workerId: 'teller', childRunId: 'run-echo' };
    const mixed = replaced(BOTH, 'echo completed', transition('', 'child.completed', 'echo succeeded', more));
    const said = [BOTH, mixed].map((log) => verdictOf(pair, 'handoff.payloads.two-workers', [handoffRun(log)]));
    expect(said).toEqual(['pass', 'fail payload-wrong-value']);
  });
});

/** A log of two workers whose second harvest names these keys. */
function keyed(workflowId: string, log: readonly Entry[], harvestedKeys: readonly string[]): Evidence[number] {
  const payload = { phase: 'output.harvested', workerId: 'echo', childRunId: 'run-echo', harvestedKeys };
  return handoffRun(replaced(log, 'echo harvested', { payload }), { workflowId });
}

function harvestedInTurns(...keys: readonly string[]): string {
  return verdictOf(relay, 'handoff.payloads.turns', [keyed('ours', RELAYED, keys)]);
}

function harvestedOfTwo(key: string): string {
  return verdictOf(pair, 'handoff.payloads.two-workers', [keyed('ours', BOTH, [key])]);
}

describe('the keys of several harvests', () => {
  it('are mapped ones, all or some, under the names of the parent or of the child', () => {
    expect([harvestedInTurns('relayed'), harvestedInTurns('echoed', 'told', 'rounds')]).toEqual(['pass', 'pass']);
    const wrong = 'fail payload-wrong-value';
    const others = [harvestedInTurns('nothing'), harvestedInTurns('relayed', 'other'), harvestedInTurns()];
    expect(others).toEqual([wrong, wrong, wrong]);
    expect([harvestedOfTwo('relayed'), harvestedOfTwo('rounds')]).toEqual(['pass', wrong]);
  });
});

function subRun(log: readonly Entry[], workflowId: string): Evidence[number] {
  return handoffRun(log, { workflowId, role: 'sub-workflow' });
}

describe('a sub-workflow', () => {
  const [theirs, ours] = SUB_WORKFLOW.map(({ workflowId }) => workflowId) as [string, string];
  const silent = [entryOf('start', 'run.started'), entryOf('over', 'run.completed')];

  it.each([theirs, ours])('may go without transitions, as no decision asks for one: %s', (workflowId) => {
    for (const row of ['happy-path', 'causation-chain', 'payloads']) {
      expect(ofSubWorkflow(subRun(silent, workflowId), row)).toBe('not-applicable');
    }
  });

  it('is open where it did not complete, or what it tells is no transition as it stands', () => {
    const failed = [entryOf('start', 'run.started'), entryOf('over', 'run.failed')];
    expect(ofSubWorkflow(subRun(failed, theirs))).toBe('inconclusive');
    const told = entryOf('told', 'core.workflowChain.event');
    const [start = told, end = told] = silent;
    expect(ofSubWorkflow(subRun([start, told, end], theirs))).not.toBe('not-applicable');
  });

  it('goes the whole way where it tells of any', () => {
    expect(ofSubWorkflow(subRun(without(HAPPY, 'decision', 'end'), theirs))).toBe('pass');
    expect(ofSubWorkflow(subRun(without(HAPPY, 'decision', 'end', 'succeeded'), theirs))).toBe('fail wrong-path');
  });
});
