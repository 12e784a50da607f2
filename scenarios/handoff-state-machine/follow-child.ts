import { type AwaitedRun, followUntil } from '../../src/host/follow.ts';
import type { Until } from '../../src/host/event-stream.ts';
import type { Probe } from '../../src/host/probe.ts';
import { askForLog, isNowhere, type LogAnswers } from '../shared/log-answers.ts';

/** How a child was followed. */
export interface FollowedChild {
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
  const asked = await askForLog(probe, runId);
  const exchanges = [...early.exchanges, ...asked.exchanges];
  if (isNowhere(asked.answers)) return { followed: early, nowhere: asked.answers, exchanges };
  const followed = await followUntil(probe, host, { runId, until });
  return { followed, nowhere: null, exchanges: [...exchanges, ...followed.exchanges] };
}
