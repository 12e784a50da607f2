import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { answered, handleOf, probeOf, unanswered } from '../../test/answers.ts';
import { bareScenario, UNVISITED } from '../../test/bare-scenario.ts';
import { belowVersionFour, noExecutionModel, phase4 } from '../contract/gates.ts';
import type { Exchange, HostRequest, HostHandle } from '../host/client.ts';
import type { Probe } from '../host/probe.ts';
import { observeTarget, planScenarios, unreadable, type TargetObservation } from './plan.ts';
import { documentOf } from './discovered.ts';
import type { Need, Scenario } from './scenario.ts';

const failed = unanswered('timeout', 'no complete answer');

function handle(answer: Exchange, sent: HostRequest[] = []): HostHandle {
  return handleOf(async (request) => {
    sent.push(request);
    return isUnknown(request.path) ? answered(404) : answer;
  });
}

function probe(
  more: Partial<Probe> = {},
  discoveryExchange: Exchange = answered(200, '{"fixtures":["seeded"]}'),
): Probe {
  return probeOf(handle(answered(200)), { discoveryExchange, discovery: documentOf(discoveryExchange), ...more });
}

function scenario(needs: readonly Need[], more: Partial<Scenario> = {}): Scenario {
  return bareScenario({ needs, ...more });
}

async function plan(needs: readonly Need[], given: Probe = probe(), more: Partial<Scenario> = {}, otel = false) {
  const [record] = await planScenarios([scenario(needs, more)], given, { otel, crash: 'quick' });
  return record;
}

const seam: Need = { kind: 'seam', path: '/v1/seam', body: '{"a":1}' };

function isUnknown(path: string): boolean {
  return path.endsWith('no-such-seam');
}

function telling(message: (path: string) => object): HostHandle {
  return handleOf(async ({ path }) => answered(404, message(path)));
}

function saying(say: (path: string) => string): HostHandle {
  return handleOf(async ({ path }) => answered(200, say(path)));
}

it('leaves open what a gate asks for where that is advertised in a wrong type, and names the row that says so', async () => {
  const document = '{"multiAgent":{"executionModel":{"supported":true,"version":"4"}}}';
  expect(await plan([], probe({}, answered(200, document)), { gate: phase4 })).toMatchObject({
    status: 'inconclusive',
    restsOn: 'discovery.execution-model',
    reason: '/multiAgent/executionModel/version is "4", not an integer from 4 up',
  });
});

