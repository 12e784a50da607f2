import { describe, expect, it } from 'vitest';
import type { Exchange, HostHandle, HostRequest } from '../../src/host/client.ts';
import { purge, refusal, stage, valid } from './seams.ts';

async function stream(): Promise<Exchange> {
  return { id: 'x0', kind: 'failure', reason: 'protocol', message: '' };
}

/** A host whose seams answer with these statuses, one a request; keeps what it was sent. */
function hostOf(statuses: readonly number[]): { readonly handle: HostHandle; readonly bodies: unknown[] } {
  const bodies: unknown[] = [];
  const exchange = async ({ body }: HostRequest): Promise<Exchange> => {
    bodies.push(JSON.parse(body ?? ''));
    const [id, status] = [`x${bodies.length}`, statuses[bodies.length - 1]];
    if (status === undefined) return { id, kind: 'failure', reason: 'refused', message: 'nobody there' };
    return { id, kind: 'response', status, headers: {}, text: '{}', json: { ok: true, value: {} } };
  };
  return { handle: { baseUrl: 'http://fake.invalid', exchange, stream }, bodies };
}

const PROGRAM = [valid('{"valid":true}'), refusal('no')];

describe('stage', () => {
  it('sends content and stop reasons', async () => {
    const { handle, bodies } = hostOf([200]);
    expect(await stage(handle, 'n', PROGRAM)).toMatchObject({ problem: null, exchange: 'x1', status: 200 });
    expect(bodies).toEqual([{ nodeId: 'n', program: PROGRAM }]);
  });

  it.each([400, 422])('turns to envelopes and refusals where that is answered with %i', async (status) => {
    const { handle, bodies } = hostOf([status, 200]);
    expect(await stage(handle, 'n', PROGRAM)).toMatchObject({ problem: null, exchange: 'x2' });
    const program = [
      { mode: 'envelope', envelope: { valid: true } },
      { mode: 'refusal', refusalReason: 'no' },
    ];
    expect(bodies[1]).toEqual({ nodeId: 'n', program });
  });

  it('sends a text that is no JSON as it is', async () => {
    const { handle, bodies } = hostOf([400, 200]);
    await stage(handle, 'n', [valid('plain')]);
    expect(bodies[1]).toEqual({ nodeId: 'n', program: [{ mode: 'envelope', envelope: 'plain' }] });
  });

  it.each([403, 404, 501])('says what to expose where the seam answers %i', async (status) => {
    const { problem } = await stage(hostOf([status]).handle, 'n', PROGRAM);
    expect(problem).toContain(`POST /v1/host/sample/test/mock-ai/program answered ${status}`);
  });
});

describe('purge', () => {
  it('says why there was no answer', async () => {
    const { problem, status } = await purge(hostOf([]).handle, { runId: 'r' });
    expect(status).toBeNull();
    expect(problem).toBe('POST /v1/host/sample/test/llm-cache/purge got no answer: refused (nobody there)');
  });
});
