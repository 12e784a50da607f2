import type { EffectFailure, WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { CHARGE } from './fixtures.ts';

/** The ways in which the tool fails after its effect: it answers with an error, or nobody hears from it. */
export const FAILURES: readonly EffectFailure[] = ['status 500', 'reset', 'silence'];

/** How long a run says that its tool may take, in milliseconds (docs/fixtures.md): hosts with limits of their own ignore it. */
const TOOL_TIMEOUT_MS = 300;

/** The inputs of a run whose tool fails so, beside the address of its witness. */
export function inputsOf(how: EffectFailure): Readonly<Record<string, unknown>> {
  return how === 'silence' ? { toolTimeoutMs: TOOL_TIMEOUT_MS } : {};
}

/** A silent call is held for so much of a time-out, and cut off then: every host comes to know of a failure. */
const SILENCE = 0.5;

/** Lets the tool of a visit's run fail. */
export function stageFailure(visit: WitnessVisit, how: EffectFailure, { timeoutMs }: Pick<Probe, 'timeoutMs'>): void {
  visit.failEffect(CHARGE.effect, how, SILENCE * timeoutMs);
}

/** A failure in words. */
export function failureText(how: EffectFailure): string {
  return { 'status 500': 'the tool answers 500', reset: 'the call is reset', silence: 'the tool does not answer' }[how];
}
