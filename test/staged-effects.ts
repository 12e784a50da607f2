import type { Received } from './local-server.ts';
import { sendJson, serveHttp } from './local-server.ts';

/** A witness whose tools and model say what a test stages. */
export interface StagedEffects {
  readonly url: string;
  readonly calls: readonly Received[];
  /** What a tool answers from now on; `{}` where nothing was staged. */
  stage(name: string, answer: unknown): void;
  /** What the model says from now on. */
  speak(content: string): void;
  close(): Promise<void>;
}

/** Starts such a witness. */
export async function serveStagedEffects(): Promise<StagedEffects> {
  const calls: Received[] = [];
  const staged = new Map<string, unknown>();
  let content = 'Nothing.';
  const server = await serveHttp((received, response) => {
    calls.push(received);
    const name = received.url.split('/').at(-1) ?? '';
    const message = { role: 'assistant', content, refusal: null };
    if (name === 'completions') sendJson(response, { choices: [{ index: 0, message, finish_reason: 'stop' }] });
    else sendJson(response, staged.has(name) ? staged.get(name) : {});
  });
  return {
    url: `${server.baseUrl}/w/token`,
    calls,
    stage: (name, answer) => void staged.set(name, answer),
    speak: (text) => void (content = text),
    close: () => server.close(),
  };
}
