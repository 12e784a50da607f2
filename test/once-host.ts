import { member } from '../src/contract/discovery.ts';
import type { Exchange, HostHandle, HostRequest } from '../src/host/client.ts';
import { readJsonText } from '../src/host/json.ts';
import { idempotencyKey } from '../scenarios/at-most-once/idempotency-key.ts';

/** What a host made of one tool may do otherwise than it should, or leave out. */
export interface OnceHostOptions {
  readonly mode?: 'strict' | 'warn' | 'human-in-loop' | 'none';
  /** Take the action of this name for a confirmation, which the question names, and nothing else. */
  readonly confirmedBy?: string;
  /** Write the start of a call when the tool has answered. */
  readonly lateStart?: boolean;
  /** Answer POST /v1/runs when the run has ended. */
  readonly synchronous?: boolean;
  /** Let every worker execute. */
  readonly shared?: boolean;
  /** Let a worker stand still where that is asked for; what it does when it wakes up. */
  readonly stall?: 'fenced' | 'unfenced';
  /** Tell which failpoints were passed: their name, which is advertised. */
  readonly tellsPassed?: string;
  /** After a death: go on under the attempt of the dead worker, or from the first tool again. */
  readonly afterDeath?: 'same-attempt' | 'from-the-start';
}

/** A host that can be killed at its failpoints, and started again. */
export interface MortalHost {
  readonly host: HostHandle;
  readonly revive: () => void;
}

/** The failpoint before a tool is claimed, whatever it is called, and the one behind its call. */
export const FAILPOINT = 'before-acquire';
export const BEHIND_CALL = 'after-execute';

/** What ends a run whose host dies. */
class Death extends Error {}

interface Run {
  readonly id: string;
  readonly inputs: unknown;
  readonly workers: number;
  readonly tools: readonly Tool[];
  readonly events: object[];
  readonly decisions: object[];
  /** Whether its first worker is to stand still. */
  readonly isStalled: boolean;
  readonly variables: Record<string, unknown>;
  readonly recorded: Readonly<Record<string, unknown>>;
  /** The nodes whose tool failed, in this run or in the one that it was forked from. */
  readonly failures: Set<string>;
  /** Counts the passes of a failpoint; true where the host dies there. */
  readonly pass: (name: typeof BEHIND_CALL | 'before') => boolean;
  attempt: number;
  /** How often its host has died: each life is another worker. */
  deaths: number;
  status: string;
  warned: number;
}

interface Tool {
  readonly nodeId: string;
  readonly toolName: string;
  readonly args: (inputs: unknown) => string;
}

const CHARGE: Tool = {
  nodeId: 'charge',
  toolName: 'charge-card',
  args: (inputs) => JSON.stringify(member(inputs, 'toolArgs') ?? {}),
};
const TWO: readonly Tool[] = [
  { nodeId: 'first', toolName: 'first-tool', args: () => '{"step":1,"note":"first"}' },
  { nodeId: 'second', toolName: 'second-tool', args: () => '{"step":2,"note":"second"}' },
];

type Reply = readonly [status: number, body: unknown];

