import { describe, expect, it } from 'vitest';
import {
  after,
  BOTH,
  childRun,
  type Entry,
  HAPPY,
  handoffRun,
  RELAYED,
  SIDE_BY_SIDE,
  replaced,
  transition,
  without,
  worker,
  WORKER,
} from '../../test/handoff-runs.ts';
import type { Json } from '../../src/evidence/types.ts';
import { judgementIn } from '../../test/recorded-runs.ts';
import { type Driven, settled } from '../../test/settled.ts';
import { HANDOFF_CHILD } from './fixtures.ts';
import { happy, pair, relay } from './whole-paths.ts';

const [path, chain] = ['handoff.happy-path', 'handoff.causation-chain'] as const;
const child = childRun({ snapshot: { ...(childRun().snapshot as object), workflowId: HANDOFF_CHILD } });

function ofHappy(log: readonly Entry[]) {
  return settled([happy, [handoffRun(log), child]]);
}

/** The happy path without one of its transitions, the one behind it caused by the one before. */
function leavingOut(name: string, behind: string, before: string): readonly Entry[] {
  return replaced(without(HAPPY, name), behind, { by: before });
}

/** The happy path, its harvest directly behind its begin. */
function harvestedFirst(more: Partial<Entry> = {}): readonly Entry[] {
  const [start, decision, began, succeeded, node, completed, mapped, , ...end] = HAPPY as [Entry, ...Entry[]];
  const harvested = transition('harvested', 'output.harvested', 'began', { harvestedKeys: ['parentResult'] });
  const rest = [began, harvested, succeeded, node, completed, mapped, ...end];
  return replaced([start, decision, ...rest] as readonly Entry[], 'succeeded', { by: 'harvested', ...more });
}

describe('a transition that is missing or out of order', () => {
  it.each<readonly [string, readonly Entry[]]>([
    ['no begin', leavingOut('began', 'succeeded', 'decision')],
    ['no begin, and a cause that is in no log', without(HAPPY, 'began')],
    ['the harvest first', harvestedFirst()],
  ])('is red in the row about the path alone: %s', (_, log) => {
    expect(ofHappy(log)).toEqual({ red: [path], open: [`${chain} <- ${path}`] });
  });

  it.each<readonly [string, readonly Entry[]]>([
    [
      'no begin, and a completion caused by the decision',
      replaced(without(HAPPY, 'began'), 'completed', { by: 'decision' }),
    ],
    ['the harvest first, and a success caused by the start', harvestedFirst({ by: 'start' })],
  ])('hides no link that is broken beside it: %s', (_, log) => {
    expect(ofHappy(log)).toEqual({ red: [path, chain], open: [] });
  });

  it('is not caused by a decision that stands behind it', () => {
    const [start, decision, began, ...rest] = HAPPY as [Entry, Entry, Entry, ...Entry[]];
    expect(ofHappy([start, began, decision, ...rest])).toEqual({ red: [chain], open: [] });
  });

  it('is not what breaks a link of a handoff that keeps to its path', () => {
    expect(ofHappy(replaced(HAPPY, 'completed', { by: 'began' }))).toEqual({ red: [chain], open: [] });
    expect(ofHappy(replaced(HAPPY, 'succeeded', { by: 'nobody' }))).toEqual({ red: [chain], open: [] });
  });
});

