import type { Judgement } from '../../src/contract/verdict.ts';
import { named } from '../shared/compare-runs.ts';
import { shareIds } from '../shared/event-ids.ts';
import { runOf } from '../shared/judge-run.ts';
import { failing, passing, undecided, type SeenRun } from '../shared/judging.ts';
import { childOf, handoffText, inPhase, readChain, type Chain, type Handoff } from './chain.ts';
import { childrenOf, childWithId, statusOf } from './child-run.ts';
import { brokenLink } from './links.ts';
import { HARVESTED_PATH, listed, offPath } from './path.ts';
import type { Seen } from './row.ts';
import { COMPLETED } from './transition.ts';
import { unwatched } from './watched.ts';

/** A run that was seen to its end, with its handoffs. */
export interface Told {
  readonly run: SeenRun;
  readonly chain: Chain;
}

/** The run of a role with its handoffs, or the judgement that is left. */
export function toldIn(check: string, seen: Seen, role: string): Told | Judgement {
  const run = runOf(seen, role);
  const missing = unwatched(check, run);
  if (missing !== undefined || run === undefined) return missing ?? undecided(check, 'no run was driven', []);
  return { run, chain: readChain(run) };
}

/** Which run is judged, and how many workers its decisions name. */
interface Path {
  readonly role: string;
  readonly workers: number;
}

const NO_CHILD_EVENT = `the host has no ${COMPLETED}: output.harvested follows dispatch.succeeded`;

/** rfc-0037 §B: every worker of the run goes the whole way, each phase once, in order. */
export function judgePath(check: string, seen: Seen, { role, workers }: Path): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  const children = childrenOf(seen, role);
  const evidence = [run, ...children];
  if (chain.handoffs.length !== workers) {
    const expected = `${HARVESTED_PATH.phases.join(', ')} for ${workers === 1 ? 'one worker' : `${workers} workers`}`;
    return failing(check, { expected, actual: `${listed(chain.transitions)} in ${named(run)}` }, evidence);
  }
  for (const handoff of chain.handoffs) {
    const child = childWithId(children, childOf(handoff, chain));
    if (child !== undefined && statusOf(child) === 'failed') {
      return undecided(check, `the child of ${handoffText(handoff)} failed: ${child.runId}`, evidence);
    }
    const mismatch = offPath(handoff, HARVESTED_PATH);
    if (mismatch !== undefined) return failing(check, mismatch, evidence);
  }
  return passing(check, evidence, chain.handoffs.every(hasCompleted) ? undefined : NO_CHILD_EVENT);
}

function hasCompleted(handoff: Handoff): boolean {
  return inPhase(handoff, COMPLETED).length > 0;
}

/** Why no link of a log can be followed in which events share an id. */
export function linksNowhere(run: SeenRun): string {
  return `events of ${named(run)} share their eventId, so that a causationId leads nowhere`;
}

/** rfc-0037 §B: the causation ids of the run's transitions. */
export function judgeLinks(check: string, seen: Seen, { role, workers }: Path): Judgement {
  const told = toldIn(check, seen, role);
  if ('verdict' in told) return told;
  const { run, chain } = told;
  if (shareIds(chain.events)) return undecided(check, linksNowhere(run), [run]);
  const mismatch = brokenLink(chain);
  if (mismatch !== undefined) return failing(check, mismatch, [run]);
  if (chain.handoffs.length >= workers && chain.transitions.length > workers) return passing(check, [run]);
  return undecided(check, `${named(run)} has ${listed(chain.transitions)}: no chain to follow`, [run]);
}
