import { describe, expect, it } from 'vitest';
import { bareScenario, OPTIONS, UNVISITED } from '../../test/bare-scenario.ts';
import { closedAfterEach } from '../../test/closing.ts';
import { sendJson, serveHttp } from '../../test/local-server.ts';
import { phase4 } from '../contract/gates.ts';
import { validate } from '../contract/validate.ts';
import { EvidenceFull } from '../evidence/budget.ts';
import { createRecorder } from '../evidence/recorder.ts';
import { createRedactor } from '../evidence/redact.ts';
import type { EvidenceRecord, Observation } from '../evidence/types.ts';
import type { Start } from '../host/crash-host.ts';
import type { Probe } from '../host/probe.ts';
import { driveRun, type Progress, type RunOptions } from './run.ts';
import type { Scenario } from './scenario.ts';
import { EnoughFailed } from './stopped.ts';
import type { Target } from './target.ts';

const KEY = 'credential-of-this-run';
const LIMITED = 'limited-credential-of-this-run';
const opened = closedAfterEach();

function scenario(id: string, drive: Scenario['drive'], more: Partial<Scenario> = {}): Scenario {
  return bareScenario({ id, drive, ...more });
}

/** A target without any other credential or host. */
function targetAt(baseUrl: string, apiKey?: string, limitedKey?: string): Target {
  return { baseUrl, apiKey, tenantBKey: undefined, limitedKey, baseUrlB: undefined, apiKeyB: undefined };
}

async function driven(
  scenarios: readonly Scenario[],
  more: Partial<RunOptions> = {},
  document: object = { protocolVersion: '1.0' },
  limitedKey?: string,
) {
  const { baseUrl } = opened(await serveHttp((_, response) => sendJson(response, document)));
  const recorder = createRecorder(createRedactor([KEY, LIMITED]));
  await driveRun(
    {
      target: targetAt(baseUrl, KEY, limitedKey),
      scenarios,
      options: { ...OPTIONS, crash: 'quick' },
      shown: { seed: 1 },
      tool: { name: 't', version: '1' },
      concurrency: 4,
      timeoutMs: 30_000,
      signal: new AbortController().signal,
      ...more,
    },
    recorder,
  );
  return recorder.records;
}

function outcome(records: readonly EvidenceRecord[], id: string) {
  return records.find((record) => record.kind === 'driven' && record.scenario === id);
}

const observation: Observation = { type: 't', exchanges: ['x1'] };

const patient = (probe: Probe): Promise<readonly Observation[]> =>
  new Promise((resolve) => probe.signal.addEventListener('abort', () => resolve([observation])));

const visiting = async ({ limited, witness: given }: Probe): Promise<readonly Observation[]> => {
  const exchange = await limited?.exchange({ method: 'GET', path: '/a' });
  return [{ type: given?.baseUrl ?? 'none', exchanges: exchange === undefined ? [] : [exchange.id] }];
};

/** Tells of where a drive began and ended, with a request in between. */
function noted(log: string[], id: string): Scenario['drive'] {
  return async (probe) => {
    log.push(`${id} begins`);
    await probe.host.exchange({ method: 'GET', path: '/a' });
    log.push(`${id} ends`);
    return [];
  };
}

const start = async (): Promise<Start> => ({ ok: true, end: () => undefined });
const killing = { needs: [{ kind: 'crash' }] } as const;
const failpoints = { extensions: { 'x-openwop-provable-semantics': { supported: true, failpoints: ['before-a'] } } };

const many = async (probe: Probe): Promise<readonly Observation[]> => {
  await Promise.all(Array.from({ length: 40 }, () => probe.host.exchange({ method: 'GET', path: '/a' })));
  return [];
};