describe('a seam', () => {
  it('that knows no such run is there: an unknown route is told otherwise', async () => {
    const byCode = telling((path) => ({ error: isUnknown(path) ? 'not_found' : 'run_not_found', message: 'Nothing.' }));
    const nested = telling((path) => ({
      error: { code: 'not_found', message: isUnknown(path) ? 'No route.' : 'No run.' },
    }));
    const alike = telling((path) => ({ error: 'not_found', message: `POST ${path}: request 7f${path.length}` }));
    const endless = telling(() => ({ error: 'not_found', message: 'a'.repeat(2_000_000) }));
    const gate: Need = { ...seam, absent: 'not-applicable' };
    expect(await plan([gate], probe({ host: endless }))).toMatchObject({ status: 'not-applicable' });
    expect(await plan([gate], probe({ host: byCode }))).toMatchObject({ status: 'applicable' });
    expect(await plan([gate], probe({ host: nested }))).toMatchObject({ status: 'applicable' });
    expect(await plan([gate], probe({ host: alike }))).toMatchObject({ status: 'not-applicable' });
  });

  it('that names itself otherwise, or is switched off, is not there', async () => {
    const gate: Need = {
      kind: 'seam',
      path: '/v1/host/sample/test/retention/expire',
      body: '{}',
      absent: 'not-applicable',
    };
    const named = telling((path) => ({
      error: 'not_found',
      message: `unknown test seam "${isUnknown(path) ? 'no-such-seam' : 'retention.expire'}"`,
    }));
    const off = telling((path) => ({ error: isUnknown(path) ? 'not_found' : 'seam_disabled', message: 'Not here.' }));
    const ofRuns = telling((path) => ({ error: 'not_found', message: isUnknown(path) ? 'no seam' : 'no run' }));
    expect(await plan([gate], probe({ host: named }))).toMatchObject({ status: 'not-applicable' });
    expect(await plan([gate], probe({ host: off }))).toMatchObject({ status: 'not-applicable' });
    const lost = telling((path) => ({
      error: isUnknown(path) ? 'not_found' : 'unknown_operation',
      message: 'Nothing.',
    }));
    expect(await plan([gate], probe({ host: lost }))).toMatchObject({ status: 'not-applicable' });
    expect(await plan([gate], probe({ host: ofRuns }))).toMatchObject({ status: 'applicable' });
  });

  it('is not there where a host accepts whatever it is sent', async () => {
    const gate: Need = { ...seam, absent: 'not-applicable' };
    const constant = await plan([gate], probe({ host: saying(() => '{"ok":true}') }));
    expect(constant).toMatchObject({ status: 'not-applicable' });
    expect(constant?.reason).toContain('as a seam that nobody has');
    const echo = probe({ host: saying((path) => `{"ok":"${path}"}`) });
    expect(await plan([gate], echo)).toMatchObject({ status: 'not-applicable' });
    expect(await plan([seam], echo)).toMatchObject({ status: 'inconclusive' });
    const own = saying((path) => (isUnknown(path) ? '{"error":"none"}' : '{"events":[]}'));
    expect(await plan([gate], probe({ host: own }))).toMatchObject({ status: 'applicable' });
  });

  it.each([403, 404, 405, 410, 501])("that is a row's gate leaves it out where the host answers %d", async (status) => {
    const gate: Need = { ...seam, absent: 'not-applicable' };
    expect(await plan([gate], probe({ host: handle(answered(status)) }))).toMatchObject({ status: 'not-applicable' });
  });

  it.each([401, 429, 503])("that is a row's gate leaves it undecided at %d", async (status) => {
    const gate: Need = { ...seam, absent: 'not-applicable' };
    expect(await plan([gate], probe({ host: handle(answered(status)) }))).toMatchObject({ status: 'inconclusive' });
  });

  it.each([200, 201, 400, 422, 500])('that answers %i is there', async (status) => {
    expect(await plan([seam], probe({ host: handle(answered(status)) }))).toMatchObject({ status: 'applicable' });
  });

  it.each([
    [401, /give a credential that it accepts/u],
    [403, /enable it, or give a credential/u],
    [404, /has to expose it/u],
    [405, /has to expose it/u],
    [410, /has to expose it/u],
    [501, /has to expose it/u],
    [302, /redirects are not followed/u],
    [429, /not ready/u],
    [503, /not ready/u],
  ])('that answers %i leaves the scenario inconclusive', async (status, reason) => {
    const record = await plan([seam], probe({ host: handle(answered(status)) }));
    expect(record).toMatchObject({ status: 'inconclusive', reason: expect.stringMatching(reason) as string });
    expect(record?.reason).toContain(`POST /v1/seam answered ${status}`);
  });

  it('that answers with a web page is not there', async () => {
    const host = handle(answered(200, '<html>', { 'content-type': 'text/html; charset=utf-8' }));
    expect(await plan([seam], probe({ host }))).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('web page') as string,
    });
  });

  it('that does not answer leaves the scenario inconclusive', async () => {
    expect(await plan([seam], probe({ host: handle(failed) }))).toMatchObject({
      status: 'inconclusive',
      reason: 'the test seam POST /v1/seam got no answer: timeout (no complete answer)',
    });
  });

  it('is asked once for all scenarios, by a request that may be repeated', async () => {
    const sent: HostRequest[] = [];
    const records = await planScenarios(
      ['a', 'b', 'c'].map((id) => scenario([seam], { id })),
      probe({ host: handle(answered(200), sent) }),
      { otel: false, crash: 'quick' },
    );
    expect(records.map((record) => record.scenario)).toEqual(['a', 'b', 'c']);
    const asked = { method: 'POST', body: '{"a":1}', repeatable: true };
    expect(sent).toEqual([
      { ...asked, path: '/v1/seam' },
      { ...asked, path: '/v1/host/sample/test/no-such-seam' },
    ]);
  });
});

