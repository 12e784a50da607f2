import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { type Answer, refusal } from '../types/answers.ts';

/**
 * Answers, in the envelope, what never becomes a request: 431 for headers beyond the limit, 408 for a request that takes too
 * long to arrive, 400 for what is no HTTP. Each ends its connection. An answer that has begun is not continued with another.
 */
export function answerUnreadable(server: Server): void {
  const answers = new WeakMap<Duplex, ServerResponse>();
  server.on('request', (request, response) => answers.set(request.socket, response));
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    const begun = answers.get(socket);
    const isAnswering = begun !== undefined && begun.headersSent && !begun.writableFinished;
    if (isAnswering || !socket.writable) socket.destroy();
    else socket.end(written(answerTo(error.code)));
  });
}

function answerTo(code: string | undefined): Answer {
  if (code === 'HPE_HEADER_OVERFLOW') return refusal(431, 'headers_too_large', 'The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return refusal(408, 'request_timeout', 'The request took too long.');
  return refusal(400, 'bad_request', 'This is no HTTP request.');
}

function written({ status, body }: Answer): string {
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
  ];
  return `${lines.join('\r\n')}\r\n\r\n${text}`;
}
