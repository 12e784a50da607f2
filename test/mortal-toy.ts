import type { Json } from '../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit, Witness } from '../src/evidence/witness.ts';
import type { Exchange, HostHandle, HostRequest } from '../src/host/client.ts';
import type { CrashBench, CrashLane, CutSet, Cut, Revival } from '../src/host/crash.ts';
import type { Probe } from '../src/host/probe.ts';
import { readJsonText } from '../src/host/json.ts';

/** What a toy host does otherwise than the default one. */
export interface ToyOptions {
  /** Without the seams `failpoint/passed` and `invocations`. */
  readonly silent?: boolean;
  /** How many passed failpoints it lists: no further ones, or the newest with a total. */
  readonly listed?: { readonly most: number; readonly newest?: true };
  readonly idempotent?: boolean;
  /** Leaves a call in doubt in flight. */
  readonly hangs?: boolean;
  readonly armsAtStart?: boolean;
  /** Calls again after a death, where the tool answered something empty. */
  readonly emptyIsNone?: boolean;
  /** Does not come back after a death. */
  readonly staysDown?: boolean;
  readonly cuts?: CutSet;
  readonly timeoutMs?: number;
}

interface Event {
  readonly eventId: string;
  readonly type: string;
  readonly sequence: number;
  readonly payload: object;
}

/** The steps of the toy's one run, each with what it does; a failpoint stands before each of them. */
const STEPS = ['create-run', 'append-started', 'execute', 'append-finished', 'append-end'] as const;

type Step = (typeof STEPS)[number];

/** The failpoints of a toy host. */
const TOY_POINTS: readonly string[] = [...STEPS.map((step) => `before-${step}`), 'never-passed'];

class Dead extends Error {}

/** What a host whose list is bounded has passed already: so much as the list holds. */
function passedBefore({ listed }: ToyOptions): string[] {
  return Array.from({ length: listed?.most ?? 0 }, () => 'before-claim');
}

/**
 * A host in memory that carries out runs of one tool call while its event stream is read, and dies at its failpoints. Its log
 * outlives it, and so does what it had in its answer to the request for the run under a key.
 */
function toyLane(options: ToyOptions, visitOf: (url: string) => WitnessCall[]): CrashLane {
  const disk = new Map<string, { readonly url: string; readonly log: Event[] }>();
  const memory = { alive: true, passed: passedBefore(options), armed: undefined as Cut | undefined };
  const pass = (name: string): void => {
    memory.passed.push(name);
    if (memory.armed?.name !== name) return;
    memory.armed = { name, hit: memory.armed.hit - 1 };
    if (memory.armed.hit !== 0) return;
    memory.alive = false;
    throw new Dead();
  };
  const step = (name: Step, work: () => void): void => {
    pass(`before-${name}`);
    work();
  };
  const carryOut = (id: string): void => {
    const run = disk.get(id);
    if (run === undefined) return;
    const { log, url } = run;
    const write = (type: string): void => {
      const eventId = `${id}-${log.length}`;
      log.push({ eventId, type, sequence: log.length, payload: { idempotency_key: id, result: visitOf(url).length } });
    };
    const has = (type: string): boolean => log.some((event) => event.type === type);
    if (has('run.completed') || has('run.failed')) return;
    const answer = visitOf(url).at(-1)?.answer;
    if (options.emptyIsNone === true && has('tool_invocation_finished') && Object.keys(Object(answer)).length === 0) {
      call(visitOf(url));
    }
    if (has('tool_invocation_started') && !has('tool_invocation_finished')) {
      if (options.hangs !== true) step('append-end', () => write('run.failed'));
      return;
    }
    if (!has('tool_invocation_started')) {
      step('append-started', () => write('tool_invocation_started'));
      step('execute', () => call(visitOf(url)));
      step('append-finished', () => {
        write('tool_invocation_finished');
        write('command_committed');
      });
    }
    step('append-end', () => write('run.completed'));
  };
  const create = (key: string, url: string): string => {
    if (!disk.has(key)) step('create-run', () => disk.set(key, { url, log: [] }));
    return key;
  };
  const routes = (request: HostRequest): { readonly status: number; readonly body: unknown } => {
    const body = (request.body === undefined ? {} : JSON.parse(request.body)) as Record<string, unknown>;
    const seam = request.path.split('/test/')[1];
    if (request.path === '/.well-known/openwop') return { status: 200, body: {} };
    if (request.path === '/v1/runs') {
      const { witnessUrl } = body['inputs'] as { witnessUrl: string };
      return { status: 201, body: { runId: create(request.headers?.['idempotency-key'] ?? '', witnessUrl) } };
    }
    if (seam === 'failpoint') {
      memory.armed = { name: String(body['name']), hit: Number(body['hit']) };
      return { status: 200, body: {} };
    }
    if (seam !== undefined && options.silent === true) return { status: 404, body: {} };
    if (seam === 'failpoint/passed') return { status: 200, body: listOf(memory.passed, options) };
    if (seam === 'invocations') return { status: 200, body: { decisions: [] } };
    const run = disk.get(request.path.split('/')[3] ?? '');
    if (run === undefined) return { status: 404, body: {} };
    const last = run.log.at(-1)?.type;
    const status = last?.startsWith('run.') === true ? last.slice('run.'.length) : 'running';
    return { status: 200, body: { status } };
  };
  return {
    host: handleOf(
      routes,
      memory,
      (id) => {
        carryOut(id);
        return disk.get(id)?.log ?? [];
      },
      (id) => disk.get(id)?.log ?? [],
    ),
    armsAtStart: options.armsAtStart ?? true,
    leaseMs: 10,
    revive: async (failpoint): Promise<Revival> => {
      if (options.staysDown === true) return { ok: false, reason: 'exit code 3' };
      memory.alive = true;
      memory.passed = [];
      memory.armed = failpoint;
      return { ok: true, downMs: 1, answered: true };
    },
  };
}

