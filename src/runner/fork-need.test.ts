import { describe, expect, it } from 'vitest';
import { answered, handleOf, probeOf, unanswered } from '../../test/answers.ts';
import { readDiscovery } from '../contract/discovery.ts';
import type { HostRequest } from '../host/client.ts';
import type { Probe } from '../host/probe.ts';
import { createForkAsker } from './fork-need.ts';

type Answer = (request: HostRequest) => { status: number; body?: unknown; type?: string } | undefined;

function event(sequence: number, type: string) {
  return {
    eventId: `e${sequence}`,
    runId: 'r1',
    type,
    payload: {},
    timestamp: '2026-01-01T00:00:00.000Z',
    sequence,
  };
}

/** A host with a no-op run of two events, first sequence 5; `fork` answers the fork endpoint. */
function hostWith(fork: Answer, runs: Answer = () => ({ status: 201, body: { runId: 'r1' } })): Answer {
  return (request) => {
    if (request.path.endsWith(':fork')) return fork(request);
    if (request.path === '/v1/runs') return runs(request);
    return { status: 200, body: { events: [event(5, 'run.started'), event(6, 'run.completed')], isComplete: true } };
  };
}

function asker(answer: Answer, timeoutMs = 1000, named?: Probe['named']) {
  const sent: HostRequest[] = [];
  const host = handleOf(async (request) => {
    sent.push(request);
    const given = answer(request);
    if (given === undefined) return unanswered('reset');
    const { status, body, type = 'application/json' } = given;
    return answered(status, body, { 'content-type': type });
  });
  return { ask: createForkAsker(probeOf(host, { named, timeoutMs })), sent };
}

const replayNeed = { kind: 'fork', mode: 'replay', absent: 'not-applicable' } as const;
const branchNeed = { kind: 'fork', mode: 'branch', absent: 'inconclusive' } as const;
const forked: Answer = () => ({ status: 201, body: { runId: 'r2' } });
const knowsNamed: Answer = ({ body = '' }) =>
  body.includes('"named"') ? { status: 201, body: { runId: 'r1' } } : { status: 422 };

const noNoop: Answer = ({ body }) =>
  body?.includes('conformance-noop') === true ? { status: 404 } : { status: 201, body: { runId: 'r1' } };

const endless: Answer = ({ path }) =>
  path === '/v1/runs' ? { status: 201, body: { runId: 'r1' } } : { status: 200, body: { events: [] } };

/** Refuses forks in these modes. */
function refusing(...modes: readonly string[]): Answer {
  return ({ body = '' }) =>
    modes.some((mode) => body.includes(`"${mode}"`))
      ? { status: 400, body: { error: 'unsupported_mode' } }
      : { status: 201 };
}

const branchOnly = { ...branchNeed, absent: 'not-applicable' } as const;
const invalid: Answer = () => ({ status: 400, body: { error: 'validation_error' } });

describe('what is advertised', () => {
  it.each([
    { replay: { supported: true, modes: ['replay', 'branch'] } },
    { replay: { supported: true } },
    { replay: { supported: true, modes: 'replay' } },
    { capabilities: { replay: { supported: true, modes: ['branch', 'replay'] } } },
  ])('as %j is believed, and nothing is asked', async (document) => {
    const { ask, sent } = asker(() => undefined);
    expect(await ask(replayNeed, readDiscovery(document))).toBeUndefined();
    expect(await ask(branchNeed, readDiscovery(document))).toBeUndefined();
    expect(sent).toEqual([]);
  });

  it('without the mode gives the verdict of the need, and nothing is asked', async () => {
    const { ask, sent } = asker(() => undefined);
    const onlyReplay = readDiscovery({ replay: { supported: true, modes: ['replay'] } });
    const none = readDiscovery({ capabilities: { replay: { supported: true, modes: [] } } });
    expect(await ask(branchNeed, onlyReplay)).toEqual({
      status: 'inconclusive',
      reason: '/replay/modes does not name branch',
    });
    expect(await ask(replayNeed, none)).toEqual({
      status: 'not-applicable',
      reason: '/capabilities/replay/modes does not name replay',
    });
    expect(sent).toEqual([]);
  });
});

