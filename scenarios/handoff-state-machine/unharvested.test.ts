import type { Json } from '../../src/evidence/types.ts';
import { describe, expect, it } from 'vitest';
import { judgementIn, observed, OPTIONS, unfinished, verdictOf } from '../../test/recorded-runs.ts';
import {
  after,
  CHILD,
  childRun,
  decided,
  type Entry,
  HAPPY,
  handoffRun,
  PARENT,
  replaced,
  entryOf,
  transition,
  without,
  WORKER,
} from '../../test/handoff-runs.ts';
import { cancelled, failing, missing, unmapped } from './unharvested.ts';

const control = handoffRun(HAPPY, { id: 'o9', role: 'twin' });
const deadControl = handoffRun(without(HAPPY, 'harvested'), { id: 'o9', role: 'twin' });
const untouched = { snapshot: { variables: { shared: 'untouched' } } };
const written = { snapshot: { variables: { shared: 'told-in-vain' } } };

type Evidence = Parameters<typeof verdictOf>[2];

describe('handoff.harvest-exactly-when.unmapped', () => {
  const log = without(HAPPY, 'harvested', 'mapped');
  const verdict = (...seen: Evidence): string => verdictOf(unmapped, 'handoff.harvest-exactly-when.unmapped', seen);

  it('passes where the child completed and nothing was harvested', () => {
    expect(verdict(handoffRun(log), control)).toBe('pass');
    expect(verdict(handoffRun(without(log, 'completed')), childRun(), control)).toBe('pass');
  });

  it('fails where it was harvested', () => {
    expect(verdict(handoffRun(HAPPY), control)).toBe('fail wrong-harvest');
  });

  it('fails where the run fails of it, and is open where the harvested one ends so, too', () => {
    const ended = handoffRun(replaced(log, 'over', { type: 'run.failed' }));
    expect(verdict(ended, control)).toBe('fail fails-without-harvest');
    const alike = handoffRun(replaced(HAPPY, 'over', { type: 'run.failed' }), { id: 'o9', role: 'twin' });
    expect(verdict(ended, alike)).toBe('inconclusive');
  });

  it.each<readonly [string, Evidence]>([
    ['nobody is harvested at all', [handoffRun(log), deadControl]],
    ['the control was not seen', [handoffRun(log), unfinished(control)]],
    ['the run was not seen', [unfinished(handoffRun(log)), control]],
    ['nothing was dispatched', [handoffRun(log.slice(0, 1)), control]],
    ['nothing tells how the child ended', [handoffRun(without(log, 'completed')), control]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

/** A handoff whose child ends in another phase. */
function endingIn(phase: string): readonly Entry[] {
  const log = without(HAPPY, 'harvested', 'mapped');
  return log.map((entry) => (entry.as === 'completed' ? transition('completed', phase, 'succeeded') : entry));
}

const shows = (status: string) => childRun({ snapshot: { status } });
const unlogged = childRun({ snapshot: { status: 'completed' }, events: [] });

function writing(log: readonly Entry[], payload: Json): readonly Entry[] {
  return after(log, 'completed', entryOf('write', 'variable.changed', payload));
}

describe('handoff.failed-child-skips-harvest.failed', () => {
  const log = endingIn('child.failed');
  const verdict = (...seen: Evidence): string => verdictOf(failing, 'handoff.failed-child-skips-harvest.failed', seen);
  const harvest = transition('harvested', 'output.harvested', 'completed');

  it('passes where the failure is reported and nothing harvested', () => {
    expect(verdict(handoffRun(log, untouched), shows('failed'), control)).toBe('pass');
    expect(verdict(handoffRun(log, { snapshot: null }), control)).toBe('pass');
    expect(verdict(handoffRun(log, untouched), shows('FAILED'), control)).toBe('pass');
  });

  it.each<readonly [string, string, readonly Entry[]]>([
    ['it is harvested', 'fail harvested-without-completion', after(log, 'completed', harvest)],
    ['it is reported as completed', 'fail wrong-path', endingIn('child.completed')],
    ['it is reported as cancelled', 'fail wrong-path', endingIn('child.cancelled')],
    ['it is not reported', 'fail wrong-path', without(log, 'completed')],
    [
      'it is reported twice',
      'fail wrong-path',
      after(log, 'completed', transition('again', 'child.failed', 'succeeded')),
    ],
  ])('fails where %s', (_, wanted, entries) => {
    expect(verdict(handoffRun(entries, untouched), shows('failed'), control)).toBe(wanted);
  });

  it('fails where a child is reported as failed that ends as completed, by its log and its snapshot', () => {
    const judgement = judgementIn(failing, 'handoff.failed-child-skips-harvest.failed', [
      handoffRun(log, untouched),
      shows('completed'),
      control,
    ]);
    expect(judgement).toMatchObject({ verdict: 'fail', evidence: ['o1', 'o2'] });
    expect(judgement?.expected).toContain('child.completed in the handoff');
  });

  it('reads the child where its dispatch names the parent instead', () => {
    const itself = transition('succeeded', 'dispatch.succeeded', 'began', { childRunId: PARENT });
    const run = handoffRun(replaced(log, 'succeeded', itself), untouched);
    const parent = childRun({ runId: PARENT });
    expect(verdict(run, parent, shows('failed'), control)).toBe('pass');
    expect(verdict(run, parent, childRun(), control)).toBe('fail end-told-otherwise');
  });

  it('rests where only the order before the failure is another one', () => {
    const [began, succeeded] = ['began', 'succeeded'].map((key) => log.findIndex((entry) => entry.as === key));
    const swapped = log.with(began ?? 0, log[succeeded ?? 0] as Entry).with(succeeded ?? 0, log[began ?? 0] as Entry);
    const seen = [handoffRun(swapped, untouched), shows('failed'), control];
    const judgement = judgementIn(failing, 'handoff.failed-child-skips-harvest.failed', seen);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'handoff.happy-path' });
  });

  it('fails where the outputs are taken over without a word', () => {
    expect(verdict(handoffRun(log, written), shows('failed'), control)).toBe('fail harvested-without-completion');
  });

  it('rests where the log alone shows them, and the snapshot does not: one of the two is wrong', () => {
    const run = handoffRun(writing(log, { name: 'shared', value: 'taken' }), {
      snapshot: { status: 'completed', variables: { shared: 'untouched' } },
    });
    const judgement = judgementIn(failing, 'handoff.failed-child-skips-harvest.failed', [
      run,
      shows('failed'),
      control,
    ]);
    expect(judgement).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
    const silent = handoffRun(writing(log, { name: 'shared' }), untouched);
    expect(verdict(silent, shows('failed'), control)).toBe('pass');
  });

  it.each<readonly [string, Evidence]>([
    ['the child did not fail', [handoffRun(endingIn('child.completed'), untouched), shows('completed'), control]],
    ['the child alone shows in its snapshot that it did not', [handoffRun(log, untouched), unlogged, control]],
    ['nothing was dispatched', [handoffRun(log.slice(0, 2)), control]],
    ['nobody is harvested at all', [handoffRun(log, untouched), deadControl]],
    ['the run was not seen', [unfinished(handoffRun(log)), control]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

describe('handoff.causation-chain.failed', () => {
  const log = endingIn('child.failed');
  const verdict = (...seen: Evidence): string => verdictOf(failing, 'handoff.causation-chain.failed', seen);
  const own = transition('own', 'x-vendor.child.stopped', 'succeeded');

  it.each<readonly [string, readonly Entry[]]>([
    ['the success of its dispatch', log],
    ['the beginning, where no success is entry', replaced(without(log, 'succeeded'), 'completed', { by: 'began' })],
    ['a phase of the host', after(replaced(log, 'completed', { by: 'own' }), 'node', own)],
    ['the success, a link before that being another row', replaced(log, 'succeeded', { by: 'start' })],
  ])('passes where it follows %s', (_, entries) => {
    expect(verdict(handoffRun(entries))).toBe('pass');
  });

  it('leads nowhere where events share an id', () => {
    const same = handoffRun(log).events.map((each) => ({ ...(each as object), eventId: 'e', causationId: 'e' }));
    expect(verdict(handoffRun(log, { events: same }))).toBe('inconclusive');
  });

  it.each<readonly [string, string]>([
    ['nothing', 'evt-nobody'],
    ['the decision', 'decision'],
    ['the beginning', 'began'],
    ['node.dispatched', 'node'],
    ['itself', 'completed'],
  ])('fails where it follows %s', (_, by) => {
    expect(verdict(handoffRun(replaced(log, 'completed', { by })))).toBe('fail broken-chain');
  });

  it.each<readonly [string, Evidence]>([
    ['it is not entry', [handoffRun(without(log, 'completed'))]],
    ['nothing stands before it', [handoffRun(without(log, 'began', 'succeeded'))]],
    ['the run was not seen', [unfinished(handoffRun(log))]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

function cancel(more: object = {}): Evidence[number] {
  return observed('o7', 'cancel', { runId: 'run-child', answered: 200, waited: true, ...more });
}

describe('handoff.failed-child-skips-harvest.cancelled', () => {
  const log = endingIn('child.cancelled');
  const live = handoffRun(log.slice(0, 5), { id: 'o8', role: 'waiting parent' });
  const verdict = (...seen: Evidence): string =>
    verdictOf(cancelled, 'handoff.failed-child-skips-harvest.cancelled', seen);

  it('passes where the cancellation is reported and nothing harvested', () => {
    expect(verdict(live, cancel(), handoffRun(log, untouched), shows('cancelled'), control)).toBe('pass');
  });

  it('fails where it is harvested, or reported as something else', () => {
    const ended = (entries: readonly Entry[]): Evidence => [
      live,
      cancel(),
      handoffRun(entries, untouched),
      shows('cancelled'),
      control,
    ];
    expect(verdict(...ended(after(log, 'completed', transition('h', 'output.harvested', 'completed'))))).toBe(
      'fail harvested-without-completion',
    );
    expect(verdict(...ended(endingIn('child.failed')))).toBe('fail wrong-path');
    expect(verdict(...ended(endingIn('child.completed')))).toBe('fail wrong-path');
    expect(verdict(live, cancel(), handoffRun(log, written), shows('cancelled'), control)).toBe(
      'fail harvested-without-completion',
    );
  });

  it('rests where the parent names itself as the child that it waits for', () => {
    const itself = handoffRun(log.slice(0, 5), { role: 'waiting parent', runId: CHILD });
    const judgement = judgementIn(cancelled, 'handoff.failed-child-skips-harvest.cancelled', [itself, control]);
    expect(judgement).toMatchObject({ verdict: 'inconclusive', restsOn: 'handoff.child-is-a-run' });
  });

  it.each<readonly [string, Evidence]>([
    ['the child is not named while it runs', [handoffRun(log.slice(0, 2), { role: 'waiting parent' }), control]],
    ['the parent was not seen', [unfinished(live), control]],
    ['nothing was cancelled', [live, control]],
    ['the child did not wait', [live, cancel({ waited: false }), control]],
    ['the cancellation was refused', [live, cancel({ answered: 403 }), control]],
    ['it ended otherwise', [live, cancel(), handoffRun(log, untouched), shows('failed'), control]],
    ['the end was not seen', [live, cancel(), unfinished(handoffRun(log)), control]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

function ofCancelled(...seen: Evidence): string {
  return verdictOf(cancelled, 'handoff.causation-chain.cancelled', seen);
}

function reasonOf(...seen: Evidence): string {
  return cancelled
    .judge(seen, OPTIONS)
    .map(({ reason }) => reason ?? '')
    .join(' ');
}

describe('what to expose', () => {
  it('is said where the child was not named in time', () => {
    const live = { role: 'waiting parent' };
    const begun = handoffRun(endingIn('child.cancelled').slice(0, 3), live);
    expect(reasonOf(begun)).toContain('give childRunId in dispatch.succeeded or node.dispatched while the child runs');
    expect(reasonOf(unfinished(handoffRun(HAPPY, live)))).toContain(
      'did not show an event that names the child that it waits for',
    );
  });

  it('is said where no run was made, or it was not seen to end', () => {
    const refused = { role: 'waiting parent', runId: null, problem: 'the request was answered with 422' };
    expect(reasonOf(handoffRun(HAPPY, refused))).toContain('was not made: the request was answered with 422; POST');
    const seen = [unfinished(handoffRun(HAPPY))];
    const reason = failing.judge(seen, OPTIONS)[0]?.reason;
    expect(reason).toContain('did not show its end: the run has not ended; GET /v1/runs/{runId}/events has to show it');
  });
});

describe('handoff.causation-chain.cancelled', () => {
  const log = endingIn('child.cancelled');
  const live = handoffRun(log.slice(0, 5), { id: 'o8', role: 'waiting parent' });
  it('passes where it follows the success of its dispatch, and fails elsewhere', () => {
    expect(ofCancelled(live, cancel(), handoffRun(log))).toBe('pass');
    expect(ofCancelled(live, cancel(), handoffRun(replaced(log, 'completed', { by: 'x' })))).toBe('fail broken-chain');
    expect(ofCancelled(live, cancel(), handoffRun(replaced(log, 'completed', { by: 'decision' })))).toBe(
      'fail broken-chain',
    );
  });

  it('is open where the child was not cancelled, or its end is entry otherwise', () => {
    expect(ofCancelled(live)).toBe('inconclusive');
    expect(ofCancelled(live, cancel({ answered: 501 }))).toBe('inconclusive');
    expect(ofCancelled(live, cancel(), handoffRun(endingIn('child.failed')))).toBe('inconclusive');
  });
});

const MISSED: readonly Entry[] = [
  entryOf('start', 'run.started'),
  decided('decision', 'next-worker', [WORKER]),
  transition('began', 'dispatch.began', 'decision'),
  transition('failed', 'dispatch.failed', 'began'),
  entryOf('over', 'run.failed'),
];
const AS_TYPE = { type: 'core.dispatch.failed', payload: { workerId: WORKER } };

function ofMissing(log: readonly Entry[]): string {
  return verdictOf(missing, 'handoff.causation-chain.dispatch-failed', [handoffRun(log)]);
}

describe('handoff.causation-chain.dispatch-failed', () => {
  it.each<readonly [string, string, readonly Entry[]]>([
    ['passes', 'pass', MISSED],
    ['passes before anything began', 'pass', replaced(without(MISSED, 'began'), 'failed', { by: 'decision' })],
    ['fails behind the decision', 'fail broken-chain', replaced(MISSED, 'failed', { by: 'decision' })],
    ['fails behind nothing', 'fail broken-chain', replaced(MISSED, 'failed', { by: 'evt-nobody' })],
    ['fails behind nothing, as the first', 'fail broken-chain', without(MISSED, 'began')],
    ['does not apply to the other form', 'not-applicable', replaced(MISSED, 'failed', { ...AS_TYPE, by: 'start' })],
    ['is open where nothing failed', 'inconclusive', without(MISSED, 'failed')],
  ])('%s', (_, wanted, log) => {
    expect(ofMissing(log)).toBe(wanted);
  });
});

function linkOf(log: readonly Entry[]): unknown {
  return missing
    .judge([handoffRun(log)], OPTIONS)
    .find(({ check }) => check === 'handoff.causation-chain.dispatch-failed');
}

describe('a dispatch that fails without having begun, by an event that is nowhere', () => {
  it('is for the row about the plain handoff to name, where that lacks its beginning, too', () => {
    expect(linkOf(without(MISSED, 'began'))).toMatchObject({ verdict: 'fail', restsOn: 'handoff.happy-path' });
    expect(linkOf(replaced(without(MISSED, 'began'), 'failed', { by: 'start' }))).not.toHaveProperty('restsOn');
  });
});

describe('handoff.dispatch-failure', () => {
  const log = MISSED;
  const verdict = (...seen: Evidence): string => verdictOf(missing, 'handoff.dispatch-failure', seen);
  const asType = AS_TYPE;

  it.each<readonly [string, readonly Entry[]]>([
    ['as a phase', log],
    ['as a type of its own', replaced(log, 'failed', asType)],
    ['without a beginning', without(log, 'began')],
    ['and goes on', after(log, 'failed', decided('end', 'terminate'))],
  ])('passes where the failure is entry %s', (_, entries) => {
    expect(verdict(handoffRun(entries, untouched), control)).toBe('pass');
  });

  it.each<readonly [string, readonly Entry[]]>([
    ['nowhere', without(log, 'failed')],
    ['twice', after(log, 'failed', transition('again', 'dispatch.failed', 'began'))],
    ['in both forms', after(log, 'failed', { ...entryOf('again', asType.type, asType.payload), by: 'began' })],
    ['as a failed child', replaced(log, 'failed', { payload: { phase: 'child.failed' } })],
    ['and a failed child', after(log, 'failed', transition('again', 'child.failed', 'failed'))],
    ['behind a success', after(log, 'began', transition('ok', 'dispatch.succeeded', 'began'))],
  ])('fails where it is entry %s', (_, entries) => {
    expect(verdict(handoffRun(entries, untouched), control)).toBe('fail dispatch-failure-untold');
  });

  it('fails where something is harvested all the same', () => {
    expect(verdict(handoffRun(log, written), control)).toBe('fail harvested-without-completion');
  });

  it.each<readonly [string, Evidence]>([
    ['it did not come to a dispatch', [handoffRun(log.slice(0, 1)), control]],
    ['nobody is dispatched at all', [handoffRun(log, untouched), deadControl]],
    ['the run was refused', [unfinished(handoffRun(log)), control]],
  ])('is open where %s', (_, seen) => {
    expect(verdict(...seen)).toBe('inconclusive');
  });
});

/** What is said of the payloads of a handoff whose child failed. */
function failed(log: readonly Entry[]): string {
  return verdictOf(failing, 'handoff.payloads.failed', [handoffRun(log), control]);
}

/** What is said of the payloads of a handoff that came to no child, its failure saying this beside what it has to. */
function undispatched(more = {}, ...children: readonly ReturnType<typeof childRun>[]): string {
  const failure = transition('failed', 'dispatch.failed', 'began', { error: { code: 'unknown' }, ...more });
  const log = after(HAPPY.slice(0, 3), 'began', failure);
  return verdictOf(missing, 'handoff.payloads.dispatch-failed', [handoffRun(log), control, ...children]);
}

describe('the payloads of a handoff that is not harvested', () => {
  const other = { parentRunId: 'run-other' };
  const ended = (phase: string, more = {}): readonly Entry[] =>
    replaced(endingIn(phase), 'completed', transition('completed', phase, 'succeeded', more));
  const live = handoffRun(endingIn('child.cancelled').slice(0, 5), { id: 'o8', role: 'waiting parent' });
  const stopped = (entries: readonly Entry[]): string =>
    verdictOf(cancelled, 'handoff.payloads.cancelled', [live, cancel(), handoffRun(entries), control]);

  it('pass as the documents declare them, with why it came to nothing', () => {
    const error = { error: { code: 'x', message: '' } };
    const passed = [failed(ended('child.failed', error)), stopped(ended('child.cancelled', error)), undispatched()];
    expect(passed).toEqual(['pass', 'pass', 'pass']);
  });

  it('fail with another parent, or another worker', () => {
    const wrong = 'fail payload-wrong-value';
    expect(failed(ended('child.failed', other))).toBe(wrong);
    expect(stopped(ended('child.cancelled', other))).toBe(wrong);
    expect([undispatched(other), undispatched({ workerId: 'another' })]).toEqual([wrong, wrong]);
  });

  it('fail where a child is left out that was named, or one is named that is no run', () => {
    const wrong = 'fail payload-wrong-value';
    expect(failed(ended('child.failed', { childRunId: null }))).toBe(wrong);
    const unread = { answered: 404, snapshot: null, problem: 'it was answered with 404' };
    expect(undispatched({ childRunId: CHILD }, childRun(unread))).toBe(wrong);
    expect([undispatched({ childRunId: CHILD }), undispatched({ childRunId: CHILD }, childRun())]).toEqual([
      'pass',
      'pass',
    ]);
  });

  it('are open where nothing was handed off', () => {
    const nothing = [entryOf('start', 'run.started'), { ...entryOf('node', 'node.started'), nodeId: 'supervisor' }];
    expect(failed(nothing)).toBe('inconclusive');
    expect(verdictOf(cancelled, 'handoff.payloads.cancelled', [live])).toBe('inconclusive');
  });
});
