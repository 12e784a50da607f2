import { randomUUID } from 'node:crypto';
import { member } from '../../src/contract/discovery.ts';
import type { Json, Observation } from '../../src/evidence/types.ts';
import type { WitnessVisit } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { answersTo, openQuestion } from '../shared/open-question.ts';
import { nodeOf } from '../shared/read-event.ts';
import { type ForkBody, readAgain, type RunObservation, startRun } from '../shared/run-observation.ts';
import { ask } from '../shared/seams.ts';
import { callsAfter, type CallsObservation, noncesIn } from '../shared/witnessed-run.ts';
import { forkUntilSettled, isWaiting, untilEnded } from './settled-run.ts';

/** The replays, by what the world is when the recorded result is to be injected. */
export const ROLES = {
  control: 'replay in the recorded world',
  failing: ['replay in a world that changed', 'replay in a world that forgot'],
  midway: 'replay from its node on in a world that changed',
} as const;

/** The replays whose verification has to fail; the last one is driven where the host forks there. */
export const FAILING: readonly string[] = [...ROLES.failing, ROLES.midway];

/** The roles of a replay in a wrong world that was read again: when the world was right again, when a person had confirmed. */
export const afterwards = (role: string): string =>
  `${ordinal(role)} replay in a wrong world, once the world is right again`;
/** Where the counter is read before a replay in a wrong world. */
export const beforehand = (role: string): string => `before the ${ordinal(role)} replay in a wrong world`;
export const confirmed = (role: string): string => `${ordinal(role)} replay after a person confirmed`;

function ordinal(role: string): string {
  return ['first', 'second'][FAILING.indexOf(role)] ?? 'third';
}

/** How often failed verifications were let pass in a run, by the seam `verification`. */
export interface CounterObservation extends Observation {
  readonly type: 'counter';
  readonly of: string;
  readonly total: number | null;
  /** Why there is no figure; null where there is one. */
  readonly problem: string | null;
}

/** The host's answer to a person's confirmation; null where there was none. */
export interface ConfirmationObservation extends Observation {
  readonly type: 'confirmation';
  readonly of: string;
  readonly answered: number | null;
}

export type VerificationObservation = RunObservation | CallsObservation | CounterObservation | ConfirmationObservation;

/** What is done with a replay whose verification failed. */
type FollowUp = (probe: Probe, replay: RunObservation, world: World) => Promise<readonly VerificationObservation[]>;

/** What is done after replays: `followUp` where a verification failed, `count` around the one where it does not. */
export interface Following {
  readonly followUp: FollowUp;
  readonly count?: typeof readCounter;
}

/** The world outside, as a verifier sees it. */
interface World {
  readonly visit: WitnessVisit;
  /** Makes it what the source run left. */
  restore(): void;
}

const RESOURCE = 'receipt';
const NODE = 'charge';

/**
 * Runs a fixture whose recorded result is verified before it is injected, and replays it in the world that the source
 * left, in one with another value and in one without any, the first wrong one again from the node of the call on.
 */
export async function driveVerification(
  probe: Probe,
  workflowId: string,
  { followUp, count }: Following,
): Promise<readonly VerificationObservation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const source = await startRun(probe, { workflowId, inputs: { witnessUrl: visit.url } }, { role: 'source' });
  const sourceCalls = callsAfter('source', visit);
  const [nonce] = noncesIn(sourceCalls);
  if (source.problem !== null || nonce === undefined) return [source, sourceCalls];
  const world: World = { visit, restore: () => visit.stageResource(RESOURCE, { nonce }) };
  const [first, ...others] = eventsOf(source);
  const midway = others.find((event) => nodeOf(event) === NODE);
  const replay = (role: string): Promise<RunObservation> => {
    const from = role === ROLES.midway ? midway : first;
    const body: ForkBody = { mode: 'replay', ...(from === undefined ? {} : { fromSeq: from.sequence }) };
    return forkUntilSettled(probe, source, body, role);
  };
  world.restore();
  const before = (await count?.(probe, source)) ?? [];
  const control = await replay(ROLES.control);
  const controlCalls = callsAfter(ROLES.control, visit);
  const after = (await count?.(probe, control)) ?? [];
  const recorded: VerificationObservation[] = [source, sourceCalls, ...before, control, controlCalls, ...after];
  for (const [index, role] of (midway === undefined ? ROLES.failing : FAILING).entries()) {
    visit.stageResource(RESOURCE, index === 1 ? undefined : { nonce: randomUUID() });
    const counted = (await count?.(probe, { ...control, role: beforehand(role) })) ?? [];
    const run = await replay(role);
    recorded.push(...counted, run, callsAfter(role, visit), ...(await followUp(probe, run, world)));
  }
  return recorded;
}

/** Strict: the world is put right, and the replay read again. */
export const putRight: FollowUp = async (probe, replay, world) => {
  if (replay.problem !== null || isWaiting(replay)) return [];
  world.restore();
  const role = afterwards(replay.role);
  return [await readAgain(probe, replay, { role }), callsAfter(role, world.visit)];
};

/** The answers that the open question of a run suggests. */
function namedIn(replay: RunObservation): readonly Json[] {
  const question = openQuestion(eventsOf(replay), new Map());
  return question === undefined ? [] : answersTo(question);
}

/** Warn: the host is asked how often it let a failed verification pass. */
export async function readCounter(
  probe: Probe,
  { runId, role }: RunObservation,
): Promise<readonly CounterObservation[]> {
  if (runId === null) return [];
  const { body, problem, exchange } = await ask(probe.host, 'verification', { runId });
  const value = member(body, 'confirmationReplayWarnTotal');
  const total = problem === null && typeof value === 'number' ? value : null;
  const why = problem ?? (total === null ? 'the seam verification gives no confirmationReplayWarnTotal' : null);
  return [{ type: 'counter', of: role, total, problem: why, exchanges: [exchange] }];
}

/**
 * Human in the loop: a person confirms, while the world stays as it is: as the fixture says, and where that is refused with an
 * action that the question names.
 */
export const confirm: FollowUp = async (probe, replay, { visit }) => {
  const { runId, role } = replay;
  if (runId === null || replay.problem !== null || !isWaiting(replay)) return [];
  const path = interruptPath(runId, NODE);
  const exchanges: string[] = [];
  let answered: number | null = null;
  for (const resumeValue of [true, ...namedIn(replay)]) {
    const exchange = await probe.host.exchange({ method: 'POST', path, body: JSON.stringify({ resumeValue }) });
    exchanges.push(exchange.id);
    answered = exchange.kind === 'response' ? exchange.status : null;
    if (answered !== 400 && answered !== 422) break;
  }
  const answer: ConfirmationObservation = { type: 'confirmation', of: role, answered, exchanges };
  if (!isSuccess(answered)) return [answer];
  const ended = await untilEnded(probe, { ...replay, role: confirmed(role) });
  return [answer, ended, callsAfter(confirmed(role), visit)];
};
