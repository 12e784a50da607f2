import { advertisedModes, member, readDiscovery, type Discovery } from '../contract/discovery.ts';
import { noneRan, RUN_ONE } from '../contract/remedy.ts';
import type { Exchange } from '../host/client.ts';
import { answerText, isPage } from '../host/exchanged.ts';
import { followRun } from '../host/log/follow.ts';
import type { Probe } from '../host/probe.ts';
import { createRun, type StartedRun } from '../host/runs.ts';
import { forkPath } from '../protocol/paths.ts';
import { isClientError, isNoRoute, isUnknownWorkflow, saysNothing, statusText } from '../protocol/status.ts';
import type { ForkMode, Lack, Need } from './scenario.ts';

type ForkNeed = Extract<Need, { kind: 'fork' }>;

/** A run to fork, or why there is none. */
type Source =
  | { readonly ok: true; readonly runId: string; readonly firstSequence: number }
  | ({ readonly ok: false } & Omit<Lack, 'status'>);

/** What the fork endpoint answered to one mode: `refused` where it takes no such request, `absent` where there is no such endpoint. */
type ForkAnswer =
  | { readonly kind: 'there' | 'refused' | 'absent' }
  /** Refused by a code that says that this mode is none that the host has. */
  | { readonly kind: 'disclaimed'; readonly code: string }
  | ({ readonly kind: 'unknown' } & Omit<Lack, 'status'>);

/**
 * Makes the function that finds out whether a host forks in a mode. What is advertised decides; a host that advertises
 * nothing is asked, with one run for all modes and one fork for each.
 */
export function createForkAsker(
  probe: Probe,
): (need: ForkNeed, discovery: Discovery | undefined) => Promise<Lack | undefined> {
  let source: Promise<Source> | undefined;
  const answers = new Map<ForkMode, Promise<ForkAnswer>>();
  const ask = (mode: ForkMode, fixtures: readonly string[]): Promise<ForkAnswer> => {
    source ??= makeSource(probe, fixtures);
    const answer = answers.get(mode) ?? askFork(probe, mode, source);
    answers.set(mode, answer);
    return answer;
  };
  return async ({ mode, absent }, discovery = readDiscovery({})) => {
    if (advertisedFork(mode, discovery) === 'offered') return undefined;
    if (advertisedFork(mode, discovery) === 'left out') {
      return { status: absent, reason: `${discovery.replay?.pointer}/modes does not name ${mode}` };
    }
    const answer = await ask(mode, discovery.fixtures);
    const isDisclaimed = member(discovery.replay?.value, 'supported') === false;
    if (answer.kind === 'disclaimed' && discovery.replay === undefined) {
      // Nothing claims the mode: whoever answers the endpoint may offer the other one alone.
      const other = await ask(mode === 'replay' ? 'branch' : 'replay', discovery.fixtures);
      if (other.kind !== 'there') return undefined;
      return {
        status: absent,
        reason: `no replay block is advertised, and the mode ${mode} is refused: ${answer.code}`,
      };
    }
    if (answer.kind === 'there' || (isRefused(answer) && !isDisclaimed)) return undefined;
    if (answer.kind === 'unknown') {
      const { kind: _kind, ...why } = answer;
      return { status: 'inconclusive', ...why };
    }
    const reason = isRefused(answer)
      ? `${discovery.replay?.pointer}/supported is false, and the fork endpoint refuses`
      : 'the host neither advertises replay nor answers the fork endpoint';
    return absent === 'not-applicable'
      ? { status: absent, reason }
      : { status: absent, reason, remedy: { step: 'advertise replay and answer the fork endpoint' } };
  };
}

function isRefused({ kind }: ForkAnswer): boolean {
  return kind === 'refused' || kind === 'disclaimed';
}

/** What a host's document says of forks in a mode; nothing where it does not say that replay is supported. */
export function advertisedFork(mode: ForkMode, discovery: Discovery): 'offered' | 'left out' | undefined {
  if (member(discovery.replay?.value, 'supported') !== true) return undefined;
  const modes = advertisedModes(discovery.replay);
  return modes === undefined || modes.includes(mode) ? 'offered' : 'left out';
}

const NOOP = 'conformance-noop';

/** Runs the no-op fixture to its end, or where the host does not know it one that was named, or the first advertised one. */
async function makeSource(probe: Probe, fixtures: readonly string[]): Promise<Source> {
  const other = fixtures.find((id) => id !== NOOP);
  const others = [...(probe.named ?? []), ...(other === undefined ? [] : [{ workflowId: other }])];
  let started = await createRun(probe.host, { workflowId: NOOP });
  for (const request of others) {
    if (started.kind !== 'refused') break;
    started = await createRun(probe.host, request);
  }
  if (started.kind !== 'started') {
    const reason = noneRan(`no run could be made to fork (POST /v1/runs: ${refusal(started)})`);
    return { ok: false, reason, restsOn: 'run.created', ...remedyOf(started) };
  }
  const run = await followRun(probe, probe.host, started.runId);
  const first = run.kind === 'ended' ? run.events.at(0) : undefined;
  if (first === undefined) {
    const why = run.kind === 'ended' ? 'its log is empty' : run.reason;
    return { ok: false, reason: `no ended run to fork: ${why}; seed ${NOOP}`, restsOn: 'run.created' };
  }
  return { ok: true, runId: started.runId, firstSequence: first.sequence };
}

/** Where the host may only not know the workflow. */
function remedyOf(started: Exclude<StartedRun, { kind: 'started' }>): Pick<Lack, 'remedy'> {
  return started.kind === 'refused' && isUnknownWorkflow(started.status) ? { remedy: RUN_ONE } : {};
}

function refusal(started: Exclude<StartedRun, { kind: 'started' }>): string {
  return started.kind === 'refused' ? statusText(started.status, started.location) : started.reason;
}

async function askFork(probe: Probe, mode: ForkMode, made: Promise<Source>): Promise<ForkAnswer> {
  const source = await made;
  if (!source.ok) {
    const { ok: _ok, ...why } = source;
    return { kind: 'unknown', ...why };
  }
  const body = mode === 'replay' ? { mode } : { mode, fromSeq: source.firstSequence };
  const path = forkPath(source.runId);
  return readForkAnswer(await probe.host.exchange({ method: 'POST', path, body: JSON.stringify(body) }));
}

/** The code of a refusal that says so of the mode: hosts choose their words. */
const NO_SUCH_MODE = /^(?:unsupported_(?:fork_)?mode|(?:fork_)?mode_(?:not_supported|unsupported))$/u;

function readForkAnswer(exchange: Exchange): ForkAnswer {
  const endpoint = 'the fork endpoint';
  if (exchange.kind === 'failure') {
    return { kind: 'unknown', reason: `${endpoint} got no answer: ${exchange.reason} (${exchange.message})` };
  }
  if (isNoRoute(exchange.status) || isPage(exchange)) return { kind: 'absent' };
  // The run that is forked exists, so that a 404 is about the route.
  if (!saysNothing(exchange.status, 'action')) {
    const code = isClientError(exchange.status) && exchange.json.ok ? member(exchange.json.value, 'error') : undefined;
    if (typeof code === 'string' && NO_SUCH_MODE.test(code)) return { kind: 'disclaimed', code };
    return { kind: isClientError(exchange.status) ? 'refused' : 'there' };
  }
  return { kind: 'unknown', reason: `${endpoint}, which is not advertised, answered ${answerText(exchange)}` };
}