describe('a fixture', () => {
  it.each(['seeded', 'theirs'])('that is advertised, or that the caller named, is not asked for: %s', async (id) => {
    const sent: HostRequest[] = [];
    const given = probe({ host: handle(answered(404), sent), named: [{ workflowId: 'theirs' }] });
    expect(await plan([{ kind: 'fixture', workflowId: id }], given)).toMatchObject({ status: 'applicable' });
    expect(sent).toEqual([]);
  });

  it('that can be read is there', async () => {
    const sent: HostRequest[] = [];
    const host = handle(answered(200), sent);
    expect(await plan([{ kind: 'fixture', workflowId: 'a/b' }], probe({ host }))).toMatchObject({
      status: 'applicable',
    });
    expect(sent).toEqual([{ method: 'GET', path: '/v1/workflows/a%2Fb' }]);
  });

  it.each([
    [answered(404), '404'],
    [answered(401), '401'],
    [answered(200, '<html>', { 'content-type': 'text/html' }), '200'],
    [failed, 'timeout'],
  ])('that cannot be read leaves the scenario inconclusive', async (answer, why) => {
    const record = await plan([{ kind: 'fixture', workflowId: 'w' }], probe({ host: handle(answer) }));
    expect(record).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining(`${why}): seed it`) as string,
    });
  });
});

const CANDIDATES: Need = {
  kind: 'one-of',
  candidates: [{ workflowId: 'theirs', children: ['child'] }, { workflowId: 'ours' }],
};

/** What is said on a host that lacks these workflows. */
function planLacking(ids: readonly string[]): ReturnType<typeof plan> {
  const host = {
    ...handle(answered(200)),
    async exchange(request: HostRequest) {
      const isLacking = ids.some((id) => request.path === `/v1/workflows/${id}`);
      return handle(answered(isLacking ? 404 : 200)).exchange(request);
    },
  };
  return plan([CANDIDATES], probe({ host }));
}

describe('one of several fixtures', () => {
  it.each([[['ours']], [['theirs']], [['child']], [['theirs', 'child']]])('is there beside %j', async (ids) => {
    expect(await planLacking(ids)).toMatchObject({ status: 'applicable' });
  });

  it('is named where none is there with all that it starts', async () => {
    expect(await planLacking(['child', 'ours'])).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(/fixture child is neither.*: seed it, or ours$/u) as string,
      remedies: [{ step: 'seed child or ours' }],
    });
    expect((await planLacking(['theirs', 'child', 'ours']))?.remedies).toEqual([
      { step: 'seed theirs and child or ours' },
    ]);
  });
});

describe('what somebody can do', () => {
  const fixture: Need = { kind: 'fixture', workflowId: 'w' };

  it('is all that is lacking, each by its name', async () => {
    const path = '/v1/host/sample/test/workflow-revision';
    const record = await plan([{ ...seam, path }, fixture], probe({ host: handle(answered(404)) }));
    expect(record?.remedies).toEqual([{ step: 'expose workflow-revision' }, { step: 'seed w' }]);
  });

  it('is what the caller left out, and the host is not asked for more', async () => {
    const record = await plan([seam, { kind: 'second-tenant' }, { kind: 'second-host' }]);
    expect(record?.remedies).toEqual([
      { step: 'give --base-url-b', untested: 'agreement with a second host' },
      { step: 'give --tenant-b-key-env', untested: 'access across tenants' },
    ]);
  });

  it('is nothing where the host gives no answer, whatever else is lacking', async () => {
    const record = await plan([fixture, seam], probe({ host: handle(failed) }));
    expect(record).toMatchObject({ status: 'inconclusive', reason: expect.stringContaining('fixture w') as string });
    expect(record).not.toHaveProperty('remedies');
  });

  it('is nothing where a scenario applies, or its gate is closed', async () => {
    expect(await plan([seam])).not.toHaveProperty('remedies');
    expect(await plan([seam], probe(), { gate: phase4 })).not.toHaveProperty('remedies');
  });
});

describe('what the caller gives', () => {
  const given = { hostB: handle(answered(200)), otherTenant: handle(answered(200)), limited: handle(answered(200)) };

  it.each([
    ['second-host', /--base-url-b/u],
    ['second-tenant', /--tenant-b-key-env/u],
    ['limited-credential', /--limited-key-env/u],
    ['blind-credential', /--blind-key-env/u],
  ] as const)('%s leaves the scenario out where it is not there, without asking anybody', async (kind, reason) => {
    const sent: HostRequest[] = [];
    const record = await plan([seam, { kind }], probe({ host: handle(answered(404), sent) }));
    expect(record).toMatchObject({ status: 'not-applicable', reason: expect.stringMatching(reason) as string });
    expect(sent).toEqual([]);
    expect(await plan([{ kind }], probe({ ...given, blind: given.limited }))).toMatchObject({ status: 'applicable' });
  });
});

