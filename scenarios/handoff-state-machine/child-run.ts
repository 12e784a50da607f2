import type { Json } from '../../src/evidence/types.ts';
import { answerText, withinBounds } from '../../src/host/exchanged.ts';
import type { Until } from '../../src/host/log/stream.ts';
import { type AwaitedRun, followUntil } from '../../src/host/log/follow.ts';
import type { Probe } from '../../src/host/probe.ts';
import { canStandInPath } from '../../src/host/runs.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { askForLog, isNowhere, type LogAnswers } from '../shared/log-answers.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { readSnapshot } from '../shared/snapshot.ts';
import type { ChildObservation } from './observation.ts';

/** Reads a run that a parent's log names, to its end. */
export async function readChild(
  probe: Probe,
  runId: string,
  of: Pick<RunObservation, 'role' | 'runId'>,
): Promise<ChildObservation> {
  const base = { type: 'child', parent: of.role, runId, events: [], snapshot: null, logs: null } as const;
  if (!canStandInPath(runId)) {
    return { ...base, answered: null, problem: 'its id cannot stand in a URL', exchanges: [] };
  }
  const exchange = withinBounds(await probe.host.exchange({ method: 'GET', path: runPath(runId) }));
  const exchanges = [exchange.id];
  if (exchange.kind === 'failure') return { ...base, answered: null, problem: answerText(exchange), exchanges };
  const answered = exchange.status;
  if (answered !== 200) return { ...base, answered, problem: `it was answered with ${answered}`, exchanges };
  const shown = exchange.json.ok ? (exchange.json.value as Json) : null;
  const { followed, nowhere, ...more } = await followChild(probe, runId, () => false);
  const read = [...exchanges, ...more.exchanges];
  if (followed.kind !== 'ended') {
    const problem = followed.kind === 'unfinished' ? followed.reason : 'the run has not ended';
    const unread = { ...base, answered, snapshot: shown, problem };
    if (nowhere === null || of.runId === null) return { ...unread, exchanges: read };
    const parents = await askForLog(probe, of.runId);
    const logs = { own: nowhere, parents: parents.answers };
    return { ...unread, logs, exchanges: [...read, ...parents.exchanges] };
  }
  const settled = await readSnapshot(probe, probe.host, { runId, ended: followed.status });
  return {
    ...base,
    answered,
    snapshot: settled.snapshot ?? shown,
    events: followed.events.map(({ raw }) => raw as Json),
    problem: null,
    exchanges: [...read, ...settled.exchanges],
  };
}

/** How a child was followed. */
interface FollowedChild {
  readonly followed: AwaitedRun;
  /** How its log was answered, where it was given in no way at all; null where it was. */
  readonly nowhere: LogAnswers | null;
  readonly exchanges: readonly string[];
}

/** A part of the wait for a log's end in which it has to be there at all. */
const PATIENCE = 0.1;

/** Follows a child to its end, or to an event that is waited for. One whose log is nowhere is not waited for. */
export async function followChild(probe: Probe, runId: string, until: Until): Promise<FollowedChild> {
  const { host, signal, timeoutMs } = probe;
  const early = await followUntil({ signal, timeoutMs: timeoutMs * PATIENCE }, host, { runId, until });
  if (early.kind !== 'unfinished') return { followed: early, nowhere: null, exchanges: early.exchanges };
  const requested = await askForLog(probe, runId);
  const exchanges = [...early.exchanges, ...requested.exchanges];
  if (isNowhere(requested.answers)) return { followed: early, nowhere: requested.answers, exchanges };
  const followed = await followUntil(probe, host, { runId, until });
  return { followed, nowhere: null, exchanges: [...exchanges, ...followed.exchanges] };
}
