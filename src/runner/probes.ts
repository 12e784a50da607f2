import type { Witness } from '../evidence/witness.ts';
import type { HostClient } from '../host/client.ts';
import type { CutSet } from '../host/crash.ts';
import { createCrashBench, type Revivable, type LanePool } from '../host/crash-bench.ts';
import type { FixtureState, Probe, Standstill } from '../host/probe.ts';
import type { Ways } from '../host/log/ways.ts';
import type { RunIds } from '../host/run-ids.ts';
import { type Discovered, documentOf, shownIn } from './discovered.ts';
import { type Target, variableOf } from './target.ts';

/** What every probe of a run has in common. */
export interface ProbeSetup {
  readonly client: HostClient;
  /** What the host called its runs so far. */
  readonly runIds: RunIds;
  /** Whether the host carries out any of them. */
  readonly standstill: Standstill;
  /** How the ways to read a log went so far. */
  readonly ways: Ways;
  readonly target: Target;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly witness: Witness | undefined;
  /** What is known of the fixtures, where they were registered. */
  readonly fixtures?: ReadonlyMap<string, FixtureState> | undefined;
  /** Workflows that the caller says the host has. */
  readonly named?: Probe['named'];
  /** The hosts that scenarios may kill; undefined where the caller allows none. */
  readonly crash?: { readonly pool: LanePool<Revivable>; readonly cuts: CutSet } | undefined;
}

/** Makes the probe of one scenario: its handles record under the scenario's id and stop with its signal. */
export function createProbe(setup: ProbeSetup, scenario: string, signal: AbortSignal, discovered: Discovered): Probe {
  const { client, runIds, standstill, ways, target, concurrency, timeoutMs } = setup;
  const handle = (baseUrl: string, credential: string | undefined, variable: string) => {
    const caller = callerOf(baseUrl, variable);
    const asked = client.handle({ baseUrl, credential, variable, scenario, signal });
    return { ...runIds.watching(ways.watching(asked, caller), { caller, scenario }), caller };
  };
  const variable = variableOf(target, 'apiKey');
  const beside = (which: 'tenantBKey' | 'limitedKey' | 'blindKey') =>
    target[which] === undefined ? undefined : handle(target.baseUrl, target[which], variableOf(target, which));
  return {
    host: handle(target.baseUrl, target.apiKey, variable),
    hasCredential: target.apiKey !== undefined,
    otherTenant: beside('tenantBKey'),
    limited: beside('limitedKey'),
    blind: beside('blindKey'),
    hostB:
      target.baseUrlB === undefined
        ? undefined
        : handle(target.baseUrlB, target.apiKeyB, variableOf(target, 'apiKeyB')),
    witness: setup.witness,
    crash:
      setup.crash &&
      createCrashBench({
        ...setup.crash,
        handle: (host) => handle(host.baseUrl, host.apiKey, host.variable),
        signal,
      }),
    discoveryExchange: discovered.first,
    discoveryAgain: discovered.again,
    discovery: documentOf(shownIn(discovered)),
    fixtures: setup.fixtures,
    named: setup.named,
    concurrency,
    timeoutMs,
    signal,
    standstill,
    noteChild: (runId, exchange) =>
      runIds.dispatched(runId, exchange, { caller: callerOf(target.baseUrl, variable), scenario }),
  };
}

/** A host under one credential. */
function callerOf(baseUrl: string, variable: string): string {
  return `${variable} ${baseUrl}`;
}