describe('a second tenant to whom nothing is there', () => {
  const need: Need = { kind: 'second-tenant' };

  it('leaves the scenario inconclusive, as it would see no run of its own either', async () => {
    const blind = probe({ host: handle(answered(400)), otherTenant: handle(answered(404)) });
    expect(await plan([need], blind)).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('answered 404 where the first one is answered 400') as string,
    });
  });

  it.each([
    [404, 404],
    [404, 503],
    [400, 400],
    [403, 400],
  ])('is not known by %i, where the first one gets %i', async (second, first) => {
    const given = probe({ host: handle(answered(first)), otherTenant: handle(answered(second)) });
    expect(await plan([need], given)).toMatchObject({ status: 'applicable' });
  });
});

describe('a witness, or spans', () => {
  it('witness that does not listen leaves the scenario inconclusive', async () => {
    expect(await plan([{ kind: 'witness' }])).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(/--witness-listen/u) as string,
    });
    expect(await plan([{ kind: 'witness' }], probe({ witness: UNVISITED }))).toMatchObject({ status: 'applicable' });
  });

  it('spans that nobody promised make the scenario not applicable', async () => {
    expect(await plan([{ kind: 'spans' }], probe({ witness: UNVISITED }))).toMatchObject({
      status: 'not-applicable',
      reason: expect.stringMatching(/--otel/u) as string,
    });
    expect(await plan([{ kind: 'spans' }], probe({ witness: UNVISITED }), {}, true)).toMatchObject({
      status: 'applicable',
    });
    expect(await plan([{ kind: 'spans' }], probe(), {}, true)).toMatchObject({ status: 'inconclusive' });
  });
});

function advertising(failpoints: unknown): Exchange {
  const extensions = { 'x-openwop-provable-semantics': { supported: true, failpoints } };
  return answered(200, { extensions });
}

describe('hosts to be killed', () => {
  it('are there where failpoints are advertised', async () => {
    expect(await plan([{ kind: 'crash' }], probe({}, advertising(['before-execute'])))).toMatchObject({
      status: 'applicable',
    });
  });

  it.each([undefined, [], 'before-execute', [1]])('are not where the failpoints are %j', async (failpoints) => {
    expect(await plan([{ kind: 'crash' }], probe({}, advertising(failpoints)))).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(/extensions\/x-openwop-provable-semantics\/failpoints/u) as string,
    });
  });

  it('are left alone where the caller says so, without asking anybody', async () => {
    const sent: HostRequest[] = [];
    const given = probe({ host: handle(answered(404), sent) }, advertising(['before-execute']));
    const [record] = await planScenarios([scenario([seam, { kind: 'crash' }])], given, { otel: false, crash: 'none' });
    expect(record).toMatchObject({
      status: 'not-applicable',
      reason: expect.stringMatching(/--crash none/u) as string,
    });
    expect(sent).toEqual([]);
  });
});

describe('a fork', () => {
  const fork: Need = { kind: 'fork', mode: 'branch', absent: 'not-applicable' };
  const replayOnly = answered(200, '{"replay":{"supported":true,"modes":["replay"]}}');

  it('that is not offered decides, whatever else is missing', async () => {
    const given = probe({ host: handle(answered(404)) }, replayOnly);
    expect(await plan([{ kind: 'fixture', workflowId: 'w' }, fork], given)).toMatchObject({
      status: 'not-applicable',
      reason: '/replay/modes does not name branch',
    });
  });

  it('that is not offered is lacking beside what the caller left out, or decides', async () => {
    const twoTenants: Need = { kind: 'second-tenant' };
    const unknown = probe({ host: handle(answered(404)) }, answered(200, '{}'));
    const open = await plan([twoTenants, { ...fork, absent: 'inconclusive' }, seam], unknown);
    expect(open).toMatchObject({ status: 'not-applicable', reason: expect.stringContaining('tenant') as string });
    expect(open?.remedies).toMatchObject([
      { step: 'give --tenant-b-key-env' },
      { step: expect.stringContaining('conformance-noop') as string },
    ]);
    const closed = await plan([twoTenants, fork], probe({}, replayOnly));
    expect(closed).toMatchObject({ status: 'not-applicable', reason: '/replay/modes does not name branch' });
    expect(closed).not.toHaveProperty('remedies');
  });

  it('that is offered leaves the other needs to be asked for', async () => {
    const given = probe({ host: handle(answered(404)) }, replayOnly);
    expect(await plan([{ ...fork, mode: 'replay' }, seam], given)).toMatchObject({ status: 'inconclusive' });
    expect(await plan([{ ...fork, mode: 'replay' }], given)).toMatchObject({ status: 'applicable' });
  });
});

