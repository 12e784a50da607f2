import { expect, it } from 'vitest';
import type { Exchange, HostHandle } from '../../src/host/client.ts';
import { readJsonText } from '../../src/host/json.ts';
import { askInTurn } from './log-answers.ts';

/** A host that answers by what is accepted; `asked` is what was. */
function hostOf(statusFor: (accept: string) => number, chunks: readonly string[] = ['{}']) {
  const asked: string[] = [];
  const stream: HostHandle['stream'] = async ({ headers }, reader) => {
    const accept = headers?.['accept'] ?? '';
    asked.push(accept);
    const [id, status] = [`x${asked.length}`, statusFor(accept)];
    const isRead = reader.head(status, {}) === 'read';
    const last = isRead ? chunks.findIndex((chunk) => reader.text(chunk) === 'done') : 0;
    const text = chunks.slice(0, last === -1 ? chunks.length : last + 1).join('');
    return { id, kind: 'response', status, headers: {}, text, json: readJsonText(text) };
  };
  return { host: { baseUrl: 'http://h', stream } as Partial<HostHandle> as HostHandle, asked };
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

it('leaves a stream at the end of its run', async () => {
  const chunks = [
    ...['run.started', 'run.completed'].map((type) => `data: {"type":"${type}"}\n\n`),
    ': still here\n\n',
  ];
  const exchange = await askInTurn(hostOf(() => 200, chunks).host, '/v1/runs/r/events');
  expect(exchange).toMatchObject({ text: chunks.slice(0, 2).join('') });
});
