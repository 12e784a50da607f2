import { terminalStatus, type RunEvent } from '../../src/host/run-event.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { noEvent, RAISED, type Met } from './met.ts';
import type { SeenRun } from './observation.ts';
import type { Outcome } from './outcome.ts';

/**
 * 0041 §B: the event stands before the end of the run, by its number and, where it was streamed, by its place. A stream
 * ends with the terminal event, so only the whole log shows what was written after it.
 */
export function judgePrecedes(met: Met): Outcome {
  const { situation, replay, evidence } = met;
  const whole = situation.run('changed-whole');
  const isWhole = whole !== undefined && whole.runId === replay.runId && whole.problem === null;
  const places = [replay, ...(isWhole ? [whole] : [])].flatMap((run) => placesIn(run) ?? []);
  if (places.length === 0) return noEvent(met);
  const wrong = places.find(({ run, raised, end }) => {
    return raised.event.sequence > end.event.sequence || (run === replay && raised.at > end.at);
  });
  if (wrong === undefined) return { kind: 'pass', evidence };
  const { run, raised, end } = wrong;
  return {
    kind: 'fail',
    expected: `${RAISED} before ${end.event.type}`,
    actual: `${RAISED} at sequence ${raised.event.sequence}, ${end.event.type} at sequence ${end.event.sequence} in ${named(run)}`,
    evidence: [run.id, ...evidence],
  };
}

interface Places {
  readonly run: SeenRun;
  readonly raised: Found;
  readonly end: Found;
}

/** Where the event and the run's end stand in a log; undefined where it lacks one of them. */
function placesIn(run: SeenRun): Places | undefined {
  const events = eventsOf(run);
  const [raised, end] = [find(events, ({ type }) => type === RAISED), find(events, isTerminal)];
  return raised === undefined || end === undefined ? undefined : { run, raised, end };
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