describe('a gate', () => {
  it('that is closed makes the scenario not applicable, for the gate’s reason', async () => {
    expect(await plan([seam], probe(), { gate: phase4 })).toMatchObject({
      status: 'not-applicable',
      reason: 'multiAgent.executionModel is not advertised',
    });
  });

  it.each([
    [failed, /got no answer: timeout/u],
    [answered(401), /answered 401/u],
    [answered(200, '<html>'), /was not read: the body is no JSON: /u],
    [answered(200, '[]'), /JSON that is no object/u],
    [answered(200, 'null'), /JSON that is no object/u],
  ])('that needs a discovery document is undecided without one', async (exchange, reason) => {
    expect(await plan([], probe({}, exchange), { gate: phase4 })).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(reason) as string,
    });
    expect(await plan([], probe({}, exchange), { gate: phase4 })).toHaveProperty('restsOn', 'discovery.reachable');
    expect(unreadable(exchange)).toMatch(reason);
  });

  it('is not opened by a document of no protocol, only by one that leaves something out', async () => {
    for (const gate of [noExecutionModel, belowVersionFour]) {
      expect(await plan([], probe({}, answered(200, '{}')), { gate })).toMatchObject({
        status: 'inconclusive',
        restsOn: 'discovery.shape',
        reason: expect.stringContaining('no member of an OpenWOP discovery document') as string,
      });
      const other = answered(200, '{"protocolVersion":"1.0"}');
      expect(await plan([], probe({}, other), { gate })).toMatchObject({ status: 'applicable' });
    }
    expect(await plan([], probe({}, answered(200, '{}')), { gate: phase4 })).toMatchObject({
      status: 'not-applicable',
    });
    expect(await plan([], probe({}, answered(200, '{}')))).toMatchObject({ status: 'applicable' });
  });

  it('that is always open does not need one', async () => {
    expect(await plan([], probe({}, failed))).toMatchObject({ status: 'applicable' });
  });
});

function targetOf(document: unknown): TargetObservation {
  const exchange = answered(200, JSON.stringify(document));
  return observeTarget(exchange, documentOf(exchange));
}

describe('observeTarget', () => {
  it('reads what a report says of the target', () => {
    const document = {
      implementation: { name: 'host', version: '1.2' },
      multiAgent: { executionModel: { version: 4, replayDeterminism: { llmCacheKeyRecipe: 'spec-rfc-0041' } } },
    };
    expect(targetOf(document)).toEqual({
      type: 'target',
      exchanges: ['x1'],
      implementation: 'host 1.2',
      discoverySha256: createHash('sha256').update(JSON.stringify(document)).digest('hex'),
      executionModelVersion: 4,
      recipeAdvertised: 'spec-rfc-0041',
      offersReplay: true,
    });
  });

  it.each([
    [{}, false],
    [{ replay: { supported: false }, multiAgent: { executionModel: { supported: false } } }, false],
    [{ replay: { supported: true } }, true],
    [{ capabilities: { multiAgent: { executionModel: {} } } }, true],
    ['no document', null],
  ])('reads of %j whether replay is offered: %j', (document, offersReplay) => {
    expect(targetOf(document)).toMatchObject({ offersReplay });
  });

  it.each([
    ['text', 'text'],
    [{ name: 'n' }, 'n'],
    [{ name: 1, version: 2 }, null],
    [7, null],
    [null, null],
    [undefined, null],
  ])('reads the implementation %j as %j', (implementation, expected) => {
    expect(targetOf({ implementation }).implementation).toBe(expected);
  });

  it('keeps a name of any length short', () => {
    expect(targetOf({ implementation: 'n'.repeat(1_000_000) }).implementation?.length).toBeLessThan(1000);
    expect(targetOf({ implementation: { name: 'n'.repeat(1_000_000) } }).implementation?.length).toBeLessThan(1000);
  });

  it('knows nothing of a host that does not answer', () => {
    expect(observeTarget(failed, undefined)).toMatchObject({
      implementation: null,
      discoverySha256: null,
      executionModelVersion: null,
      recipeAdvertised: null,
    });
  });
});
