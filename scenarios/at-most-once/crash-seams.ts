import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Cut } from '../../src/host/crash.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import { isGatewayError } from '../../src/protocol/status.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { ask, type SeamAnswer } from '../shared/seams.ts';
import { type Passes, passesIn } from './passes.ts';

/** The seam that arms a failpoint. */
const FAILPOINT_SEAM = seamPath('failpoint');

/** What it takes to kill a host in the middle of a fixture and to count its calls. */
export function cutNeeds(workflowId: string): readonly Need[] {
  return [
    { kind: 'crash' },
    { kind: 'seam', path: FAILPOINT_SEAM, body: '{}' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId },
  ];
}

/** Whether a seam answered as one does where nobody listens. */
export function isDown({ status }: SeamAnswer): boolean {
  return status === null || isGatewayError(status);
}

/** Arms one failpoint: the host kills itself at the hit-th pass from now on. */
export async function arm(host: HostHandle, { name, hit }: Cut): Promise<SeamAnswer> {
  return ask(host, 'failpoint', { name, hit, action: 'kill' });
}

/** A hit that no run reaches: takes the place of what is still armed. */
const NEVER = 1_000_000_000;

/** Leaves a failpoint that was not passed behind as one that never will be. */
export async function disarm(host: HostHandle, { name }: Cut): Promise<string> {
  return (await arm(host, { name, hit: NEVER })).exchange;
}

/** A place where the next worker that comes by is to stand still, and for how many milliseconds. */
export interface Stall {
  readonly name: string;
  readonly milliseconds: number;
}

/** Lets the next worker that passes a place stand still there. Hosts that can do that repeat `milliseconds` in their answer. */
export async function armStall(host: HostHandle, stall: Stall): Promise<SeamAnswer> {
  const answer = await ask(host, 'failpoint', { ...stall, action: 'stall' });
  const isOffered = answer.problem !== null || member(answer.body, 'milliseconds') === stall.milliseconds;
  return isOffered ? answer : { ...answer, problem: `POST ${FAILPOINT_SEAM} does not know the action stall` };
}

/** The failpoints that the host's process passed, in their order; null where it has no such seam. */
export async function passedSoFar(host: HostHandle): Promise<Passes | null> {
  const { body } = await ask(host, 'failpoint/passed', {});
  const passed = member(body, 'passed');
  return Array.isArray(passed) ? passesIn(passed, member(body, 'total')) : null;
}

/** What the workers of the host's process found and decided for a run, in order; null where it has no such seam. */
export async function decisionsOn(host: HostHandle, runId: string): Promise<readonly Json[] | null> {
  const decisions = member((await ask(host, 'invocations', { runId })).body, 'decisions');
  return Array.isArray(decisions) ? (decisions as readonly Json[]) : null;
}
