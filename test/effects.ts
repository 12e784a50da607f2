import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Received } from './local-server.ts';
import { sendJson, serveHttp } from './local-server.ts';

/** A tool that counts its calls and answers each with a fresh nonce. */
export interface Effects {
  readonly url: string;
  readonly calls: readonly Received[];
  close(): Promise<void>;
}

/** Starts the tool. With names given, it holds answers back until their calls can be answered in that order. */
export async function serveEffects(order: readonly string[] = []): Promise<Effects> {
  const calls: Received[] = [];
  const held = new Map<string, () => void>();
  const due = [...order];
  const server = await serveHttp((received, response) => {
    calls.push(received);
    const name = received.url.split('/').at(-1) ?? '';
    if (!due.includes(name)) return answer(response, calls.length);
    held.set(name, () => answer(response, calls.length));
    for (let next = held.get(due[0] ?? ''); next !== undefined; next = held.get(due[0] ?? '')) {
      due.shift();
      next();
    }
  });
  return { url: `${server.baseUrl}/w/token`, calls, close: () => server.close() };
}

function answer(response: ServerResponse, count: number): void {
  sendJson(response, { nonce: randomUUID(), count });
}