/** A host in this process that calls tools and replays them, as small as the drives of at-most-once need it. */
export function onceHost(options: OnceHostOptions = {}): MortalHost {
  const runs = new Map<string, Run>();
  let exchanges = 0;
  let passesLeft = Infinity;
  let passes = 0;
  let armed: Parameters<Run['pass']>[0] = 'before';
  let stalling = false;
  const pass: Run['pass'] = (name) => {
    if (name === armed) passesLeft -= 1;
    if (name === 'before') passes += 1;
    return name === armed && passesLeft === 0;
  };
  const create = (body: unknown, recorded: Run['recorded'] = {}, inherited?: Run): Run => {
    const inputs = inherited?.inputs ?? member(body, 'inputs');
    const tools =
      inherited?.tools ?? (member(body, 'workflowId') === 'conformance-determinism-once-twice' ? TWO : [CHARGE]);
    const workers = Number(member(member(body, 'configurable'), 'workers') ?? 1);
    const fresh = {
      inputs,
      workers,
      tools,
      recorded,
      failures: new Set(inherited?.failures),
      events: [],
      decisions: [],
      variables: {},
      status: 'running',
      warned: 0,
    };
    const run: Run = { id: `run-${runs.size}`, attempt: 1, deaths: 0, isStalled: stalling, pass, ...fresh };
    runs.set(run.id, run);
    append(run, 'run.started');
    return run;
  };
  const answer = async ({ method, path, body }: HostRequest): Promise<Reply> => {
    const [, id = '', rest = ''] = /^\/v1\/runs\/([^/:?]+)(.*)$/u.exec(path) ?? [];
    const sent: unknown = body === undefined ? undefined : JSON.parse(body);
    const run = runs.get(id) ?? runs.get(String(member(sent, 'runId')));
    if (path.endsWith('/test/failpoint') && member(sent, 'action') === 'stall') {
      stalling = options.stall !== undefined;
      return stalling ? [200, sent] : [400, {}];
    }
    if (path.endsWith('/test/failpoint/passed')) {
      const { tellsPassed } = options;
      return tellsPassed === undefined
        ? [404, {}]
        : [200, { passed: Array.from({ length: passes }, () => tellsPassed) }];
    }
    if (path.endsWith('/test/workflow-revision')) return [200, {}];
    if (path.endsWith('/test/failpoint')) {
      passesLeft = Number(member(sent, 'hit'));
      armed = member(sent, 'name') === BEHIND_CALL ? BEHIND_CALL : 'before';
      return [200, sent];
    }
    if (path === '/v1/runs') return started(create(sent), options);
    if (run === undefined) return [404, {}];
    if (rest === ':fork') return started(create(sent, run.variables, run), options);
    if (rest.startsWith('/interrupts/')) {
      const isNamed = member(member(sent, 'resumeValue'), 'action') === options.confirmedBy;
      return options.confirmedBy === undefined || isNamed ? confirm(run, options) : [422, {}];
    }
    if (rest === '/events') return [200, run.events];
    if (path.endsWith('/test/invocations')) return [200, { decisions: run.decisions }];
    if (path.endsWith('/test/verification')) return [200, { confirmationReplayWarnTotal: run.warned }];
    return method === 'GET' ? [200, { runId: id, status: run.status, variables: run.variables }] : [404, {}];
  };
  const exchange = async (request: HostRequest): Promise<Exchange> => {
    if (passesLeft <= 0) return { id: 'x0', kind: 'failure', reason: 'refused', message: 'nobody listens' };
    const [status, body] = await answer(request);
    const text = JSON.stringify(body);
    exchanges += 1;
    return { id: `x${exchanges}`, kind: 'response', status, headers: {}, text, json: readJsonText(text) };
  };
  const revive = (): void => {
    passesLeft = Infinity;
    for (const run of runs.values()) if (run.status === 'running') recover(run, options);
  };
  return { host: { baseUrl: 'http://host', exchange, stream: (request) => exchange(request) }, revive };
}

function recover(run: Run, options: OnceHostOptions): void {
  run.deaths += 1;
  if (options.afterDeath !== 'same-attempt') run.attempt += 1;
  if (options.afterDeath === 'from-the-start') delete run.variables['first'];
  void carryOut(run, options, false);
}

async function started(run: Run, options: OnceHostOptions): Promise<Reply> {
  const carried = carryOut(run, options, false);
  if (options.synchronous === true) await carried;
  return [201, { runId: run.id, status: run.status }];
}

async function confirm(run: Run, options: OnceHostOptions): Promise<Reply> {
  run.status = 'running';
  await carryOut(run, options, true);
  return [200, {}];
}

function append(run: Run, type: string, payload: unknown = {}, nodeId?: string): void {
  const sequence = run.events.length;
  run.events.push({ eventId: `${run.id}-${sequence}`, runId: run.id, type, sequence, payload, nodeId });
}

async function carryOut(run: Run, options: OnceHostOptions, isConfirmed: boolean): Promise<void> {
  for (const tool of run.tools) {
    if (tool.nodeId in run.variables) continue;
    if (run.pass('before')) return;
    if (isInDoubt(run, tool)) {
      append(run, 'run.failed', { error: { code: 'tool_in_doubt' } });
      run.status = 'failed';
      return;
    }
    const recorded = run.recorded[tool.nodeId];
    const verdict = recorded === undefined || isConfirmed ? 'agrees' : await verify(run, recorded, options);
    if (verdict === 'park') {
      const { confirmedBy } = options;
      const actions = confirmedBy === undefined ? {} : { actions: [{ id: 'reject' }, { id: confirmedBy }] };
      append(run, 'interrupt.requested', { kind: 'approval', key: 'verification', ...actions }, tool.nodeId);
      run.status = 'waiting-approval';
      return;
    }
    if (verdict === 'fail') {
      append(run, 'run.failed', { error: { code: 'replay_verification_failed' } });
      run.status = 'failed';
      return;
    }
    try {
      await carryOutTool(run, tool, options);
    } catch (error) {
      if (error instanceof Death) return;
      run.failures.add(tool.nodeId);
      append(run, 'tool_invocation_finished', { outcome: 'failure' }, tool.nodeId);
      append(run, 'run.failed', { error: { code: 'tool_failed' } });
      run.status = 'failed';
      return;
    }
  }
  append(run, 'run.completed');
  run.status = 'completed';
}

