import type { Judgement } from '../../src/contract/verdict.ts';
import { terminalStatus } from '../../src/host/run-event.ts';
import { named } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { failing, passing } from '../shared/judging.ts';
import type { Chain } from './chain.ts';
import { toldIn, type Told } from './judge-path.ts';
import { listed } from './path.ts';
import type { Seen } from './row.ts';
import { placeOf, type Decision } from './transition.ts';

/** The kinds of a fixture's decisions, in the order of its plan. */
export type Plan = readonly string[];

/** rfc-0037 §A: one decision for each turn of the plan, and nothing after terminate but the run's end. */
export function judgeLoop(
  check: string,
  seen: Seen,
  { role, plan }: { readonly role: string; readonly plan: Plan },
): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const mismatch = offPlan(told, plan) ?? afterTheEnd(told);
  if (mismatch !== undefined) return failing(check, mismatch, [told.run]);
  const end = told.chain.events.map(({ type }) => terminalStatus(type)).find((status) => status !== undefined);
  const reason = end === 'completed' ? undefined : `the run ended ${end ?? 'without an event'} after terminate`;
  return passing(check, [told.run], reason);
}

/** Where the decisions of a run leave the plan, or undefined. */
export function offPlan({ run, chain }: Told, plan: Plan): Difference | undefined {
  const kinds = chain.decisions.map(({ kind }) => kind);
  if (kinds.length === plan.length && plan.every((kind, index) => kind === kinds[index])) return undefined;
  return {
    expected: `one decision for each turn of ${named(run)}: ${plan.join(', ')}`,
    actual: decided(chain.decisions),
  };
}

function decided(decisions: readonly Decision[]): string {
  return decisions.length === 0 ? 'no decision' : decisions.map(({ event }) => placeOf(event)).join('; ');
}

/** A transition behind the decision to terminate. */
function afterTheEnd({ run, chain }: Told): Difference | undefined {
  const end = terminateOf(chain);
  const later = chain.transitions.filter(({ event }) => end !== undefined && event.sequence > end.event.sequence);
  if (end === undefined || later.length === 0) return undefined;
  return { expected: `no transition after ${placeOf(end.event)} in ${named(run)}`, actual: listed(later) };
}

function terminateOf({ decisions }: Chain): Decision | undefined {
  return decisions.find(({ kind }) => kind === 'terminate');
}
