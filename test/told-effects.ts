import type { Received } from './local-server.ts';
import { sendJson, serveHttp } from './local-server.ts';

/** A witness whose tools and model say what a test tells them to. */
export interface ToldEffects {
  readonly url: string;
  readonly calls: readonly Received[];
  /** What a tool answers from now on; `{}` where nothing was told. */
  tell(name: string, answer: unknown): void;
  /** What the model says from now on. */
  speak(content: string): void;
  close(): Promise<void>;
}

/** Starts such a witness. */
export async function serveToldEffects(): Promise<ToldEffects> {
  const calls: Received[] = [];
  const told = new Map<string, unknown>();
  let content = 'Nothing.';
  const server = await serveHttp((received, response) => {
    calls.push(received);
    const name = received.url.split('/').at(-1) ?? '';
    const message = { role: 'assistant', content, refusal: null };
    if (name === 'completions') sendJson(response, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
    else sendJson(response, told.has(name) ? told.get(name) : {});
  });
  return {
    url: `${server.baseUrl}/w/token`,
    calls,
    tell: (name, answer) => void told.set(name, answer),
    speak: (text) => void (content = text),
    close: () => server.close(),
  };
}