describe('a completed child that is not harvested, or more than once', () => {
  const [harvest, mapping] = ['handoff.harvest-exactly-when', 'handoff.output-mapping'] as const;
  const empty = { snapshot: { variables: { parentResult: '' } } };
  const again = transition('again', 'output.harvested', 'harvested', { harvestedKeys: ['parentResult'] });

  it('is red in the row about the harvest alone', () => {
    const unharvested = without(HAPPY, 'harvested', 'mapped');
    expect(settled([happy, [handoffRun(unharvested, empty), child]])).toEqual({
      red: [harvest],
      open: [`${path} <- ${harvest}`, `${mapping} <- ${harvest}`],
    });
    expect(ofHappy(after(HAPPY, 'harvested', again))).toEqual({
      red: [harvest],
      open: [`${path} <- ${harvest}`, `${chain} <- ${harvest}`],
    });
  });

  it('is red in the row about the path where no harvest was due', () => {
    const unfinished = without(HAPPY, 'harvested', 'completed');
    const hidden = childRun({ snapshot: null, events: [], problem: 'it was answered with 403', answered: 403 });
    const { red } = settled([happy, [handoffRun(unfinished), hidden]]);
    expect(red).toEqual([path]);
  });

  it('hides nothing else that is wrong with the path', () => {
    expect(ofHappy(leavingOut('succeeded', 'completed', 'began').filter(({ as }) => as !== 'harvested')).red).toEqual([
      path,
      harvest,
    ]);
  });

  it('is not why a value is missing that was harvested', () => {
    expect(settled([happy, [handoffRun(without(HAPPY, 'mapped'), empty), child]]).red).toEqual([mapping]);
  });

  it('of a worker of several turns rests there, where the harvest of the public fixture is wrong, too', () => {
    const turns = handoffRun(RELAYED, { snapshot: { variables: { relayed: '' } } });
    const relayed = 'handoff.output-mapping.relay';
    expect(settled([relay, [turns]]).red).toEqual([relayed]);
    const unharvested = handoffRun(without(RELAYED, 'teller harvested'), { snapshot: { variables: { relayed: '' } } });
    const unmapped: Driven = [happy, [handoffRun(without(HAPPY, 'harvested', 'mapped'), empty), child]];
    const { red, open } = settled([relay, [unharvested]]);
    expect(red).toEqual(['handoff.happy-path.turns']);
    expect(open).toContain(`${relayed} <- handoff.happy-path.turns`);
    expect(settled([relay, [turns]], unmapped).red).toEqual([relayed, harvest]);
    expect(settled([relay, [unharvested]], unmapped).red).toEqual([harvest]);
  });
});

describe('a member of another type', () => {
  it('is red in the row about the path alone where no transition says which it is', () => {
    const log = HAPPY.map((entry) => ({ ...entry, payload: { ...(entry.payload as object), phase: 7 } }));
    const { red, open } = ofHappy(log);
    expect(red).toEqual([path]);
    expect(open).toContain(`handoff.harvest-exactly-when <- ${path}`);
  });

  it.each<readonly [string, Json]>([
    ['decision.kind: 7', { agentId: 'agent', decision: { kind: 7 } }],
    ['decision: 7', { agentId: 'agent', decision: 7 }],
  ])('is red in the row about the loop alone, which says it: %s', (said, payload) => {
    const log = replaced(HAPPY, 'end', { payload });
    const { red, open } = ofHappy(log);
    expect(red).toEqual(['handoff.loop']);
    expect(open).toEqual(['handoff.payloads <- handoff.loop']);
    const { actual } = judgementIn(happy, 'handoff.loop', [handoffRun(log), child]);
    expect(actual).toContain(`runOrchestrator.decided (${said})`);
  });
});

describe('a worker that is dispatched behind terminate', () => {
  const [loop, payloads] = ['handoff.loop', 'handoff.payloads'] as const;

  it.each<readonly [string, readonly Entry[], readonly string[]]>([
    ['another one', worker('noop', 'end'), [path, chain, payloads]],
    ['the same one', worker(WORKER, 'end'), [path, chain, 'handoff.harvest-exactly-when', payloads]],
  ])('is red in the row about the loop alone: %s', (_, more, open) => {
    expect(ofHappy(after(HAPPY, 'end', ...more))).toEqual({
      red: [loop],
      open: open.map((each) => `${each} <- ${loop}`),
    });
  });

  it('hides nothing that is wrong with the worker before it', () => {
    const log = after(leavingOut('began', 'succeeded', 'decision'), 'end', ...worker('noop', 'end'));
    expect(ofHappy(log)).toEqual({ red: [path, loop], open: [`${chain} <- ${path}`, `${payloads} <- ${path}`] });
  });

  it('is red in every row about it where the one about the loop does not say it', () => {
    const both = handoffRun(after(BOTH, 'end', ...worker('noop', 'end')));
    expect(settled([pair, [both]]).red).toEqual([`${path}.two-workers`, `${chain}.two-workers`]);
    expect(settled([pair, [both]], [happy, [handoffRun(HAPPY), child]]).red).toEqual([
      `${path}.two-workers`,
      `${chain}.two-workers`,
    ]);
  });

  it('is none where another worker is dispatched before', () => {
    expect(ofHappy(after(HAPPY, 'harvested', ...worker('noop', 'decision'))).red).toContain(path);
  });
});

