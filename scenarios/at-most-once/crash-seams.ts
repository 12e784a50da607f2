import { member } from '../../src/contract/discovery.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { Cut } from '../../src/host/crash.ts';
import { isGatewayError, isSuccess } from '../../src/protocol/status.ts';
import type { Need } from '../../src/runner/scenario.ts';

const ROOT = '/v1/host/sample/test';

/** The seam that arms a failpoint. */
export const FAILPOINT_SEAM = `${ROOT}/failpoint`;

/** What it takes to kill a host in the middle of a fixture and to count its calls. */
export function cutNeeds(workflowId: string): readonly Need[] {
  return [
    { kind: 'crash' },
    { kind: 'seam', path: FAILPOINT_SEAM, body: '{}' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId },
  ];
}

/** What a seam gave: the body of a 2xx answer, or why there is none; `status` is null where nothing was answered. */
type Answer = { readonly exchange: string } & (
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly reason: string; readonly down: boolean; readonly status: number | null }
);

/** Arms one failpoint: the host kills itself at the hit-th pass from now on. */
export async function arm(host: HostHandle, { name, hit }: Cut): Promise<Answer> {
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
export async function armStall(host: HostHandle, stall: Stall): Promise<Answer & { readonly offered: boolean }> {
  const answer = await ask(host, 'failpoint', { ...stall, action: 'stall' });
  return { ...answer, offered: answer.ok && member(answer.body, 'milliseconds') === stall.milliseconds };
}

/** The failpoints that the host's process passed, in their order; null where it has no such seam. */
export async function passedSoFar(host: HostHandle): Promise<readonly string[] | null> {
  const answer = await ask(host, 'failpoint/passed', {});
  const passed = answer.ok ? member(answer.body, 'passed') : undefined;
  if (!Array.isArray(passed)) return null;
  return passed.filter((name): name is string => typeof name === 'string');
}

/** What the workers of the host's process found and decided for a run, in order; null where it has no such seam. */
export async function decisionsOn(host: HostHandle, runId: string): Promise<readonly Json[] | null> {
  const answer = await ask(host, 'invocations', { runId });
  const decisions = answer.ok ? member(answer.body, 'decisions') : undefined;
  return Array.isArray(decisions) ? (decisions as readonly Json[]) : null;
}

async function ask(host: HostHandle, seam: string, body: object): Promise<Answer> {
  const path = `${ROOT}/${seam}`;
  const exchange = await host.exchange({ method: 'POST', path, body: JSON.stringify(body), repeatable: true });
  const { id } = exchange;
  if (exchange.kind === 'failure') {
    const reason = `POST ${path} got no answer: ${exchange.reason}`;
    return { ok: false, reason, down: true, status: null, exchange: id };
  }
  const { status, json } = exchange;
  if (isSuccess(status)) return { ok: true, body: json.ok ? json.value : undefined, exchange: id };
  const down = isGatewayError(status);
  return { ok: false, reason: `POST ${path} answered ${status}`, down, status, exchange: id };
}