describe('a host that advertises no replay', () => {
  it.each([{}, { replay: { supported: false } }, { replay: { supported: 'true' } }, { replay: true }])(
    'as %j is asked, with one run for all and one fork a mode',
    async (document) => {
      const { ask, sent } = asker(hostWith(forked));
      const discovery = readDiscovery(document);
      const asked = [replayNeed, branchNeed, replayNeed].map((need) => ask(need, discovery));
      expect(await Promise.all(asked)).toEqual([undefined, undefined, undefined]);
      expect(sent.filter(({ path }) => path === '/v1/runs').map(({ body }) => body)).toEqual([
        '{"workflowId":"conformance-noop"}',
      ]);
      expect(sent.filter(({ path }) => path === '/v1/runs/r1:fork').map(({ body }) => body)).toEqual([
        '{"mode":"replay"}',
        '{"mode":"branch","fromSeq":5}',
      ]);
    },
  );

  it.each([200, 201, 400, 409, 410, 422, 500])('forks when the endpoint answers %i', async (status) => {
    expect(await asker(hostWith(() => ({ status }))).ask(replayNeed, undefined)).toBeUndefined();
  });

  it.each([400, 409, 422])('does not fork when it says so, and the endpoint answers %i', async (status) => {
    const { ask } = asker(hostWith(() => ({ status })));
    const discovery = readDiscovery({ replay: { supported: false } });
    const reason = '/replay/supported is false, and the fork endpoint refuses';
    expect(await ask(replayNeed, discovery)).toEqual({ status: 'not-applicable', reason });
  });

  describe('and refuses one mode as none that it has', () => {
    it('offers the other one alone', async () => {
      const { ask } = asker(hostWith(refusing('branch')));
      expect(await ask(branchOnly, undefined)).toEqual({
        status: 'not-applicable',
        reason: 'no replay block is advertised, and the mode branch is refused: unsupported_mode',
      });
      expect(await ask(replayNeed, undefined)).toBeUndefined();
    });

    it('offers both where it refuses both, claims the mode, or names another reason', async () => {
      expect(await asker(hostWith(refusing('branch', 'replay'))).ask(branchOnly, undefined)).toBeUndefined();
      const claimed = readDiscovery({ replay: { supported: true } });
      expect(await asker(hostWith(refusing('branch'))).ask(branchOnly, claimed)).toBeUndefined();
      expect(await asker(hostWith(invalid)).ask(branchOnly, undefined)).toBeUndefined();
    });
  });

  it('forks where it says that it does not, and the endpoint fails', async () => {
    const { ask } = asker(hostWith(() => ({ status: 500 })));
    expect(await ask(replayNeed, readDiscovery({ replay: { supported: false } }))).toBeUndefined();
  });

  it.each([404, 405, 501])('does not fork when the endpoint answers %i', async (status) => {
    const { ask } = asker(hostWith(() => ({ status })));
    const reason = 'the host neither advertises replay nor answers the fork endpoint';
    expect(await ask(replayNeed, undefined)).toEqual({ status: 'not-applicable', reason });
    const remedy = { step: 'advertise replay and answer the fork endpoint' };
    expect(await ask(branchNeed, undefined)).toEqual({ status: 'inconclusive', reason, remedy });
  });

  it('does not fork when the endpoint is a web page for everything', async () => {
    const { ask } = asker(hostWith(() => ({ status: 200, type: 'text/html; charset=utf-8' })));
    expect(await ask(replayNeed, undefined)).toMatchObject({ status: 'not-applicable' });
  });

  it.each([301, 401, 403, 429, 503])('is undecided when the endpoint answers %i', async (status) => {
    const leads = status === 301 ? ', to nowhere: redirects are not followed' : '';
    expect(await asker(hostWith(() => ({ status }))).ask(replayNeed, undefined)).toEqual({
      status: 'inconclusive',
      reason: `the fork endpoint, which is not advertised, answered ${status}${leads}`,
    });
  });

  it('is undecided when the endpoint gives no answer', async () => {
    expect(await asker(hostWith(() => undefined)).ask(replayNeed, undefined)).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringContaining('reset') as string,
    });
  });

  it('is asked with the first advertised fixture where it does not know the no-op', async () => {
    const { ask, sent } = asker(hostWith(forked, noNoop));
    expect(await ask(replayNeed, readDiscovery({ fixtures: ['mine', 'other'] }))).toBeUndefined();
    expect(sent.map(({ body }) => body)).toContain('{"workflowId":"mine"}');
  });

  it('is asked with the workflows that the caller named before', async () => {
    const named = [{ workflowId: 'gone' }, { workflowId: 'named', inputs: { a: 1 } }];
    const { ask, sent } = asker(hostWith(forked, knowsNamed), 1000, named);
    expect(await ask(replayNeed, readDiscovery({ fixtures: ['mine'] }))).toBeUndefined();
    expect(sent.filter(({ path }) => path === '/v1/runs').map(({ body }) => body)).toEqual([
      '{"workflowId":"conformance-noop"}',
      '{"workflowId":"gone"}',
      '{"workflowId":"named","inputs":{"a":1}}',
    ]);
  });

  it.each([
    [() => ({ status: 404 }), /POST \/v1\/runs: 404\): run the public workflow conformance-noop, or name one/u],
    [() => ({ status: 201, body: {} }), /names no runId/u],
    [() => undefined, /reset/u],
  ])('is undecided when no run can be made, and says what to seed', async (runs, reason) => {
    const { ask, sent } = asker(hostWith(forked, runs));
    expect(await ask(replayNeed, undefined)).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(reason) as string,
    });
    expect(sent.some(({ path }) => path.endsWith(':fork'))).toBe(false);
  });

  it('is undecided when the run does not end', async () => {
    expect(await asker(endless, 20).ask(replayNeed, undefined)).toMatchObject({
      status: 'inconclusive',
      reason: expect.stringMatching(/no ended run to fork: .*seed conformance-noop/u) as string,
    });
  });
});
