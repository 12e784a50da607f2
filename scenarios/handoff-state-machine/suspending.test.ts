import { describe, expect, it } from 'vitest';
import { judgementIn, observed, refusedRun, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import {
  after,
  decided,
  type Entry,
  handoffRun,
  entryOf,
  transition,
  without,
  WORKER,
} from '../../test/handoff-runs.ts';
import { clarify, escalate } from './suspending.ts';

type Evidence = Parameters<typeof verdictOf>[2];

const LOG: readonly Entry[] = [
  entryOf('start', 'run.started'),
  decided('asks', 'clarify'),
  { ...entryOf('question', 'interrupt.requested', { kind: 'clarification' }), nodeId: 'dispatch' },
  entryOf('answer', 'interrupt.resolved'),
  decided('works', 'next-worker', [WORKER]),
  transition('began', 'dispatch.began', 'works'),
  decided('end', 'terminate'),
  entryOf('over', 'run.completed'),
];

const suspended = (log: readonly Entry[] = LOG.slice(0, 3)) => handoffRun(log, { id: 'o1', role: 'run that asks' });
const resumed = (log: readonly Entry[] = LOG) => handoffRun(log, { id: 'o3', role: 'run after its answer' });
const asked = (more: object = {}) =>
  observed('o2', 'asked', { status: 'waiting-input', nodeId: 'dispatch', answered: 200, ...more });

function verdict(...seen: Evidence): string {
  return verdictOf(clarify, 'handoff.loop.clarify', seen);
}

describe('a decision that asks somebody', () => {
  it.each(['waiting-input', 'waiting-approval', 'paused', 'x-vendor-parked', 'running'])(
    'passes with status %s',
    (status) => {
      expect(verdict(suspended(), asked({ status }), resumed())).toBe('pass');
    },
  );

  it('passes without interrupt.resolved, and as an escalation', () => {
    expect(verdict(suspended(), asked(), resumed(without(LOG, 'answer')))).toBe('pass');
    const log = JSON.parse(JSON.stringify(LOG).replaceAll('clarify', 'escalate')) as readonly Entry[];
    const seen = [suspended(log.slice(0, 3)), asked(), resumed(log)];
    expect(verdictOf(escalate, 'handoff.loop.escalate', seen)).toBe('pass');
    expect(verdict(...seen)).toBe('fail wrong-turns');
  });

  it('is judged by node.suspended where a host writes that alone', () => {
    expect(verdict(suspended(written(LOG.slice(0, 3))), asked(), resumed(written(LOG)))).toBe('pass');
    expect(verdict(suspended(written(LOG.slice(0, 3))), asked(), resumed(written(early())))).toBe('fail not-suspended');
  });

  it('passes where it is told behind the question, or beside phases of the host itself', () => {
    const [start, asks, question, ...rest] = LOG as readonly [Entry, Entry, Entry, ...Entry[]];
    const node = { ...entryOf('waits', 'node.suspended'), nodeId: 'dispatch' };
    const behind = [start, node, asks, question, ...rest];
    expect(verdict(suspended([start, node]), asked(), resumed(behind))).toBe('pass');
    expect(verdict(suspended([start, question, asks]), asked(), resumed([start, question, asks, ...rest]))).toBe(
      'pass',
    );
    const own = after(LOG, 'question', transition('own', 'supervisor.suspended', 'question'));
    expect(verdict(suspended(own.slice(0, 4)), asked(), resumed(own))).toBe('pass');
  });

  it.each<readonly [string, string, Evidence]>([
    ['the run ends without asking', 'fail not-suspended', [suspended(without(LOG, 'question', 'answer'))]],
    ['it goes on while it asks', 'fail not-suspended', [suspended(without(LOG, 'answer').slice(0, 4)), asked()]],
    ['its status says that it ended', 'fail not-suspended', [suspended(), asked({ status: 'completed' }), resumed()]],
    ['it ended before the answer came', 'fail not-suspended', [suspended(), asked({ answered: 409 }), resumed()]],
    ['a turn comes before its answer', 'fail not-suspended', [suspended(), asked(), resumed(early())]],
    [
      'its question is followed by another one to ask',
      'fail not-suspended',
      [suspended(), asked(), resumed(after(LOG, 'question', decided('x', 'clarify')))],
    ],
    [
      'a transition comes before its answer',
      'fail not-suspended',
      [suspended(), asked(), resumed(after(LOG, 'question', transition('x', 'dispatch.began', 'asks')))],
    ],
    [
      'it decides the same again',
      'fail wrong-turns',
      [suspended(), asked(), resumed(after(LOG, 'answer', decided('x', 'clarify')))],
    ],
    ['no turn follows', 'fail wrong-turns', [suspended(), asked(), resumed(without(LOG, 'works', 'began', 'end'))]],
  ])('fails where %s', (_, wanted, seen) => {
    expect(verdict(...seen)).toBe(wanted);
  });

  it.each<readonly [string, Evidence]>([
    ['nothing was driven', []],
    ['the run was refused', [unfinished(suspended())]],
    ['it shows no question', [suspended(LOG.slice(0, 2))]],
    ['the answer was refused', [suspended(), asked({ answered: 403 })]],
    ['the answer got no answer', [suspended(), asked({ answered: null })]],
    ['its end was not seen', [suspended(), asked(), unfinished(resumed())]],
    ['its status cannot be read', [suspended(), asked({ status: null }), resumed()]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

/** The same log where its host writes node.suspended and no interrupt.requested. */
function written(log: readonly Entry[]): readonly Entry[] {
  return log.map((each) => (each.type === 'interrupt.requested' ? { ...each, type: 'node.suspended' } : each));
}

function early(): readonly Entry[] {
  return after(without(LOG, 'works'), 'question', decided('works', 'next-worker', [WORKER]));
}

/** The log where its handoff is caused by this, to its end. */
function chained(cause: string): readonly Entry[] {
  return [
    ...LOG.slice(0, 5),
    transition('began', 'dispatch.began', cause),
    transition('succeeded', 'dispatch.succeeded', 'began'),
    transition('completed', 'child.completed', 'succeeded'),
    ...LOG.slice(6),
  ];
}

function chain(...seen: Evidence): string {
  return verdictOf(clarify, 'handoff.causation-chain.clarify', seen);
}

function reasonOf(...seen: Evidence): string | undefined {
  return judgementIn(clarify, 'handoff.causation-chain.clarify', seen).reason;
}

describe('the chain behind an answer', () => {
  it('begins at the decision', () => {
    expect(chain(suspended(), asked(), resumed(chained('works')))).toBe('pass');
    expect(chain(suspended(), asked(), resumed(chained('answer')))).toMatch(/^fail/u);
  });

  it('is not known where nobody was answered', () => {
    expect(chain(suspended(), asked())).toBe('inconclusive');
  });

  it('says of which run, or of which answer', () => {
    expect(reasonOf(refusedRun(suspended()))).toContain('was not made');
    expect(reasonOf(suspended())).toContain('shows no question to answer');
    expect(reasonOf(suspended(), asked({ answered: 403 }))).toContain('answered 403');
  });
});
