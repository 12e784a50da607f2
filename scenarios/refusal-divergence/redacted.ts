import { createRedactor } from '../../src/evidence/redact.ts';
import { named } from '../shared/compare-runs.ts';
import { noEvent, RAISED, type Met } from './met.ts';
import type { Outcome } from './outcome.ts';

/**
 * replay.md, Privacy: the event does not hand on a secret of the provider's refusal text, in no spelling. Elsewhere in the
 * replay the rules of the original execution hold, which nobody can see from outside: that is an advisory.
 */
export function judgeRedacted(met: Met, secret: string): Outcome {
  const { raised, replay, evidence } = met;
  const [event] = raised;
  if (event === undefined) return noEvent(met);
  const redact = createRedactor([secret]);
  const holds = (value: unknown): boolean => {
    const text = JSON.stringify(value) ?? '';
    return redact(text) !== text;
  };
  const leaking = raised.find(({ payload }) => holds(payload));
  if (leaking !== undefined) {
    return {
      kind: 'fail',
      expected: `no secret of the provider's refusal text in ${RAISED}`,
      actual: `the planted secret in the payload at sequence ${leaking.sequence} of ${named(replay)}`,
      evidence,
    };
  }
  const elsewhere = met.events.find(({ payload }) => holds(payload));
  const place = elsewhere === undefined ? 'the snapshot' : `${elsewhere.type} at sequence ${elsewhere.sequence}`;
  const isElsewhere = elsewhere !== undefined || holds(replay.snapshot);
  return { kind: 'pass', evidence, note: isElsewhere ? `advisory: the planted secret stands in ${place}` : undefined };
}
