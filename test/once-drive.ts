import type { Observation } from '../src/evidence/types.ts';
import type { CrashBench, CrashLane } from '../src/host/crash.ts';
import type { Probe } from '../src/host/probe.ts';
import type { Scenario } from '../src/runner/scenario.ts';
import { openWitness } from '../src/witness/index.ts';
import { BEHIND_CALL, FAILPOINT, onceHost, type MortalHost, type OnceHostOptions } from './once-host.ts';
import { OPTIONS } from './recorded-runs.ts';

export type DrivenOnce = OnceHostOptions;

/** Drives a scenario on a small host of one tool and gives what it recorded. */
export async function driveOnce(scenario: Scenario, options: OnceHostOptions = {}): Promise<readonly Observation[]> {
  const opening = await openWitness({ hostname: '127.0.0.1', port: 0 });
  if (!opening.ok) throw new Error(opening.reason);
  const mortal = onceHost(options);
  const probe: Probe = {
    host: mortal.host,
    otherTenant: undefined,
    limited: undefined,
    hostB: undefined,
    witness: opening.witness,
    discoveryExchange: { id: 'x0', kind: 'failure', reason: 'refused', message: '' },
    crash: benchOf(mortal),
    discovery: {
      replay: { supported: true, modes: ['replay'] },
      extensions: {
        'x-openwop-provable-semantics': {
          supported: true,
          idempotencyKey: 'sha256-nul-jcs',
          failpoints: [FAILPOINT, BEHIND_CALL],
        },
      },
    },
    concurrency: 4,
    timeoutMs: 10_000,
    signal: new AbortController().signal,
  };
  try {
    return await scenario.drive(probe, OPTIONS);
  } finally {
    await opening.close();
  }
}

/** One lane, which starts the host again at once. */
function benchOf({ host, revive }: MortalHost): CrashBench {
  const lane: CrashLane = {
    host,
    armsAtStart: true,
    revive: () => {
      revive();
      return Promise.resolve({ ok: true, downMs: 0, answered: true });
    },
  };
  return { width: 1, cuts: 'quick', use: (work) => work(lane), each: () => Promise.resolve() };
}
