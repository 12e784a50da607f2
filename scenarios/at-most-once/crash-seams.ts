import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Cut } from '../../src/host/crash.ts';
import { seamPath } from '../../src/protocol/paths.ts';
import { isGatewayError } from '../../src/protocol/status.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { ask, type SeamAnswer } from '../shared/seams.ts';

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

/** What a host tells of the failpoints that its process passed: the names in their order, the last of `total`. */
export interface Passes {
  readonly names: readonly string[];
  /** How many names there were altogether; those that are not in `names` are older. */
  readonly total: number;
}

/** Reads an answer of the seam; without a `total` of its own the list is all there is. */
export function passesIn(passed: readonly unknown[], total: unknown): Passes {
  const names = passed.filter((name) => typeof name === 'string');
  return { names, total: typeof total === 'number' && total > names.length ? total : names.length };
}

/**
 * The names that were passed since; null where the list does not hold all of them: some were dropped, or it no longer begins
 * as it did, as one of bounded length without a total.
 */
export function passedSince(before: Passes, now: Passes): readonly string[] | null {
  const count = now.total - before.total;
  if (count < 0 || count > now.names.length) return null;
  const since = now.names.length - count;
  const kept = now.names.slice(0, since);
  const known = before.names.slice(before.names.length - kept.length);
  const goesOn = kept.length <= before.names.length && kept.every((name, index) => name === known[index]);
  return goesOn ? now.names.slice(since) : null;
}

/** The passes during a run whose tool was called `calls` times: a list with none of them has stopped before. */
export function passedInRun(before: Passes, now: Passes, calls: number): readonly string[] | null {
  const passed = passedSince(before, now);
  return passed?.length === 0 && calls > 0 ? null : passed;
}
