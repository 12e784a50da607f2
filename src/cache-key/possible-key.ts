const MOST_CHARACTERS = 256;

/**
 * Whether a wrong rule could give this key at all: digests of any known hash in hexadecimal or base64, whole or cut to no less
 * than eight characters, with something before them or a line end after them (rules/encodings.ts).
 */
export function isPossibleKey(key: string): boolean {
  return key.length <= MOST_CHARACTERS && /[A-Za-z0-9+/_-]{8}=*(?:\r?\n)?$/u.test(key);
}
