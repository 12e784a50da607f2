import { describe, expect, it } from 'vitest';
import {
  answered,
  event,
  judged,
  LOG,
  recorded,
  requested,
  run,
  short,
  UNANSWERED,
} from '../../test/fork-observations.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import { judgeCancelled } from './snapshot-cancelled.ts';
import { BY_CLOCK, CANCEL, CANCEL_UNKNOWN, CANCELLED, WAITING } from './waiting.ts';

const ASKED = LOG.slice(0, 2);
const waiting = run(WAITING, { events: ASKED });
const saying = (body: Json, status = 200) => requested(CANCEL, 'the cancellation', status, body);
const ended = (type: string) => run(CANCELLED, { events: [...ASKED, event(2, type)] });
const open = (status: Json) => run(CANCELLED, { events: ASKED, snapshot: { status } });

/** A run that was read to its last event, and whose snapshot shows an end that its log does not. */
const unfinished = (events: readonly Json[]) =>
  run(CANCELLED, { events, problem: 'the run has not ended', snapshot: { status: 'cancelled' } });

/** Nothing of what other scenarios recorded. */
const ALONE = { everything: [] };

function judge(...seen: readonly Observation[]): string {
  return short(judged(judgeCancelled(recorded(waiting, ...seen), ALONE)));
}

const SAID = saying({ runId: 'run_a', status: 'cancelled' });
const UNTRUE = 'fail cancel-untrue';

const cancelledNone = (status: number) => requested(CANCEL_UNKNOWN, 'the cancellation of none', status, {});

describe('run.cancel', () => {
  it('passes where the run ends as the answer says, or the answer says that this comes later', () => {
    expect(judge(SAID, ended('run.cancelled'))).toBe('pass');
    for (const said of [saying({ runId: 'run_a', status: 'cancelling' }), saying({}, 202)]) {
      expect(judge(said, ended('run.cancelled'))).toBe('pass');
      expect(judge(said, ended('run.failed'))).toBe('pass');
    }
  });

  it('fails where the answer names another run, or another end', () => {
    expect(judge(saying({ runId: 'run_b', status: 'cancelled' }), ended('run.cancelled'))).toBe(UNTRUE);
    expect(judge(SAID, ended('run.completed'))).toBe(UNTRUE);
    expect(judge(saying({ status: 'completed' }, 202), ended('run.cancelled'))).toBe(UNTRUE);
    const untrue = recorded(waiting, saying({ runId: 'run_a', status: 'completed' }), ended('run.cancelled'));
    expect(judged(judgeCancelled(untrue, ALONE))).toMatchObject({
      expected: expect.stringMatching(/^status "cancelled" in the answer/u) as string,
      actual: '"completed"',
    });
    expect(judge(SAID, open('waiting-approval'))).toBe(UNTRUE);
    expect(judge(saying({ runId: 'run_a', status: 'cancelling' }), ended('run.completed'))).toBe(UNTRUE);
    expect(judge(saying({}, 202), ended('run.completed'))).toBe(UNTRUE);
  });

  it('fails where the snapshot alone shows the end, and nothing was written to the log', () => {
    expect(judge(SAID, unfinished(ASKED))).toBe(UNTRUE);
    expect(judgeCancelled(recorded(waiting, SAID, unfinished(ASKED)), ALONE)).toMatchObject({
      on: 'sequence.single-terminal-event',
    });
    expect(judge(SAID, unfinished([...ASKED, event(2, 'run.stopped')]))).toBe('inconclusive');
    expect(judge(SAID, unfinished([]))).toBe('inconclusive');
    expect(judge(saying({ runId: 'run_a', status: 'cancelling' }), unfinished(ASKED))).toBe('inconclusive');
  });

  it('leaves to the row about snapshots what the snapshot says as well', () => {
    const said = saying({ runId: 'run_a', status: 'completed' });
    const [alike, other] = ['completed', 'cancelled'].map((status) => {
      const later = run(CANCELLED, { events: [...ASKED, event(2, 'run.cancelled')], snapshot: { status } });
      return judged(judgeCancelled(recorded(waiting, said, later), ALONE));
    });
    expect(alike).toMatchObject({ verdict: 'fail', restsOn: 'run.snapshot-agrees' });
    expect(other?.restsOn).toBeUndefined();
  });

  it('stays open where a run that waits by the clock is cancelled late, or after its wait', () => {
    const waits = { ...waiting, workflowId: BY_CLOCK };
    const byClock = (...seen: readonly Observation[]) => short(judged(judgeCancelled(recorded(waits, ...seen), ALONE)));
    const late = saying({ runId: 'run_a', status: 'cancelling' });
    for (const seen of [open('running'), open('cancelling'), ended('run.completed')])
      expect(byClock(late, seen)).toBe('inconclusive');
    const cancelling = { ...unfinished(ASKED), snapshot: { status: 'cancelling' } };
    for (const seen of [open('running'), cancelling]) expect(byClock(SAID, seen)).toBe('inconclusive');
    for (const said of [SAID, late]) expect(byClock(said, ended('run.cancelled'))).toBe('pass');
    expect(byClock(SAID, ended('run.completed'))).toBe(UNTRUE);
    expect(byClock(SAID, unfinished(ASKED))).toBe(UNTRUE);
  });

  it('fails where the answer names no run or no status', () => {
    expect(judge(saying({ ok: true }), ended('run.cancelled'))).toBe('fail cancel-untold');
    expect(judge(saying({ runId: 'run_a' }), ended('run.cancelled'))).toBe('fail cancel-untold');
    expect(judge(saying({ status: 'cancelled' }), ended('run.cancelled'))).toBe('fail cancel-untold');
  });

  it('fails where a run that there is not is said to be cancelled', () => {
    expect(judge(SAID, ended('run.cancelled'), cancelledNone(200))).toBe('fail carried-out');
    expect(judge(SAID, ended('run.cancelled'), cancelledNone(500))).toBe('fail server-error');
    for (const status of [404, 400, 501, 503])
      expect(judge(SAID, ended('run.cancelled'), cancelledNone(status))).toBe('pass');
  });

  it('fails where the host stumbles over the cancellation', () => {
    expect(judge(saying({}, 500))).toBe('fail server-error');
  });

  it('is undecided where nobody knows how the run goes on, or what is answered', () => {
    for (const seen of [[], [open('cancelling')], [open('parked')], [open(null)]]) {
      expect(judge(SAID, ...seen)).toBe('inconclusive');
    }
    for (const seen of [[], [open('cancelling')], [open('waiting-approval')]]) {
      expect(judge(saying({ runId: 'run_a', status: 'cancelling' }), ...seen)).toBe('inconclusive');
    }
    for (const status of [409, 429, 503]) expect(judge(saying({}, status))).toBe('inconclusive');
    expect(judge(answered(CANCEL, 'the cancellation', UNANSWERED))).toBe('inconclusive');
    expect(judge()).toBe('inconclusive');
  });

  it('shows how a host spells an end that is none of the wire', () => {
    const spelled = run(CANCELLED, { events: [...ASKED, event(2, 'run.canceled')], snapshot: { status: 'canceled' } });
    const outcome = judgeCancelled(recorded(waiting, SAID, spelled), ALONE);
    expect(outcome).toMatchObject({
      reason: expect.stringContaining('(its log ends with run.canceled, its snapshot shows canceled)') as string,
    });
  });

  it('says what is lacking of a host that cancels no runs', () => {
    for (const status of [404, 405, 501]) expect(judge(saying({}, status))).toBe('inconclusive');
  });
});
