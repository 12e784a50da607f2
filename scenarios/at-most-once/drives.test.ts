import { describe, expect, it } from 'vitest';
import type { Witness } from '../../src/evidence/witness.ts';
import { openWitness } from '../../src/witness/index.ts';
import type { HostHandle } from '../../src/host/client.ts';
import type { CrashBench, CrashLane } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { Scenario } from '../../src/runner/scenario.ts';
import { BEHIND_CALL, FAILPOINT, onceHost, type OnceHostOptions } from '../../test/once-host.ts';
import { OPTIONS } from '../../test/recorded-runs.ts';
import { externalKey } from './external-key.ts';
import { reclaim } from './reclaim.ts';
import { staleWorker } from './stale-worker.ts';
import { toolCall } from './tool-call.ts';
import { toolCallReplay } from './tool-call-replay.ts';
import { verificationHuman, verificationStrict, verificationWarn } from './verification.ts';
import { workers } from './workers.ts';

/** One lane, which starts the host again at once. */
function mortal(host: HostHandle, revive: () => void): CrashBench {
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

/** Drives a scenario on a small host and gives its verdicts, with their diagnoses. */
async function verdicts(
  scenario: Scenario,
  options: OnceHostOptions = {},
  failpoints: readonly string[] = [FAILPOINT, BEHIND_CALL],
): Promise<readonly string[]> {
  const opening = await openWitness({ hostname: '127.0.0.1', port: 0 });
  if (!opening.ok) throw new Error(opening.reason);
  try {
    return await verdictsAt(opening.witness, scenario, { options, failpoints });
  } finally {
    await opening.close();
  }
}

interface Driven {
  readonly options: OnceHostOptions;
  readonly failpoints: readonly string[];
}

async function verdictsAt(
  witness: Witness,
  scenario: Scenario,
  { options, failpoints }: Driven,
): Promise<readonly string[]> {
  const { host, revive } = onceHost(options);
  const others = { otherTenant: undefined, limited: undefined, hostB: undefined };
  const probe: Probe = {
    host,
    ...others,
    witness,
    discoveryExchange: { id: 'x0', kind: 'failure', reason: 'refused', message: '' },
    crash: mortal(host, revive),
    discovery: {
      replay: { supported: true, modes: ['replay'] },
      extensions: { 'x-openwop-provable-semantics': { supported: true, failpoints } },
    },
    concurrency: 4,
    timeoutMs: 6_000,
    signal: new AbortController().signal,
  };
  const seen = await scenario.drive(probe, OPTIONS);
  const judged = scenario.judge(
    seen.map((each, index) => ({ ...each, id: `o${index}` })),
    OPTIONS,
  );
  return judged.map(({ verdict, diagnosis }) => (diagnosis === undefined ? verdict : `${verdict} ${diagnosis.code}`));
}

/** What is said of the calls of other scenarios, where these were not driven. */
const NO_OTHER = 'not-applicable';

// Some wait for what never comes: side by side, they wait once.
describe.concurrent('the drives see a host that is right', () => {
  it.each([
    ['tool calls', toolCall, {}],
    ['replays', toolCallReplay, {}],
    ['external keys', externalKey, {}],
    ['two workers', workers, {}],
    ['a worker that stands still', staleWorker, { stall: 'fenced' }],
    ['a death between two calls', reclaim, {}],
    ['strict verification', verificationStrict, { mode: 'strict' }],
    ['warn', verificationWarn, { mode: 'warn' }],
    ['human-in-loop', verificationHuman, { mode: 'human-in-loop' }],
    ['a person who is asked for an action', verificationHuman, { mode: 'human-in-loop', confirmedBy: 'continue' }],
  ] as const)('%s', async (_, scenario, options) => {
    const judged = (await verdicts(scenario, options)).filter((each) => scenario !== toolCall || each !== NO_OTHER);
    expect(new Set(judged)).toEqual(new Set(['pass']));
  });
});

describe.concurrent('the drives see a host that is wrong', () => {
  it.each([
    ['fail no-started-barrier', toolCall, { lateStart: true }],
    ['fail duplicate-call', workers, { shared: true }],
    ['fail duplicate-call', staleWorker, { stall: 'unfenced' }],
    ['fail attempt-kept', reclaim, { afterDeath: 'same-attempt' }],
    ['fail duplicate-call', reclaim, { afterDeath: 'from-the-start' }],
    ['fail not-verified', verificationStrict, { mode: 'none' }],
    ['fail injected-over-failed-verification', verificationStrict, { mode: 'warn' }],
    ['fail not-failed', verificationStrict, { mode: 'human-in-loop' }],
    ['fail not-injected', verificationWarn, { mode: 'strict' }],
    ['fail not-verified', verificationWarn, { mode: 'none' }],
    ['fail injected-without-confirmation', verificationHuman, { mode: 'warn' }],
    ['fail not-verified', verificationHuman, { mode: 'none' }],
  ] as const)('%s', async (verdict, scenario, options) => {
    expect((await verdicts(scenario, options))[0]).toBe(verdict);
  });

  it('where the names of its failpoints tell nothing, too', async () => {
    const judged = ['pass', 'inconclusive', 'pass'];
    expect(await verdicts(reclaim, {}, ['p1'])).toEqual(judged);
    expect(await verdicts(reclaim, { tellsPassed: 'p1' }, ['p1'])).toEqual(judged);
    const again = { tellsPassed: 'p1', afterDeath: 'from-the-start' } as const;
    expect((await verdicts(reclaim, again, ['p1']))[0]).toBe('fail duplicate-call');
  });

  it('and does not judge one that cannot let a worker stand still', async () => {
    expect(await verdicts(staleWorker)).toEqual(['not-applicable']);
  });

  it.each([
    ['fail no-started-barrier', toolCall, { lateStart: true }, ['fail no-started-barrier', 'pass', NO_OTHER, NO_OTHER]],
    ['a host that is right, at a tool call', toolCall, {}, ['pass', 'pass', NO_OTHER, NO_OTHER]],
    ['a host that is right, at a death', reclaim, {}, ['pass', 'pass', 'pass']],
    ['fail duplicate-call', workers, { shared: true }, ['fail duplicate-call']],
  ] as const)('where a run is answered when it has ended, too: %s', async (_, scenario, options, expected) => {
    expect(await verdicts(scenario, { ...options, synchronous: true })).toEqual(expected);
  });
});