describe('a decision that is not told', () => {
  it('is red in the row about the loop alone', () => {
    const log = replaced(without(HAPPY, 'decision'), 'began', { by: 'start' });
    expect(ofHappy(log)).toEqual({ red: ['handoff.loop'], open: [`${chain} <- handoff.loop`] });
  });
});

function named(name: string): readonly Entry[] {
  return HAPPY.filter(({ as }) => as === name);
}

/** The happy path, some events of it behind the decision to terminate. */
function late(...entries: readonly Entry[]): readonly Entry[] {
  return after(without(HAPPY, ...entries.map(({ as }) => as)), 'end', ...entries);
}

describe('a harvest behind the decision to terminate', () => {
  const [loop, mapping] = ['handoff.loop', 'handoff.output-mapping'] as const;
  const [completed, mapped, harvested] = [named('completed'), named('mapped'), named('harvested')] as const;

  it('is red in the row about outputs alone', () => {
    expect(ofHappy(late(...mapped, ...harvested))).toEqual({ red: [mapping], open: [`${loop} <- ${mapping}`] });
  });

  it('is red in the row about the loop where the outputs were in time', () => {
    expect(ofHappy(late(...harvested))).toEqual({ red: [loop], open: [] });
  });

  it('hides no other transition there', () => {
    expect(ofHappy(late(...completed, ...mapped, ...harvested)).red).toEqual([mapping, loop]);
  });
});

/** A log whose begins of these workers each follow a phase of the host's own, which this caused. */
function pending(log: readonly Entry[], causes: Readonly<Record<string, string>>): readonly Entry[] {
  return Object.entries(causes).reduce<readonly Entry[]>((changed, [workerId, by]) => {
    const phase = transition(`${workerId} pending`, 'dispatch.pending', by, { workerId, childRunId: null });
    return replaced(after(changed, by, phase), `${workerId} began`, { by: phase.as });
  }, log);
}

/** A log in which no begin names its worker. */
function begunNameless(log: readonly Entry[]): readonly Entry[] {
  return log.map((entry) => {
    const { type, payload } = entry as { readonly type: string; readonly payload: { readonly phase?: string } };
    const isBegin = type === 'core.workflowChain.event' && payload.phase === 'dispatch.began';
    return isBegin ? { ...entry, payload: { ...payload, workerId: null } } : entry;
  });
}

describe('two workers', () => {
  const chains = [`${chain}.two-workers`, `${chain}.turns`];

  it('may each have a phase of the host before they begin', () => {
    for (const log of [BOTH, SIDE_BY_SIDE]) {
      const told = pending(log, { teller: 'decision', echo: 'decision' });
      expect(settled([pair, [handoffRun(told)]]).red).toEqual([]);
      expect(settled([pair, [handoffRun(replaced(told, 'echo pending', { by: 'start' }))]]).red).toEqual(
        chains.slice(0, 1),
      );
    }
    const turns = pending(RELAYED, { teller: 'decision', echo: 'second' });
    expect(settled([relay, [handoffRun(turns)]]).red).not.toContain(chains[1]);
    expect(settled([relay, [handoffRun(pending(RELAYED, { echo: 'decision' }))]]).red).toContain(chains[1]);
  });

  it('may each be named behind their begins', () => {
    for (const log of [BOTH, SIDE_BY_SIDE]) expect(settled([pair, [handoffRun(begunNameless(log))]]).red).toEqual([]);
    expect(settled([relay, [handoffRun(begunNameless(RELAYED))]]).red).not.toContain(chains[1]);
    const mixed = replaced(begunNameless(SIDE_BY_SIDE), 'echo succeeded', { by: 'teller began' });
    expect(settled([pair, [handoffRun(mixed)]]).red).not.toEqual([]);
  });
});

