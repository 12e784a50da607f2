import { member, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Witness } from '../../src/evidence/witness.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore } from '../../src/host/semaphore.ts';
import { readNow } from '../../src/host/log/now.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation } from '../shared/witnessed-run.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { startHeld } from './held-run.ts';
import { invocationStep } from './invocation-events.ts';
import { drawToolArgs, type ToolArgs } from './tool-args.ts';
import {
  type AdvertisedObservation,
  type ArgsObservation,
  HELD,
  type HeldObservation,
  judgeIdempotencyKeys,
  judgeWriteOrder,
  type ToolCallObservation,
} from './tool-call-judges.ts';

/** Arguments that are drawn beside the fixed ones, and runs that are under way at once. */
const DRAWN = 6;
const AT_ONCE = 4;

async function drive(probe: Probe, { seed }: ScenarioOptions): Promise<readonly ToolCallObservation[]> {
  if (probe.witness === undefined) return [];
  const held = await driveHeld(probe, probe.witness);
  const [run] = held;
  if (run.problem !== null) return held;
  const visit = probe.witness.visit();
  const line = createSemaphore(Math.min(AT_ONCE, probe.concurrency));
  const args = drawToolArgs(await import('fast-check'), seed, DRAWN);
  const runs = await Promise.all(args.map((each) => line(() => driveArgs(probe, visit.url, each))));
  return [...held, advertisedBy(probe), ...runs.flat()];
}

function advertisedBy({ discovery, discoveryExchange }: Probe): AdvertisedObservation {
  const formula = member(readPart(discovery, 'provable')?.value, 'idempotencyKey');
  const idempotencyKey = typeof formula === 'string' ? formula : null;
  return { type: 'advertised', idempotencyKey, exchanges: [discoveryExchange.id] };
}

const HELD_ARGS = '{"currency":"EUR","amount":12.50}';

async function driveHeld(
  probe: Probe,
  witness: Witness,
): Promise<readonly [RunObservation, ArgsObservation, HeldObservation, CallsObservation]> {
  const visit = witness.visit();
  const { run, seen, unheld } = await startHeld(probe, {
    visit,
    request: requestText(visit.url, HELD_ARGS),
    role: HELD,
    effect: CHARGE.effect,
    whileHeld: (runId) => readStarted(probe, runId),
  });
  const events = seen?.events?.map(({ raw }) => raw as Json);
  const problem = events === undefined ? (unheld ?? 'the log could not be read while the tool was at work') : null;
  const held: HeldObservation = { type: 'held', problem, events: events ?? [], exchanges: seen?.exchanges ?? [] };
  return [run, argsOf(run, HELD_ARGS), held, callsAfter(HELD, visit)];
}

/** How long a start that was written before the call may take to show, as a part of the time-out. */
const PATIENCE = 0.25;

function isStart({ type }: { readonly type: string }): boolean {
  return invocationStep(type) === 'started';
}

function readStarted(probe: Probe, runId: string) {
  return repeatPaced(
    () => readNow(probe.host, runId, isStart),
    ({ events }) => events === undefined || events.some(isStart),
    { patienceMs: probe.timeoutMs * PATIENCE, signal: probe.signal },
  );
}

async function driveArgs(probe: Probe, url: string, { name, text }: ToolArgs): Promise<readonly ToolCallObservation[]> {
  const run = await startRun(probe, requestText(url, text), { role: `arguments: ${name}` });
  return [run, argsOf(run, text)];
}

/** The request as text, so that the arguments stay as they are spelled. */
function requestText(url: string, args: string | null): string {
  const toolArgs = args === null ? '' : `,"toolArgs":${args}`;
  return `{"workflowId":${JSON.stringify(ONCE)},"inputs":{"witnessUrl":${JSON.stringify(url)}${toolArgs}}}`;
}

function argsOf({ role, exchanges }: RunObservation, request: string | null): ArgsObservation {
  return { type: 'args', of: role, request, exchanges };
}

/** sem §3 and §4.1, on runs that nothing happens to. */
export const toolCall = defineScenario<ToolCallObservation>({
  id: 'once.tool-call',
  suite: 'at-most-once',
  title: 'A tool call, step by step, and the key that it is known by',
  gate: provableSemantics,
  needs: [{ kind: 'witness' }, { kind: 'fixture', workflowId: ONCE }],
  drive,
  checks: [
    {
      id: 'once.write-order',
      title:
        'The start is in the stream before the tool is called, then the result, the commit and the end of the node',
      judge: judgeWriteOrder,
    },
    {
      id: 'once.idempotency-key',
      title: 'The key is SHA-256 of run, node, tool and canonical arguments, the same in every event of the call',
      judge: judgeIdempotencyKeys,
    },
  ],
});