function listOf(passed: readonly string[], { listed }: ToyOptions): Readonly<Record<string, unknown>> {
  if (listed === undefined) return { passed: [...passed] };
  if (listed.newest !== true) return { passed: passed.slice(0, listed.most) };
  return { passed: passed.slice(-listed.most), total: passed.length };
}

/** What the visits' effects answer, where that is staged. */
const staged = new WeakMap<WitnessCall[], { readonly answer: Json }>();

function call(calls: WitnessCall[]): void {
  const { answer } = staged.get(calls) ?? { answer: { nonce: `n${calls.length}` } };
  calls.push({ kind: 'effect', name: 'charge', method: 'POST', idempotencyKey: null, body: null, answer });
}

function refused(): Exchange {
  return { id: 'x', kind: 'failure', reason: 'refused', message: 'refused' };
}

function answered(status: number, text: string, type: string): Exchange {
  const headers = { 'content-type': type };
  return { id: 'x', kind: 'response', status, headers, text, json: readJsonText(text) };
}

function handleOf(
  routes: (request: HostRequest) => { readonly status: number; readonly body: unknown },
  memory: { readonly alive: boolean },
  advance: (id: string) => readonly Event[],
  logOf: (id: string) => readonly Event[],
): HostHandle {
  return {
    baseUrl: 'http://toy',
    exchange: async (request) => {
      if (!memory.alive) return refused();
      try {
        const { status, body } = routes(request);
        return answered(status, JSON.stringify(body), 'application/json');
      } catch (error) {
        if (error instanceof Dead) return { ...refused(), reason: 'reset' } as Exchange;
        throw error;
      }
    },
    stream: async ({ path }, reader) => {
      if (!memory.alive) return refused();
      const id = path.split('/')[3] ?? '';
      reader.head(200, { 'content-type': 'text/event-stream' });
      try {
        advance(id);
      } catch (error) {
        if (!(error instanceof Dead)) throw error;
      }
      for (const event of logOf(id)) {
        reader.text(`id: ${event.sequence}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
      }
      return answered(200, '', 'text/event-stream');
    },
  };
}

/** A probe with toy hosts to kill: what the crash matrix is driven with. */
export function toyProbe(options: ToyOptions = {}): { readonly probe: Probe; readonly lanes: number } {
  const calls = new Map<string, WitnessCall[]>();
  const visitOf = (url: string): WitnessCall[] => calls.get(url) ?? [];
  const witness: Pick<Witness, 'visit'> = {
    visit: () => {
      const url = `http://witness/${calls.size}`;
      calls.set(url, []);
      const stageEffect = (_: string, answer: Json): void => void staged.set(visitOf(url), { answer });
      const failEffect = (name: string): void => stageEffect(name, null);
      return { url, calls: () => visitOf(url), stageEffect, failEffect } as unknown as WitnessVisit;
    },
  };
  const lanes = [toyLane(options, visitOf), toyLane(options, visitOf)];
  const controller = new AbortController();
  const discovery = {
    extensions: { 'x-openwop-provable-semantics': { supported: true, failpoints: TOY_POINTS } },
    ...(options.idempotent === false ? {} : { idempotency: { supported: true, layer1: { supported: true } } }),
  };
  const crash = benchOf(lanes, options.cuts ?? 'full');
  const timeoutMs = options.timeoutMs ?? 10_000;
  const probe = { crash, witness, discovery, timeoutMs, signal: controller.signal } as unknown as Probe;
  return { probe, lanes: lanes.length };
}

function benchOf(lanes: readonly CrashLane[], cuts: CutSet): CrashBench {
  const [first] = lanes;
  return {
    width: lanes.length,
    cuts,
    use: async (work) => (first === undefined ? undefined : work(first)),
    each: async (jobs, work) => {
      const waiting = jobs.values();
      await Promise.all(
        lanes.map(async (lane) => {
          for (const job of waiting) await work(lane, job);
        }),
      );
    },
  };
}
