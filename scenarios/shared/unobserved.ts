import { member } from '../../src/contract/discovery.ts';
import { isMisnumbered, isUnnamed } from '../../src/host/run-event.ts';
import { endOf, endsRun, isEnded } from '../../src/protocol/run-status.ts';
import { eventsOf, named } from './compare-runs.ts';
import { FOUNDATIONS } from './foundations.ts';
import type { RunObservation } from './run-observation.ts';

const READ = 'GET /v1/runs/{runId}/events has to show it, and run.completed, run.failed or run.cancelled when it ends';

/** How the problem of a run ends that waits for an answer which the host did not take. */
export const UNANSWERED = 'could not be answered';
const ANSWER = 'POST /v1/runs/{runId}/interrupts/{nodeId} has to take an answer';

/** Why a run was not seen as far as it was waited for: which it is, what came in the place of what, and what has to be there. */
export function unobservedText(run: RunObservation, awaited = 'its end'): string {
  const { role, runId, fork, answered, workflowId, problem } = run;
  const why = problem ?? 'nobody says why';
  if (runId === null) {
    if (fork === null)
      return `the ${role} was not made: ${why}; POST /v1/runs has to take ${workflowId ?? 'its workflow'}`;
    // What was not requested is no answer's fault.
    return `the ${role} was not made: ${why}${answered === null ? '' : '; expected 201 with a runId'}`;
  }
  const what = workflowId === undefined ? named(run) : `${named(run)} of ${workflowId}`;
  const end = endOf(eventsOf(run));
  return end === undefined
    ? `${what} did not show ${awaited}: ${why}; ${why.endsWith(UNANSWERED) ? ANSWER : READ}`
    : `${what} came to the end ${end} and cannot be judged: ${why}`;
}

/** Says that a scenario did not come to the run of a role, and how far it came with those before it. */
export function undrivenText(role: string, before: readonly RunObservation[] = []): string {
  const last = before.at(-1);
  const came = last === undefined ? 'no run was recorded before it' : `the last run before it is ${cameTo(last)}`;
  return `the ${role} was not driven: ${came}; run it again where the time was over or the evidence is of another version`;
}

function cameTo(run: RunObservation): string {
  return `${named(run)}, which came to ${run.problem ?? endOf(eventsOf(run)) ?? 'no end'}`;
}

/**
 * The check that owns why a run could not be followed to its end: an event in its log has no number, id or type, or its log has no
 * event, or no terminal one, while its snapshot says that it has ended. Undefined where nobody can say whose fault it is.
 */
export function foundationBrokenBy({
  problem,
  events,
  snapshot,
}: Pick<RunObservation, 'problem' | 'events' | 'snapshot'>): string | undefined {
  if (problem === null) return undefined;
  if (events.some(isMisnumbered)) return FOUNDATIONS.numbers;
  if (events.some(isUnnamed)) return FOUNDATIONS.events;
  const isOver = isEnded(member(snapshot, 'status'));
  if (events.length === 0) return isOver ? FOUNDATIONS.runs : undefined;
  return isOver && !events.some(isEnd) ? FOUNDATIONS.ends : undefined;
}

function isEnd(event: unknown): boolean {
  const type = member(event, 'type');
  return typeof type === 'string' && endsRun({ type });
}
