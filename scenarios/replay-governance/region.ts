import { member, readDiscovery } from '../../src/contract/discovery.ts';
import { multiRegion } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { HostHandle } from '../../src/host/client.ts';
import { repeatPaced } from '../../src/host/paced.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore, type Semaphore } from '../../src/host/semaphore.ts';
import { runPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { fixtureOf, startSources } from '../shared/fixture-sources.ts';
import { replays } from '../shared/replays.ts';
import { offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { SWEPT } from '../shared/swept-fixtures.ts';
import { judgeLogs, judgeServed, judgeStates, seePairs, type RegionsObservation } from './judge-region.ts';
import { GOVERNANCE } from './observation-shapes.ts';

const id = 'region.same-fork';

/** A log with inside, run options, channels, and a call outside. */
const FIXTURES: ReadonlySet<string> = new Set([
  'conformance-noop',
  'conformance-multi-node',
  'conformance-determinism-identity',
  'conformance-determinism-channel-write',
  'conformance-determinism-side-effects',
]);

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const { hostB } = probe;
  if (hostB === undefined) return [];
  const regions = await readRegions(probe, hostB);
  if (regions.unread !== null || !regions.isRegion) return [regions];
  const line = createSemaphore(probe.concurrency);
  const table = SWEPT.filter(({ workflowId }) => FIXTURES.has(workflowId));
  const sources = await startSources({ probe, line, short: false }, table);
  const driven = await Promise.all(sources.map((source) => forkInBoth({ probe, hostB, line }, source)));
  return [regions, ...driven.flat()];
}

/** What the second host says of itself: one that is no region of the first is another host. */
async function readRegions(probe: Probe, second: HostHandle): Promise<RegionsObservation> {
  const exchange = await second.exchange({ method: 'GET', path: '/.well-known/openwop', anonymous: true });
  const isRead = exchange.kind === 'response' && exchange.status === 200 && exchange.json.ok;
  const document: unknown = isRead ? exchange.json.value : undefined;
  const { open, because } = multiRegion(readDiscovery(document));
  return {
    type: 'regions',
    unread: isRead ? null : 'the second host gave no discovery document',
    isRegion: open,
    because,
    names: [nameIn(probe.discovery), nameIn(document)],
    exchanges: [exchange.id],
  };
}

function nameIn(document: unknown): string | null {
  const name = member(member(document, 'implementation'), 'name');
  return typeof name === 'string' ? name.slice(0, 200) : null;
}

interface Driving {
  readonly probe: Probe;
  readonly hostB: HostHandle;
  readonly line: Semaphore;
}

/** Forks of one source from its first, a middle and its last event, served by either region. */
async function forkInBoth({ probe, hostB, line }: Driving, source: RunObservation): Promise<readonly RunObservation[]> {
  if (source.runId === null || source.problem !== null) return [source];
  await line(() => waitUntilThere(probe, hostB, source));
  const modes = offersMode(probe.discovery, 'branch') ? (['replay', 'branch'] as const) : (['replay'] as const);
  const bodies = modes.flatMap((mode) => pointsOf(source).map((fromSeq) => ({ mode, fromSeq })));
  const made = await Promise.all(
    bodies.flatMap((body) =>
      [['first', probe.host] as const, ['second', hostB] as const].map(([region, handle]) => {
        const role = `${body.mode} of ${fixtureOf(source)} from ${body.fromSeq} by the ${region} region`;
        return line(() => startFork(probe, source, body, { role, handle }));
      }),
    ),
  );
  return [source, ...made];
}

function pointsOf(source: RunObservation): readonly number[] {
  const numbers = eventsOf(source).map(({ sequence }) => sequence);
  const picked = [numbers[0], numbers[Math.floor(numbers.length / 2)], numbers.at(-1)];
  return [...new Set(picked.filter((sequence) => sequence !== undefined))];
}

/** Longest that a run may take to be seen from the other region, in milliseconds. */
const PATIENCE_MS = 3000;

/** Waits for the other region to know how the run ended; one that never does gets its requests all the same. */
async function waitUntilThere(probe: Probe, second: HostHandle, { runId, snapshot }: RunObservation): Promise<void> {
  const path = runPath(runId ?? '');
  await repeatPaced(
    () => second.exchange({ method: 'GET', path }),
    (exchange) =>
      exchange.kind === 'response' &&
      exchange.json.ok &&
      member(exchange.json.value, 'status') === member(snapshot, 'status'),
    { patienceMs: PATIENCE_MS, signal: probe.signal },
  );
}

/** replay.md, Cross-region replay: the same forks, served by the region of the source and by the other one. */
export const region = defineScenario({
  ...GOVERNANCE,
  id,
  title: 'A fork served by another region has the same status, variables and log up to fromSeq',
  gate: multiRegion,
  needs: [{ kind: 'second-host' }, replays],
  witnessHelps: true,
  exclusive: ['workflow:conformance-determinism-side-effects'],
  patience: () => 60,
  drive,
  see: seePairs,
  checks: [
    {
      id: `${id}.served`,
      title: 'The other region forks what the region of the source forks',
      judge: judgeServed,
    },
    {
      id: `${id}.log`,
      title: 'Forks by both regions have the same history below fromSeq',
      judge: judgeLogs,
    },
    { id: `${id}.state`, title: 'Forks by both regions have the same state at fromSeq', judge: judgeStates },
  ],
});
