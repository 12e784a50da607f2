import { terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { noEvent, RAISED, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';

/** 0041 §B: the event stands before the end of the run, by its place in the log and by its number. */
export function judgePrecedes(met: Met): Outcome {
  const { situation, replay, evidence } = met;
  const whole = situation.run('changed-whole');
  // A stream ends with the terminal event, so only a whole log shows what was written after it.
  const run = whole !== undefined && whole.runId === replay.runId && whole.problem === null ? whole : replay;
  const events = eventsOf(run);
  const [raised, end] = [find(events, ({ type }) => type === RAISED), find(events, isTerminal)];
  if (raised === undefined) return noEvent(met);
  if (end === undefined) return { kind: 'open', reason: `${named(run)} has no terminal event`, evidence };
  if (raised.at < end.at && raised.event.sequence < end.event.sequence) return { kind: 'pass', evidence };
  return {
    kind: 'fail',
    expected: `${RAISED} before ${end.event.type}`,
    actual: `${RAISED} at sequence ${raised.event.sequence}, ${end.event.type} at sequence ${end.event.sequence} in ${named(run)}`,
    evidence: [run.id, ...evidence],
  };
}

function isTerminal({ type }: RunEvent): boolean {
  return terminalStatus(type) !== undefined;
}

interface Found {
  readonly event: RunEvent;
  readonly at: number;
}

function find(events: readonly RunEvent[], fits: (event: RunEvent) => boolean): Found | undefined {
  const at = events.findIndex(fits);
  const event = events[at];
  return event === undefined ? undefined : { event, at };
}
