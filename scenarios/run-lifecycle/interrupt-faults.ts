import { member } from '../../src/contract/discovery.ts';
import type { Fault } from '../../src/contract/validate.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { childrenNamedIn } from '../shared/children.ts';
import { eventsOf, shown } from '../shared/compare-runs.ts';
import { nodeOf } from '../shared/node-of.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** What an answered interrupt has in common with its question. */
const SAME = ['interruptId', 'kind', 'key'] as const;

/**
 * What the payload of an interrupt says that is not so, by the event's number: another run, another node, another question than the
 * one of its node that was asked before (wire, Documents). Forks may show their source's payloads, parents those of their
 * children: nothing is said of these.
 */
export function interruptFaults(run: RunObservation): ReadonlyMap<number, readonly Fault[]> {
  const events = eventsOf(run);
  if (run.fork !== null || childrenNamedIn(events).length > 0) return new Map();
  const questions = events.filter(({ type }) => type === 'interrupt.requested');
  const found = new Map<number, readonly Fault[]>();
  for (const event of events.filter(({ type }) => type === 'interrupt.requested' || type === 'interrupt.resolved')) {
    const question = event.type === 'interrupt.resolved' ? questionOf(event, questions) : undefined;
    const wanted: readonly (readonly [name: string, value: unknown])[] = [
      ['runId', run.runId],
      ['nodeId', event.nodeId],
      ...SAME.map((name) => [name, member(question?.payload, name)] as const),
    ];
    const faults = wanted.flatMap(([name, value]) => {
      const is = member(event.payload, name);
      const isOther = typeof is === 'string' && typeof value === 'string' && is !== value;
      return isOther ? [{ pointer: `/${name}`, wrong: `is ${shown(is)}, not ${shown(value)}` }] : [];
    });
    if (faults.length > 0) found.set(event.sequence, faults);
  }
  return found;
}

/** The question that an answer names, or the last one of its node before it where there is no such question. */
function questionOf(answer: RunEvent, questions: readonly RunEvent[]): RunEvent | undefined {
  const before = questions.filter((each) => nodeOf(each) === nodeOf(answer) && each.sequence < answer.sequence);
  const id = member(answer.payload, 'interruptId');
  return before.find(({ payload }) => member(payload, 'interruptId') === id) ?? before.at(-1);
}
