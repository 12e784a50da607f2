import { describe, expect, it } from 'vitest';
import { createPlannedDocuments } from './planned-documents.ts';

const asking = (path = '/.well-known/openwop'): Request => new Request(`http://host${path}`);
const answer = (status: number, text: string) => ({ response: new Response(null, { status }), body: bytes(text) });

function bytes(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text));
}

describe('planned documents', () => {
  it('are those of the first host, as JSON carries them', () => {
    const documents = createPlannedDocuments();
    expect(documents.made('without', { a: 1, b: undefined })).toBe(true);
    documents.hostMade();
    expect(documents.made('without', { a: 2 })).toBe(true);
    expect(documents.made('later', { a: 2 })).toBe(false);
    expect([...documents.found]).toEqual([['without', { a: 1 }]]);
  });

  it('are not what JSON cannot carry', () => {
    const documents = createPlannedDocuments();
    expect(documents.made('nothing', undefined)).toBe(false);
    expect(documents.made('big', { a: 1n })).toBe(false);
    expect(documents.found.size).toBe(0);
  });

  it('are none where the first request for it is answered with none', () => {
    const documents = createPlannedDocuments();
    const [other, first, second] = [asking('/v1/runs'), asking(), asking()];
    for (const request of [other, first, second]) documents.requested(request);
    expect(documents.answered('moved', first, answer(301, ''))).toBe(true);
    expect(documents.answered('page', first, answer(200, '<p>'))).toBe(true);
    expect(documents.answered('document', first, answer(200, '{}'))).toBe(false);
    expect(documents.answered('late', second, answer(404, ''))).toBe(false);
    expect(documents.answered('other', other, answer(404, ''))).toBe(false);
    expect([...documents.found]).toEqual([
      ['moved', undefined],
      ['page', undefined],
    ]);
  });
});
