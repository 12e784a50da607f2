import { randomUUID } from 'node:crypto';
import { afterEach } from 'vitest';
import { member } from '../reference-host/json.ts';
import type { Received } from './local-server.ts';
import { sendJson, serveHttp } from './local-server.ts';

/** A tool that counts its calls, and has a resource that says what it answered last. */
export interface OnceTool {
  /** What runs have as `inputs.witnessUrl`. */
  readonly url: string;
  /** The calls, without the questions for the resource. */
  readonly calls: readonly Received[];
  /** Resolves as soon as the tool has been called so often. */
  called(times: number): Promise<void>;
  /** Holds its answers back from now on. */
  hold(): void;
  /** Gives the answers that were held back, and holds back no more. */
  release(): void;
  /** Makes the resource say another nonce; the last answer's own again where none is given. */
  pretend(nonce?: string): void;
  close(): Promise<void>;
}

export interface OnceToolOptions {
  /** Every answer; `{nonce}` with a fresh one each time where nothing is given. */
  readonly answer?: unknown;
  readonly status?: number;
}

/** Starts the tool. */
export async function serveOnceTool(options: OnceToolOptions = {}): Promise<OnceTool> {
  const calls: Received[] = [];
  const held: (() => void)[] = [];
  const waiting: { readonly times: number; readonly resolve: () => void }[] = [];
  let holding = false;
  let pretended: string | undefined;
  let last: unknown = {};
  const server = await serveHttp((received, response) => {
    if (received.url.includes('/resources/')) {
      return sendJson(response, { nonce: pretended ?? member(last, 'nonce') ?? 'none' });
    }
    calls.push(received);
    const give = (): void => {
      last = Object.hasOwn(options, 'answer') ? options.answer : { nonce: randomUUID() };
      sendJson(response, last, options.status);
    };
    if (holding) held.push(give);
    else give();
    for (const { times, resolve } of waiting) if (times <= calls.length) resolve();
  });
  return {
    url: `${server.baseUrl}/w/token`,
    calls,
    called: (times) =>
      new Promise((resolve) => {
        if (times <= calls.length) resolve();
        else waiting.push({ times, resolve });
      }),
    hold() {
      holding = true;
    },
    release() {
      holding = false;
      for (const give of held.splice(0)) give();
    },
    pretend(nonce) {
      pretended = nonce;
    },
    close: () => server.close(),
  };
}

/** The events of a call that succeeds, in order. */
export const CALL = ['tool_invocation_started', 'tool_invocation_finished', 'command_committed'];

/** Starts tools for this file's tests; each is gone when its test ends. */
export function useOnceTools(): (options?: OnceToolOptions) => Promise<OnceTool> {
  const tools: OnceTool[] = [];
  afterEach(async () => {
    await Promise.all(tools.splice(0).map((each) => each.close()));
  });
  return async (options) => {
    const started = await serveOnceTool(options);
    tools.push(started);
    return started;
  };
}
