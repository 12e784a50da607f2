/** The bytes of a request's or a response's body; undefined where they are more than `limit`. */
export async function boundedBytes(
  { headers, body }: Pick<Request, 'headers' | 'body'>,
  limit: number,
): Promise<Uint8Array | undefined> {
  if (Number(headers.get('content-length')) > limit) return undefined;
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of (body ?? []) as AsyncIterable<Uint8Array>) {
    length += chunk.byteLength;
    if (length > limit) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
