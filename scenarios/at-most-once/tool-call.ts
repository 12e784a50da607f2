import type { Arbitrary } from 'fast-check';
import { member, readPart } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Witness } from '../../src/evidence/witness.ts';
import { readNow } from '../../src/host/log/now.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore } from '../../src/host/semaphore.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { clashingNames, type Library, membersText, valueText } from '../shared/generate-text.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { callsAfter, type CallsObservation } from '../shared/witnessed-run.ts';
import { driveBranch } from './branch-key.ts';
import { judgeEveryKey, judgeEveryOrder } from './every-call.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { startHeld } from '../shared/held-run.ts';
import { invocationStep } from './invocation-events.ts';
import {
  type AdvertisedObservation,
  type ArgsObservation,
  HELD,
  type HeldObservation,
  judgeIdempotencyKeys,
  judgeWriteOrder,
  type ToolCallObservation,
} from './tool-call-judges.ts';

/** Arguments that a tool is called with, and why. */
interface ToolArgs {
  readonly name: string;
  /** The arguments as JSON text; null where the run has no such input. */
  readonly text: string | null;
}

/** Every way in which an object may be written otherwise than in its canonical form. */
const FIXED: readonly ToolArgs[] = [
  { name: 'none', text: null },
  { name: 'an empty object', text: '{}' },
  { name: 'names in another order', text: '{"b":{"z":1,"y":[{"d":1,"c":2}]},"a":2,"B":3,"10":4,"9":5}' },
  { name: 'numbers', text: '{"n":[-0,-0.0,1e21,1E2,4.50,1e-7,0.000001,5e-324,9007199254740991,333333333.33333329]}' },
  { name: 'strings', text: String.raw`{"s":"\u00e9 e\u0301 \ud83d\ude00 \u2028 \/ < \" \\ \n \u001f","":""}` },
  { name: 'names beyond ASCII', text: '{"\u{1f600}":1,"\ufb33":2,"\u00e9":3,"e\u0301":4,"z":5}' },
  { name: 'empty values', text: '{"o":{},"a":[],"n":null,"f":false,"s":""}' },
  { name: 'white space', text: '{ "b" : [ 1 , 2 ] ,\n\t"a" : { } }' },
];

/** Neither U+0000 nor __proto__: hosts may refuse such inputs, for their databases' sake and their own. */
function isWelcome(text: string): boolean {
  return !text.includes(String.raw`\u0000`) && !text.includes('\0') && !text.includes('__proto__');
}

/** Spreads neighbouring seeds apart. */
const SEED_STRIDE = 0x9e3779b1;

/** The fixed arguments, and `count` that are drawn; the same seed gives the same ones. */
export function drawToolArgs(fc: Library, seed: number, count: number): readonly ToolArgs[] {
  const members: Arbitrary<string> = membersText(fc, valueText(fc, 2), clashingNames.length).filter(isWelcome);
  const drawn = fc.sample(members, { seed: Math.imul(seed, SEED_STRIDE) | 0, numRuns: count });
  return [...FIXED, ...drawn.map((text, index) => ({ name: `generated ${index + 1}`, text }))];
}

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
  const [called] = runs.flat();
  const branched = await driveBranch(probe, called?.type === 'run' ? called : undefined, visit);
  return [...held, advertisedBy(probe), ...runs.flat(), ...branched];
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
  const { run, found, unheld } = await startHeld(probe, {
    visit,
    request: requestText(visit.url, HELD_ARGS),
    role: HELD,
    effect: CHARGE.effect,
    whileHeld: (runId) => readStarted(probe, runId),
  });
  const events = found?.events?.map(({ raw }) => raw as Json);
  const problem = events === undefined ? (unheld ?? 'the log could not be read while the tool was at work') : null;
  const held: HeldObservation = { type: 'held', problem, events: events ?? [], exchanges: found?.exchanges ?? [] };
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
  foundation: true,
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
      title: 'The key is SHA-256 of run, node, tool and canonical arguments, the same in start and end of the call',
      judge: judgeIdempotencyKeys,
    },
    {
      id: 'once.write-order.every-run',
      title: 'The result stands before the commit in every run that calls a tool, and says success where it succeeded',
      judge: (_, { everything }) => judgeEveryOrder(everything),
    },
    {
      id: 'once.idempotency-key.every-run',
      title: 'Start and end of a call hold its key in every run that calls a tool',
      judge: (_, { everything }) => judgeEveryKey(everything),
    },
  ],
});
