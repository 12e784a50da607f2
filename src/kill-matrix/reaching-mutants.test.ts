import { describe, expect, it } from 'vitest';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { readPart } from '../contract/discovery.ts';
import { answered as answeredWith, handleOf, probeOf, unanswered as failing } from '../../test/answers.ts';
import { bareScenario, OPTIONS } from '../../test/bare-scenario.ts';
import { always } from '../contract/gates.ts';
import type { Exchange, HostHandle } from '../host/client.ts';
import type { CrashBench, CrashLane } from '../host/crash.ts';
import type { Probe } from '../host/probe.ts';
import type { Scenario } from '../runner/scenario.ts';
import { reachingMutants, watchedScenario } from './reaching-mutants.ts';
import { createReads } from './reads.ts';

function mutants(...ids: readonly string[]) {
  return MUTANTS.filter(({ id }) => ids.includes(id));
}

function reaching(drive: (probe: Parameters<Scenario['drive']>[0]) => unknown) {
  const reading = bareScenario({
    drive: async (probe) => {
      drive(probe);
      return [];
    },
  });
  return reachingMutants([{ id: 'u', scenarios: [reading] }], mutants('discovery-as-html', 'discovery-not-found'));
}

describe('hosts without a discovery document', () => {
  it('stand for each other where a drive reads the document', async () => {
    expect(await reaching(({ discovery }) => discovery === undefined)).toHaveLength(1);
  });

  it('are all met where a drive reads the answer itself', async () => {
    expect(await reaching(({ discoveryExchange }) => discoveryExchange.kind)).toHaveLength(2);
  });

  it('make no difference where a drive reads neither', async () => {
    expect(await reaching(() => undefined)).toEqual([]);
  });
});

const document = { fixtures: ['one'], replay: { supported: true } };
const other = { fixtures: ['two'], replay: { supported: true } };
const failed = failing('refused');
const PATH = '/.well-known/openwop';

const answered = (id: string): Exchange => answeredWith(200, document, {}, id);

function handle(answer: Exchange): HostHandle {
  return handleOf(async () => answer);
}

const host = handle(answered('x2'));
const lane: CrashLane = { host, armsAtStart: true, revive: async () => ({ ok: true, downMs: 1, answered: true }) };
const crash: CrashBench = {
  width: 1,
  cuts: 'few',
  use: (work) => work(lane),
  each: async (jobs, work) => {
    for (const job of jobs) await work(lane, job);
  },
};
const others = { limited: handle(failed), hostB: host, crash };
const probe = probeOf(host, { ...others, discoveryExchange: answered('x1'), discovery: document });

/** What a drive that does this depends on. */
async function reads(act: (probe: Probe) => unknown) {
  const noted = createReads();
  const drive: Scenario['drive'] = async (given) => {
    await act(given);
    return [];
  };
  await watchedScenario(scenario(always, drive), noted).drive(probe, OPTIONS);
  return noted;
}

function scenario(gate: Scenario['gate'], drive: Scenario['drive'] = async () => []): Scenario {
  return bareScenario({ gate, drive });
}

const get = (to: HostHandle, path = PATH): Promise<Exchange> => to.exchange({ method: 'GET', path });

describe('a watched scenario', () => {
  it('notes what its drive reads of the document', async () => {
    const fixtures = await reads(({ discovery }) => readPart(discovery, 'fixtures'));
    expect([fixtures.sameIn(document), fixtures.sameIn(other)]).toEqual([true, false]);
    const replay = await reads((given) => readPart({ ...given }.discovery, 'replay'));
    expect([replay.sameIn(other), replay.sameIn({})]).toEqual([true, false]);
    const only = await reads(({ discovery }) => discovery === undefined);
    expect([only.sameIn({}), only.sameIn(undefined)]).toEqual([true, false]);
    expect((await reads(() => undefined)).sameIn(undefined)).toBe(true);
  });

  it("notes a look into the planner's answer, not its name", async () => {
    expect((await reads(({ discoveryExchange }) => discoveryExchange.id)).sameIn(undefined)).toBe(true);
    expect((await reads(({ discoveryExchange }) => discoveryExchange.kind)).sameIn(document)).toBe(false);
  });

  it('notes who reads what a request of its own for the document gave', async () => {
    const status = await reads(async (given) => {
      const answer = await get(given.host);
      return answer.kind === 'response' && answer.status;
    });
    expect(status.sameIn(other)).toBe(true);
    const text = await reads(async (given) => {
      const answer = await get(given.host);
      return answer.kind === 'response' && answer.text;
    });
    expect(text.sameIn(document)).toBe(false);
    const streamed = await reads(({ host: to }) =>
      to.stream({ method: 'GET', path: PATH }, { head: () => 'stop', text: () => 'done' }),
    );
    expect(streamed.sameIn(document)).toBe(false);
  });

  it('notes the same of a host that it may kill', async () => {
    const used = await reads(({ crash: bench }) => bench?.use(async (own) => JSON.stringify(await get(own.host))));
    expect(used.sameIn(document)).toBe(false);
    const each = await reads(({ crash: bench }) =>
      bench?.each([1], async (own) => void JSON.stringify(await get(own.host))),
    );
    expect(each.sameIn(document)).toBe(false);
  });

  it('does not note what is not the document', async () => {
    const elsewhere = await reads(async (given) => JSON.stringify(await get(given.host, '/v1/runs/r')));
    const second = await reads(async ({ hostB }) => hostB && JSON.stringify(await get(hostB)));
    const dead = await reads(async ({ limited }) => limited && JSON.stringify(await get(limited)));
    expect([elsewhere, second, dead].map((each) => each.sameIn(undefined))).toEqual([true, true, true]);
  });
});