describe('driveRun', () => {
  it('writes run, plan, observations, outcome and end, all valid', async () => {
    const records = await driven([
      scenario('a', async (probe) => {
        const { id } = await probe.host.exchange({ method: 'GET', path: '/a' });
        return [{ type: 't', exchanges: [id] }];
      }),
    ]);
    expect(records.map(({ kind }) => kind)).toEqual([
      'run',
      'exchange',
      'observation',
      'exchange',
      'plan',
      'exchange',
      'observation',
      'driven',
      'end',
    ]);
    for (const record of records) expect(validate('evidence', record)).toEqual([]);
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it('asks for the discovery document without a credential, once', async () => {
    const records = await driven([scenario('a', async () => []), scenario('b', async () => [])]);
    const asked = records
      .filter((record) => record.kind === 'exchange')
      .filter(({ request }) => request.url.endsWith('/.well-known/openwop'));
    expect(asked).toHaveLength(1);
    expect(asked[0]?.request.headers).not.toHaveProperty('authorization');
  });

  it('does not drive what does not apply', async () => {
    const reached: string[] = [];
    const one = scenario('a', async () => (reached.push('a'), []), { gate: phase4 });
    const records = await driven([one]);
    expect(reached).toEqual([]);
    expect(records).toContainEqual(expect.objectContaining({ kind: 'plan', status: 'not-applicable' }));
  });

  it('lets no part of a credential into a plan, though the host advertises it', async () => {
    const version = `${'v'.repeat(60)}${KEY}`;
    const records = await driven(
      [scenario('a', async () => [], { gate: phase4 })],
      {},
      {
        multiAgent: { executionModel: { version } },
      },
    );
    const [plan] = records.filter((record) => record.kind === 'plan');
    expect(plan?.reason).toContain('vvv');
    expect(plan?.reason).not.toContain(KEY.slice(0, 6));
  });

  it.each([
    ['throws', async () => Promise.reject(new Error(`bug with ${KEY}`))],
    [
      'throws at once',
      (): never => {
        throw new Error('bug at once');
      },
    ],
    ['gives what cannot be stored', async () => [{ type: 't', exchanges: [], n: 1n } as Observation]],
  ])('records a drive that %s as an error, and goes on', async (_, bad) => {
    const records = await driven([scenario('bad', bad), scenario('good', async () => [observation])], {
      concurrency: 1,
    });
    expect(outcome(records, 'bad')).toMatchObject({ outcome: 'error' });
    expect(outcome(records, 'good')).toMatchObject({ outcome: 'completed' });
    expect(JSON.stringify(records)).not.toContain(KEY);
  });

  it('gives up a drive that hangs, after as many time-outs as it may take', async () => {
    let stopped = false;
    const hanging = (probe: Probe): Promise<readonly Observation[]> => {
      probe.signal.addEventListener('abort', () => (stopped = true));
      return new Promise(() => undefined);
    };
    const records = await driven([scenario('a', hanging, { patience: () => 0.01 }), scenario('b', async () => [])], {
      timeoutMs: 20_000,
    });
    expect(outcome(records, 'a')).toMatchObject({ outcome: 'timed-out', message: 'not finished within 200 ms' });
    expect(outcome(records, 'b')).toMatchObject({ outcome: 'completed' });
    expect(stopped).toBe(true);
    expect(records.at(-1)?.kind).toBe('end');
  });

  it('keeps what a drive has, which stops by itself when its time is up', async () => {
    const records = await driven([scenario('a', patient, { patience: () => 0.0025 })], { timeoutMs: 20_000 });
    expect(outcome(records, 'a')).toMatchObject({ outcome: 'completed' });
    expect(records.filter((record) => record.kind === 'observation' && record.scenario === 'a')).toHaveLength(1);
  });

  it('ends when it is interrupted: what is under way and what waits is timed out', async () => {
    const interrupt = new AbortController();
    const hanging = (): Promise<readonly Observation[]> => {
      interrupt.abort();
      return new Promise(() => undefined);
    };
    const records = await driven(
      [scenario('a', async () => [observation]), scenario('b', hanging), scenario('c', async () => [observation])],
      { signal: interrupt.signal, concurrency: 1 },
    );
    expect(outcome(records, 'a')).toMatchObject({ outcome: 'completed' });
    for (const id of ['b', 'c']) {
      expect(outcome(records, id)).toMatchObject({ outcome: 'timed-out', message: 'the run was interrupted' });
    }
  });

  it('says in its last line that enough had failed, and of what was cut short then why', async () => {
    const enough = new AbortController();
    const records = await driven(
      [
        scenario('a', async () => [observation]),
        scenario('b', patient),
        scenario('c', patient, { documentOnly: true }),
        scenario('d', patient, { exclusive: ['r'] }),
        scenario('e', patient, { exclusive: ['r'] }),
      ],
      { enough: enough.signal, onDriven: ({ id }) => (id === 'a' ? enough.abort(new EnoughFailed(2)) : undefined) },
    );
    const message = 'the run was stopped after 2 failed checks (--max-failures)';
    expect(outcome(records, 'a')).not.toHaveProperty('message');
    expect(outcome(records, 'b')).toMatchObject({ outcome: 'completed', message });
    expect(outcome(records, 'c')).not.toHaveProperty('message');
    expect(outcome(records, 'e')).toMatchObject({ outcome: 'timed-out', message });
    expect(records.at(-1)).toMatchObject({ kind: 'end', stoppedAfter: 2 });
    expect(records.flatMap((record) => validate('evidence', record))).toEqual([]);
  });

  it('says in its last line that it ran out of time', async () => {
    const records = await driven([scenario('a', patient)], { maxTimeMs: 20 });
    expect(records.at(-1)).toMatchObject({ kind: 'end', ranOutOf: 'time' });
    expect(validate('evidence', records.at(-1))).toEqual([]);
  });

  it('ran out of time, too, where that was over while it planned, and says so of each plan that was left open', async () => {
    const server = await serveHttp(({ url }, response) => {
      if (url.startsWith('/.well-known/')) sendJson(response, { protocolVersion: '1.0' });
    });
    const target = targetAt(opened(server).baseUrl);
    const needs = [{ kind: 'fixture', workflowId: 'conformance-noop' }] as const;
    const records = await driven([scenario('a', patient, { needs })], { target, maxTimeMs: 300 });
    const reason = 'the run was not over within 300 ms (--max-time)';
    expect(records).toContainEqual({ kind: 'plan', scenario: 'a', status: 'inconclusive', reason });
    expect(records.at(-1)).toMatchObject({ kind: 'end', ranOutOf: 'time' });
  });

  it('says in its last line that it ran out of room for evidence', async () => {
    const full = new AbortController();
    const fill = async (): Promise<readonly Observation[]> => {
      full.abort(new EvidenceFull('the evidence is full'));
      return [observation];
    };
    const records = await driven([scenario('a', fill)], { enough: full.signal });
    expect(records.at(-1)).toMatchObject({ kind: 'end', ranOutOf: 'evidence' });
  });

  it('does not call a run stopped of which all was driven by then', async () => {
    const enough = new AbortController();
    const records = await driven([scenario('a', async () => [observation])], {
      enough: enough.signal,
      onDriven: () => enough.abort(new EnoughFailed(1)),
    });
    expect(records.at(-1)).not.toHaveProperty('stoppedAfter');
  });

  it('drives what kills the host last and alone, where it is the host that the others use', async () => {
    const log: string[] = [];
    const scenarios = [
      scenario('k1', noted(log, 'k1'), killing),
      scenario('k2', noted(log, 'k2'), killing),
      scenario('a', noted(log, 'a')),
      scenario('b', noted(log, 'b')),
    ];
    await driven(scenarios, {}, failpoints);
    expect(log.slice(0, 2)).toEqual(['a begins', 'b begins']);
    expect(log.slice(4)).toEqual(['k1 begins', 'k1 ends', 'k2 begins', 'k2 ends']);
  });

  it('drives what kills hosts of its own among the others, and lends it these', async () => {
    const own = { apiKey: 'key-of-the-other-host', variable: 'OPENWOP_API_KEY', armsAtStart: true };
    const crashHosts = ['http://127.0.0.1:1', 'http://127.0.0.1:2'].map((baseUrl) => {
      return { ...own, baseUrl, isUp: async () => true, start };
    });
    const lent: string[] = [];
    const log: string[] = [];
    const kills = scenario(
      'k',
      async (probe) => {
        log.push('k begins');
        expect(probe.crash).toMatchObject({ width: 2, cuts: 'quick' });
        await probe.crash?.each([1, 2], async ({ host }) => {
          lent.push(host.baseUrl);
          await host.exchange({ method: 'GET', path: '/b' });
        });
        return [];
      },
      killing,
    );
    const records = await driven([kills, scenario('a', noted(log, 'a'))], { crashHosts }, failpoints);
    expect(log[0]).toBe('k begins');
    expect(outcome(records, 'k')).toMatchObject({ outcome: 'completed' });
    expect(lent).toEqual(crashHosts.map(({ baseUrl }) => baseUrl));
    const asked = records.filter((record) => record.kind === 'exchange' && record.scenario === 'k');
    expect(asked).toHaveLength(2);
    expect(JSON.stringify(asked)).toContain('Bearer $OPENWOP_API_KEY');
    expect(JSON.stringify(records)).not.toContain(own.apiKey);
  });

  it('lends the target itself where no other host may be killed, and none where nobody may be', async () => {
    const seen: unknown[] = [];
    const looks = (id: string, more: Partial<Scenario> = {}) =>
      scenario(
        id,
        async (probe) => {
          await probe.crash?.use(async ({ host, armsAtStart }) => {
            seen.push([host.baseUrl === probe.host.baseUrl, armsAtStart]);
          });
          return [];
        },
        more,
      );
    await driven([looks('a')], {}, failpoints);
    await driven([looks('b')], { restartCommand: 'true' }, failpoints);
    const records = await driven([looks('c'), looks('d', killing)], { options: OPTIONS }, failpoints);
    expect(seen).toEqual([
      [true, false],
      [true, true],
    ]);
    expect(records).toContainEqual(expect.objectContaining({ kind: 'plan', scenario: 'd', status: 'not-applicable' }));
  });

  it('tells of its progress', async () => {
    const seen: Progress[] = [];
    await driven([scenario('a', async () => []), scenario('b', async () => [])], {
      concurrency: 1,
      onProgress: (progress) => void seen.push(progress),
    });
    expect(seen.map(({ done, total, current, hasEnded }) => `${done}/${total} ${current} ${hasEnded}`)).toEqual([
      '0/2 a false',
      '1/2 a true',
      '1/2 b false',
      '2/2 b true',
    ]);
    expect(seen[0]?.scenarios).toEqual(['a', 'b']);
  });

  it('warns of no leak, however many requests share a signal', async () => {
    const warnings: string[] = [];
    const listen = (warning: Error): void => void warnings.push(warning.name);
    process.on('warning', listen);
    await driven(
      Array.from({ length: 20 }, (_, index) => scenario(`s${index}`, many)),
      { concurrency: 32 },
    );
    process.off('warning', listen);
    expect(warnings).toEqual([]);
  });

  it('hands the witness to drives that say that they use it', async () => {
    const scenarios = [scenario('helped', visiting, { witnessHelps: true }), scenario('other', visiting)];
    const records = await driven(scenarios, { witness: UNVISITED });
    const seen = records.flatMap((each) =>
      each.kind === 'observation' ? [[each.scenario, each.observation.type]] : [],
    );
    expect(Object.fromEntries(seen)).toMatchObject({ helped: 'http://w', other: 'none' });
  });

  it('hands the witness and the limited credential to the drive', async () => {
    const needs = [{ kind: 'witness' }, { kind: 'spans' }, { kind: 'limited-credential' }] as const;
    const records = await driven(
      [scenario('a', visiting, { needs })],
      { witness: UNVISITED, otel: true },
      undefined,
      LIMITED,
    );
    expect(records).toContainEqual(
      expect.objectContaining({
        kind: 'observation',
        scenario: 'a',
        observation: { type: 'http://w', exchanges: ['x3'] },
      }),
    );
    expect(records).toContainEqual(
      expect.objectContaining({
        id: 'x3',
        request: expect.objectContaining({
          headers: expect.objectContaining({ authorization: 'Bearer $OPENWOP_LIMITED_KEY' }) as object,
        }) as object,
      }),
    );
    expect(JSON.stringify(records)).not.toContain(LIMITED);
  });

  it('runs against a host that is not there', async () => {
    const target = targetAt('http://127.0.0.1:1');
    const records = await driven([scenario('a', async () => [], { gate: phase4 })], { target });
    expect(records).toContainEqual(expect.objectContaining({ kind: 'plan', status: 'inconclusive' }));
    expect(records.at(-1)?.kind).toBe('end');
  });
});
