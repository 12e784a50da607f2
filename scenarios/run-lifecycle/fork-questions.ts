import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { childrenNamedIn } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { type Origins, originsOf } from './named-run.ts';

/** What the log of a run asked, as far as it was read. */
interface Asked {
  readonly ids: ReadonlySet<unknown>;
  /** Whether the log was read to its end, so that no question is missing. */
  readonly isWhole: boolean;
}

/** What runs asked, by their ids; a run may have been read several times. */
export type Questions = ReadonlyMap<string, Asked>;

/** What the logs of all runs asked. */
export function questionsIn(runs: readonly RunObservation[]): Questions {
  const questions = new Map<string, Asked>();
  for (const run of runs) {
    if (run.runId === null || run.problem !== null) continue;
    const known = questions.get(run.runId);
    const events = eventsOf(run);
    const ids = events.filter(isQuestion).map(({ payload }) => member(payload, 'interruptId'));
    questions.set(run.runId, {
      ids: new Set([...(known?.ids ?? []), ...ids]),
      isWhole: known?.isWhole === true || events.some(endsRun),
    });
  }
  return questions;
}

/** A question, or that its node waits for the answer. */
function isQuestion({ type }: { readonly type: string }): boolean {
  return type === 'interrupt.requested' || type === 'node.suspended';
}

/**
 * The answers in the log of a fork that name a question which neither it nor any run that it came from has asked, by their numbers
 * (wire, Documents). A fork may show the ids of its source or ids of its own, and need not show what it does not ask; nothing is said
 * where a run that it came from was not read to its end, or shows no question.
 */
export function forkQuestionFaults(
  run: RunObservation,
  origins: Origins,
  questions: Questions,
): ReadonlyMap<number, readonly Fault[]> {
  const events = eventsOf(run);
  const before = [...originsOf(run, origins)].map((id) => questions.get(String(id)));
  const isKnown = before.length > 0 && before.every((each) => each?.isWhole === true && each.ids.size > 0);
  if (run.fork === null || !isKnown || childrenNamedIn(events).length > 0) return new Map();
  const own = events.filter(isQuestion).map(({ payload }) => member(payload, 'interruptId'));
  const asked = new Set([...own, ...before.flatMap((each) => [...(each?.ids ?? [])])]);
  return new Map(
    events.flatMap(({ type, payload, sequence }) => {
      const id = member(payload, 'interruptId');
      if (type !== 'interrupt.resolved' || typeof id !== 'string' || asked.has(id)) return [];
      const wrong = `is ${shown(id)}, which no interrupt.requested of the fork or of its source has`;
      return [[sequence, [{ pointer: '/interruptId', wrong }]] as const];
    }),
  );
}
