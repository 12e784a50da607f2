import { expect, it } from 'vitest';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import { askInTurn } from './log-forms.ts';

/** A host that answers by what is accepted; `asked` is what was. */
function hostOf(statusFor: (accept: string) => number) {
  const asked: string[] = [];
  const exchange: HostHandle['exchange'] = async ({ headers }) => {
    const accept = headers?.['accept'] ?? '';
    asked.push(accept);
    const id = `x${asked.length}`;
    return { id, kind: 'response', status: statusFor(accept), headers: {}, text: '{}', json: readJsonText('{}') };
  };
  return { host: { baseUrl: 'http://h', exchange } as Partial<HostHandle> as HostHandle, asked };
}

async function statusOf(statusFor: (accept: string) => number): Promise<[number | undefined, number]> {
  const { host, asked } = hostOf(statusFor);
  const exchange: Exchange = await askInTurn(host, '/v1/runs/r/events');
  return [exchange.kind === 'response' ? exchange.status : undefined, asked.length];
}

it('asks once where either form is given, or the refusal is about something else', async () => {
  expect(await statusOf(() => 200)).toEqual([200, 1]);
  expect(await statusOf(() => 403)).toEqual([403, 1]);
});

it('finds a log in the one form that a host has, though it refuses whoever names the other one', async () => {
  expect(await statusOf((accept) => (accept.includes('event-stream') ? 404 : 200))).toEqual([200, 2]);
  expect(await statusOf((accept) => (accept.includes('json') ? 406 : 200))).toEqual([200, 3]);
});

it('keeps the first answer where there is no log', async () => {
  expect(await statusOf((accept) => (accept.includes(',') ? 404 : 406))).toEqual([404, 3]);
});
