import { describe, expect, it } from 'vitest';
import { spellingsOf } from './spellings.ts';

const texts = (secret: string, kind: string): string[] =>
  spellingsOf(secret)
    .filter((each) => each.kind === kind)
    .map(({ text }) => text);

describe('the spellings of a secret', () => {
  it.each(['plain-secret', 'qu"o\\te/é\n', 'sn\u2603w man', 'lone \ud800 half'])(
    'are found in encodings of %j',
    (secret) => {
      const found = (text: string): boolean => spellingsOf(secret).some((each) => text.includes(each.text));
      expect(found(`before ${secret} after`)).toBe(true);
      expect(found(JSON.stringify({ a: secret }))).toBe(true);
      expect(found(JSON.stringify(JSON.stringify({ a: secret })))).toBe(true);
      for (const before of ['', 'x', 'xy', 'xyz']) {
        for (const after of ['', 'x', 'xy', 'xyz']) {
          const bytes = Buffer.from(before + secret + after);
          expect([before, after, found(bytes.toString('base64'))]).toEqual([before, after, true]);
          expect([before, after, found(bytes.toString('base64url'))]).toEqual([before, after, true]);
          expect(found(bytes.toString('hex'))).toBe(true);
        }
      }
      expect(found(`?q=${encodeURIComponent(secret.toWellFormed())}`)).toBe(true);
      expect(found(new URLSearchParams({ q: secret.toWellFormed() }).toString())).toBe(true);
    },
  );

  it('are told by their kind, and what is the secret itself is plain', () => {
    expect(texts('simple', 'plain')).toEqual(['simple']);
    expect(texts('simple', 'json')).toEqual([]);
    expect(texts('simple', 'percent')).toEqual(['%73%69%6d%70%6c%65']);
    expect(texts('simple', 'hex')).toEqual(['73696d706c65']);
    expect(texts('a/b', 'json')).toContain(String.raw`a\/b`);
    expect(texts('é', 'json')).toContain(String.raw`\u00e9`);
  });
});
