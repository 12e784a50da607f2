import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import type { Difference } from '../shared/compared.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import type { Chain } from './chain.ts';
import { wrong } from './diagnoses.ts';
import { offPlan } from './judge-loop.ts';
import { toldIn, type Told } from './judge-path.ts';
import type { Seen } from './row.ts';
import {
  hasEnded,
  hasStopped,
  isAccepted,
  isWaiting,
  RESUMED,
  SUSPENDED,
  type AskedObservation,
} from './suspending-drive.ts';
import { placeOf } from './transition.ts';

type Asked = Recorded<AskedObservation>;
type Kind = 'clarify' | 'escalate';

/** rfc-0037 §A: a decision that asks suspends the run; its answer lets the loop go on, with one decision for each turn. */
export function judgeSuspends(check: string, seen: Seen, kind: Kind): Judgement {
  const told = toldIn(check, seen, SUSPENDED);
  if ('verdict' in told) return told;
  const { run } = told;
  const asked = seen.find(isAsked);
  if (hasEnded(run)) {
    const expected = `${named(run)} suspended by its decision to ${kind}: interrupt.requested, and no end before its answer`;
    return failing(check, { expected, actual: endText(told), diagnosis: wrong('not-suspended') }, [run]);
  }
  const early = goesOn(told.chain, 'before');
  if (early !== undefined) return failing(check, early, [run]);
  if (asked === undefined) return undecided(check, `${named(run)} shows no question to answer`, [run]);
  const evidence = [run, asked];
  if (hasStopped(asked)) {
    const expected = `${named(run)} waiting for an answer`;
    return failing(
      check,
      { expected, actual: `status ${asked.status ?? ''}`, diagnosis: wrong('not-suspended') },
      evidence,
    );
  }
  return judgeAnswered(check, seen, { asked, kind });
}

function judgeAnswered(
  check: string,
  seen: Seen,
  { asked, kind }: { readonly asked: Asked; readonly kind: Kind },
): Judgement {
  const resumed = seen.some((each) => each.type === 'run' && 'role' in each && each.role === RESUMED);
  if (!resumed) {
    const path = `POST /v1/runs/{runId}/interrupts/${asked.nodeId}`;
    return undecided(
      check,
      `${path} answered ${asked.answered ?? 'nothing'}: it has to take {resumeValue: {approved: true}}`,
      [asked],
    );
  }
  const told = toldIn(check, seen, RESUMED);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const evidence = [run, asked];
  if (!isAccepted(asked)) {
    const actual = `an end; the answer came too late: ${asked.answered ?? 'no answer'}`;
    return failing(check, { expected: `${named(run)} waiting`, actual, diagnosis: wrong('not-suspended') }, evidence);
  }
  const early = goesOn(chain, 'while asked');
  if (early !== undefined) return failing(check, early, evidence);
  const mismatch = offPlan(told, [kind, 'next-worker', 'terminate']);
  if (mismatch !== undefined) return failing(check, mismatch, evidence);
  if (isWaiting(asked.status)) return passing(check, evidence);
  const how = 'GET /v1/runs/{runId} has to show that it waits';
  const status = `its status was ${asked.status ?? 'not readable'} while its question was open`;
  return undecided(check, `${status}: ${how}`, evidence);
}

/** A turn that follows the question before it was answered. Without interrupt.resolved only the first reading tells. */
function goesOn({ events, decisions, transitions }: Chain, reading: 'before' | 'while asked'): Difference | undefined {
  const asked = events.find(({ type }) => type === 'interrupt.requested');
  const resolved = events.find(({ type }) => type === 'interrupt.resolved');
  if (asked === undefined || (reading === 'while asked' && resolved === undefined)) return undefined;
  const until = resolved?.sequence ?? Infinity;
  const turns = [...decisions, ...transitions].map(({ event }) => event);
  const early = turns.find(({ sequence }) => sequence > asked.sequence && sequence < until);
  if (early === undefined) return undefined;
  const expected = `no turn after ${placeOf(asked)} before its answer`;
  return { expected, actual: placeOf(early), diagnosis: wrong('not-suspended') };
}

function endText({ chain }: Told): string {
  const turns = [...chain.decisions, ...chain.transitions].map(({ event }) => event);
  const last = chain.events.at(-1);
  return [...turns, ...(last === undefined ? [] : [last])].map(placeOf).join('; ');
}

function isAsked(each: Recorded<Observation>): each is Asked {
  return each.type === 'asked';
}
