import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free loopback port for as long as `use` takes. */
export async function withServer<T>(listener: RequestListener, use: (url: string) => Promise<T>): Promise<T> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    return await use(`http://127.0.0.1:${port}`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** What a chat-completions server was asked, and how it answers. */
export interface ChatServer {
  readonly witnessUrl: string;
  /** The bodies of all calls so far. */
  readonly asked: unknown[];
  /** Replaces what is answered: each answer once, the last one for ever. */
  readonly stage: (...answers: readonly ChatReply[]) => void;
}

interface ChatReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: unknown;
}

/** A model that says this, in the words of the chat-completions interface. */
export const speaks = (content: string, more: object = {}): ChatReply => ({
  body: {
    choices: [{ index: 0, message: { role: 'assistant', content, refusal: null }, finish_reason: 'stop' }],
    ...more,
  },
});

/** A model that refuses with this text. */
export const refuses = (refusal: string): ChatReply => ({
  body: { choices: [{ message: { role: 'assistant', content: null, refusal }, finish_reason: 'content_filter' }] },
});

/** A chat-completions server that answers what is staged. */
export async function withChatServer<T>(use: (server: ChatServer) => Promise<T>): Promise<T> {
  const asked: unknown[] = [];
  let replies: readonly ChatReply[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      asked.push({ path: request.url, body: JSON.parse(Buffer.concat(chunks).toString('utf8')) as unknown });
      const [reply = speaks('{"valid":true}'), ...others] = replies;
      if (others.length > 0) replies = others;
      response.writeHead(reply.status ?? 200, { 'content-type': 'application/json', ...reply.headers });
      response.end(typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body));
    });
  };
  return withServer(listener, (url) =>
    use({ witnessUrl: `${url}/w/token`, asked, stage: (...answers) => void (replies = answers) }),
  );
}
