/**
 * The bytes of a request's or a response's body; undefined where they are more than `limit`. A body whose declared length
 * is too large is not touched at all: a server that began to read it would have to drop the connection.
 */
export async function boundedBytes(
  message: Pick<Request, 'headers' | 'body'>,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (Number(message.headers.get('content-length')) > limit) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (message.body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
