import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import { isCharge, isOwner, nameOf } from './workers-judge.ts';

/** How a call went from one worker to another, by the attempts that their decisions name. */
export interface Takeover {
  /** The attempt that had the call first, and decided nothing more before it was taken over. */
  readonly stalled: string;
  readonly successor: string;
  /** Whether the successor came to another decision afterwards: it did not get the call. */
  readonly lost: boolean;
  /** Whether the first attempt came to another decision afterwards. */
  readonly awake: boolean;
}

/** Reads a takeover off the decisions about the fixture's tool, in their order; undefined where there was none. */
export function takeoverIn(all: readonly Json[]): Takeover | undefined {
  const decisions = all.filter(isCharge).map((each) => ({ attempt: attemptIn(each), owns: isOwner(nameOf(each)) }));
  const index = decisions.findLastIndex(({ owns }) => owns);
  const successor = decisions[index]?.attempt;
  const before = decisions.slice(0, Math.max(0, index)).filter(({ attempt }) => attempt !== successor);
  const stalled = before.find(({ attempt }) => before.every((each) => each.attempt !== attempt || each.owns))?.attempt;
  if (successor === undefined || stalled === undefined) return undefined;
  const after = decisions.slice(index + 1).map(({ attempt }) => attempt);
  return { stalled, successor, lost: after.includes(successor), awake: after.includes(stalled) };
}

function attemptIn(decision: Json): string {
  const attempt = member(decision, 'attempt');
  return typeof attempt === 'string' || typeof attempt === 'number' ? String(attempt) : '';
}
