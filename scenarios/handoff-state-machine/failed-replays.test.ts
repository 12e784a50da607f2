import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import { unfinished, verdictOf } from '../../test/recorded-runs.ts';
import {
  CHILD,
  type Entry,
  entryOf,
  HAPPY,
  handoffRun,
  PARENT,
  replaced,
  transition,
  without,
} from '../../test/handoff-runs.ts';
import { failedReplay } from './failed-replays.ts';

type Evidence = Parameters<typeof verdictOf>[2];

const fork = { sourceRunId: 'run-parent', mode: 'replay', fromSeq: null, advertised: true };
const source = (log: readonly Entry[]) => handoffRun(log, { role: 'source' });
const replay = (log: readonly Entry[], more: object = {}) =>
  handoffRun(log, { id: 'o4', role: 'full replay', runId: 'run-replay', fork, ...more });

function failed(...seen: Evidence): string {
  return verdictOf(failedReplay, 'handoff.replays.failed', seen);
}

/** A handoff whose child fails. */
const log = without(HAPPY, 'harvested', 'mapped').map((entry) =>
  entry.as === 'completed' ? transition('completed', 'child.failed', 'succeeded') : entry,
);

/** The same with these errors. */
const telling = (own: Json, end: Json = own) =>
  log.map((entry) => {
    if (entry.as === 'over') return { ...entry, type: 'run.failed', payload: { error: end } };
    return entry.as === 'completed' ? transition('completed', 'child.failed', 'succeeded', { error: own }) : entry;
  });

/** A handoff whose dispatch fails with this code. */
const undispatched = (code: string) => [
  ...without(log, 'succeeded', 'node').filter(({ as }) => as !== 'completed'),
  transition('failed', 'dispatch.failed', 'began', { error: { code, message: 'No.' } }),
];
const IDS = { id: 'o6', runId: 'run-missing', role: 'source whose dispatch fails' };
const OF = { ...fork, sourceRunId: 'run-missing' };
const made = (code: string) =>
  replay(undispatched(code), { id: 'o7', role: 'replay of a failed dispatch', runId: 'run-made', fork: OF });

const beside = (...seen: Evidence) => failed(source(log), replay(log), ...seen);

describe('handoff.replays.failed', () => {
  it('passes where a replay tells the same, and fails where its child completed or is told no end', () => {
    expect(failed(source(log), replay(log))).toBe('pass');
    expect(failed(source(log), replay(without(HAPPY, 'harvested', 'mapped')))).toBe('fail wrong-path');
    expect(failed(source(log), replay(without(log, 'completed')))).toBe('fail wrong-path');
  });

  it('fails where a failure is told by another worker, or leads nowhere, and its source does neither', () => {
    const other = replaced(log, 'completed', {
      payload: { phase: 'child.failed', workerId: 'other', parentRunId: PARENT, childRunId: CHILD },
    });
    expect(failed(source(log), replay(other))).toBe('fail payload-wrong-value');
    const broken = replaced(log, 'completed', { by: 'start' });
    expect(failed(source(log), replay(broken))).toBe('fail broken-chain');
    expect(failed(source(broken), replay(broken))).toBe('pass');
  });

  it('fails where another error is told, in a transition or at an end, and no difference', () => {
    const error = { code: 'broken', message: 'It broke after 3 ms.' };
    const [same, other] = [
      { ...error, message: 'It broke after 4 ms.' },
      { ...error, code: 'other' },
    ];
    expect(failed(source(telling(error)), replay(telling(same)))).toBe('pass');
    expect(failed(source(telling(error)), replay(telling(other, error)))).toBe('fail failure-told-otherwise');
    expect(failed(source(telling(error)), replay(telling(error, other)))).toBe('fail failure-told-otherwise');
    const reported = [entryOf('report', 'replay.diverged'), ...telling(other)];
    expect(failed(source(telling(error)), replay(reported))).toBe('pass');
  });

  it('looks at a dispatch that fails, too, where the host knows such a workflow', () => {
    const parent = handoffRun(undispatched('unknown'), IDS);
    expect(beside(parent, made('unknown'))).toBe('pass');
    expect(beside(parent, made('other'))).toBe('fail failure-told-otherwise');
    expect(beside(parent)).toBe('inconclusive');
    expect(beside(unfinished(parent))).toBe('pass');
    const completed = handoffRun(HAPPY, IDS);
    expect(beside(completed, made('unknown'))).toBe('inconclusive');
  });

  it('is open where no child failed, or nothing was replayed', () => {
    expect(failed(source(HAPPY), replay(HAPPY))).toBe('inconclusive');
    expect(failed(source(log))).toBe('inconclusive');
    expect(failed(source(log), unfinished(replay(log)))).toBe('inconclusive');
    expect(failed(unfinished(source(log)))).toBe('inconclusive');
  });
});
