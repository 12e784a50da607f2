import { type Outcome, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Probe } from '../../src/host/probe.ts';
import { startPublic } from './first-run.ts';
import { FOUNDATIONS } from './foundations.ts';
import { runOf, runsOf } from './need.ts';
import type { Recordings } from './of-type.ts';
import type { RunObservation } from './run-observation.ts';

/** The role of the run that the second tenant makes and reads: the control of what it is refused of others. */
export const OWN = "second tenant's run";

export function startOwn(probe: Probe, otherTenant: HostHandle): Promise<RunObservation> {
  return startPublic({ ...probe, host: otherTenant }, OWN);
}

/** Whether a run was made and can be read: its snapshot, and its log. */
export function isServed({ runId, snapshot, events }: Pick<RunObservation, 'runId' | 'snapshot' | 'events'>): boolean {
  return runId !== null && snapshot !== null && events.length > 0;
}

/** What is left where the second tenant cannot make a run of its own, or not read it: its refusals show nothing. */
function leftUnserved(recorded: Recordings): Outcome | undefined {
  const own = runOf(recorded, OWN);
  // Absent in old evidence.
  if (own === undefined || isServed(own)) return undefined;
  const reason =
    own.runId === null
      ? 'the second tenant is refused everything, also to make a run of its own'
      : 'the second tenant makes a run of its own, and cannot read it';
  const came = own.runId === null && own.answered !== null ? `POST /v1/runs: ${own.answered}` : own.problem;
  const why = came === null ? reason : `${reason} (${came})`;
  // What is read of nobody's runs is no matter of a credential.
  const isUnread = runsOf(recorded).some((run) => run.role !== OWN && run.runId !== null && !isServed(run));
  if (own.runId !== null && isUnread) return rests(FOUNDATIONS.runs, undecided(`${why}, as nobody can`, [own]));
  return undecidedUntil('give a credential that works (--tenant-b-key-env)', why, [own]);
}

/** The judge of what the second tenant is refused: it passes only where that tenant is served what is its own. */
export function whereServed<Rest extends readonly unknown[]>(
  judge: (recorded: Recordings, ...rest: Rest) => Outcome,
): (recorded: Recordings, ...rest: Rest) => Outcome {
  return (recorded, ...rest) => {
    const outcome = judge(recorded, ...rest);
    const isOpen = outcome.kind === 'pass' || outcome.kind === 'undecided';
    return (isOpen ? leftUnserved(recorded) : undefined) ?? outcome;
  };
}