/** Whether a call was begun and nothing says how it ended. */
function isInDoubt({ events }: Run, { nodeId }: Tool): boolean {
  const of = (type: string): boolean =>
    events.some((event) => member(event, 'type') === type && member(event, 'nodeId') === nodeId);
  return of('tool_invocation_started') && !of('tool_invocation_finished');
}

async function verify(
  run: Run,
  recorded: unknown,
  { mode = 'none' }: OnceHostOptions,
): Promise<'agrees' | 'park' | 'fail'> {
  if (mode === 'none') return 'agrees';
  const response = await fetch(`${String(member(run.inputs, 'witnessUrl'))}/resources/receipt`);
  const world: unknown = await response.json();
  if (response.ok && member(world, 'nonce') === member(recorded, 'nonce')) return 'agrees';
  if (mode === 'warn') run.warned += 1;
  if (mode === 'warn') return 'agrees';
  return mode === 'strict' ? 'fail' : 'park';
}

async function carryOutTool(run: Run, tool: Tool, options: OnceHostOptions): Promise<void> {
  const { nodeId, toolName } = tool;
  const key = idempotencyKey({ runId: run.id, nodeId, toolName, args: tool.args(run.inputs) });
  const said = { tool_name: toolName, idempotency_key: key, worker_id: `w-${run.deaths}` };
  const start = (): void => append(run, 'tool_invocation_started', said, nodeId);
  if (options.lateStart !== true) start();
  const result = run.recorded[nodeId] ?? (await callAsWorkers(run, nodeId, options));
  if (run.pass(BEHIND_CALL)) throw new Death();
  if (options.lateStart === true) start();
  append(run, 'tool_invocation_finished', { idempotency_key: key, outcome: 'success', result }, nodeId);
  append(run, 'command_committed', { idempotency_key: key }, nodeId);
  run.variables[nodeId] = result;
  append(run, 'node.completed', { output: result }, nodeId);
}

async function callAsWorkers(run: Run, nodeId: string, options: OnceHostOptions): Promise<unknown> {
  if (run.isStalled) return callAfterStall(run, nodeId, options);
  const isOwner = (worker: number): boolean => options.shared === true || worker === 0;
  const workers = Array.from({ length: run.workers }, (_, worker) => worker);
  for (const worker of workers) decided(run, isOwner(worker) ? 'AllowExecute' : 'WaitOtherWorker', worker + 1);
  return (await Promise.all(workers.filter(isOwner).map(() => callTool(run, nodeId))))[0];
}

/** The second worker takes over from the first, which wakes up while the tool is at work. */
async function callAfterStall(run: Run, nodeId: string, { stall }: OnceHostOptions): Promise<unknown> {
  decided(run, 'AllowExecute', 1);
  decided(run, 'WaitOtherWorker', 2);
  decided(run, 'AllowExecute', 2);
  run.attempt = 2;
  const answer = callTool(run, nodeId);
  await new Promise((resolve) => setImmediate(resolve));
  run.attempt = 1;
  if (stall === 'unfenced') await callTool(run, nodeId);
  else decided(run, 'WaitOtherWorker', 1);
  return answer;
}

function decided(run: Run, decision: string, attempt: number): void {
  run.decisions.push({ decision, attempt: String(attempt) });
}

async function callTool(run: Run, nodeId: string): Promise<unknown> {
  if (run.failures.has(nodeId)) throw new Error('it has failed');
  const headers = { 'idempotency-key': `aetheris:${run.id}:${nodeId}:${run.attempt}` };
  const url = `${String(member(run.inputs, 'witnessUrl'))}/effects/${nodeId}`;
  const response = await fetch(url, { method: 'POST', headers, body: '{}' });
  if (!response.ok) throw new Error(`status ${response.status}`);
  return response.json();
}