describe('a loop that ends with its first turn', () => {
  const [relayed, loop] = ['handoff.output-mapping.relay', 'handoff.loop.turns'] as const;
  const silent = { snapshot: { variables: { relayed: '' } } };
  const once = RELAYED.filter(({ as }) => as !== 'second' && !as.startsWith('echo') && as !== 'end');

  it('is red in the row about the loop, not in what the next worker was given', () => {
    const { red, open } = settled([relay, [handoffRun(once, silent)]]);
    expect(red).toEqual([loop]);
    expect(open).toContain(`${relayed} <- ${loop}`);
  });

  it('says that no second worker was started', () => {
    const { actual } = judgementIn(relay, relayed, [handoffRun(once, silent)]);
    expect(actual).toBe('""; no second worker was started');
  });

  it('is not why a second worker that was decided on or dispatched was given nothing', () => {
    const undispatched = RELAYED.filter(({ as }) => !as.startsWith('echo'));
    expect(settled([relay, [handoffRun(undispatched, silent)]]).red).toEqual([relayed]);
    const undecided = replaced(without(RELAYED, 'second'), 'echo began', { by: 'teller harvested' });
    expect(settled([relay, [handoffRun(undecided, silent)]]).red).toEqual([relayed, loop]);
  });
});

/** A log whose transitions all name a worker that nobody decided on. */
function misnamed(log: readonly Entry[], causes: 'with causes' | 'without' = 'with causes'): readonly Entry[] {
  return log.map(({ by, ...entry }) => {
    if (entry.type !== 'core.workflowChain.event') return entry;
    const other = { ...entry, payload: { ...(entry.payload as object), workerId: 'dispatch' } };
    return causes === 'without' || by === undefined ? other : { ...other, by };
  });
}

describe('transitions that name a worker that nobody decided on', () => {
  const payloads = 'handoff.payloads';

  it('are red in the row about payloads alone', () => {
    expect(ofHappy(misnamed(HAPPY))).toEqual({ red: [payloads], open: [] });
  });

  it.each<readonly [string, readonly Entry[]]>([
    ['one after the other', BOTH],
    ['side by side', SIDE_BY_SIDE],
  ])('are those of two handoffs where two workers went: %s', (_, log) => {
    const open = ['handoff.child-is-a-run.two-workers'];
    expect(settled([pair, [handoffRun(misnamed(log))]])).toEqual({ red: ['handoff.payloads.two-workers'], open });
  });

  it('hide nothing that is wrong with them', () => {
    const [path2, chain2] = [`${path}.two-workers`, `${chain}.two-workers`];
    expect(settled([pair, [handoffRun(misnamed(BOTH, 'without'))]]).red).toEqual([chain2]);
    const one = misnamed(BOTH.filter(({ as }) => !as.startsWith('echo')));
    expect(settled([pair, [handoffRun(one)]]).red).toEqual([path2]);
    expect(settled([pair, [handoffRun(misnamed(without(BOTH, 'echo completed', 'echo succeeded')))]]).red).toContain(
      path2,
    );
    const twice = after(HAPPY, 'began', transition('again', 'dispatch.began', 'decision'));
    expect(ofHappy(misnamed(twice)).red).toContain(path);
  });
});

it.each(['succeeded', 'completed', 'harvested'])(
  'what names the other worker of its decision, %s, is wrong in the row about payloads alone',
  (name) => {
    for (const log of [BOTH, SIDE_BY_SIDE]) {
      const { payload } = log.find(({ as }) => as === `echo ${name}`) ?? {};
      const other = replaced(log, `echo ${name}`, { payload: { ...(payload as object), workerId: 'teller' } });
      expect(settled([pair, [handoffRun(other)]]).red).toEqual(['handoff.payloads.two-workers']);
    }
  },
);
