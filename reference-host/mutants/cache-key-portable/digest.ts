import { createHash } from 'node:crypto';
import type { Defects } from '../mutant.ts';
import { OFFLINE, keying } from '../shared/key-parts.ts';

/** How the digest is made and written. */
export const defects: Defects = {
  'key-uppercase-hex': {
    breaks: 'The key is written in upper-case hexadecimal.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => key.toUpperCase()),
  },
  'key-partly-uppercase': {
    breaks: 'The last letter of the key is written in upper case.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => key.replace(/[a-f](?=\d*$)/u, (letter) => letter.toUpperCase())),
  },
  'key-base64': {
    breaks: 'The key is written in base64.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => Buffer.from(key, 'hex').toString('base64')),
  },
  'key-truncated': {
    breaks: 'Only the first half of the digest is kept.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => key.slice(0, 32)),
  },
  'key-far-too-long': {
    breaks: 'The digest stands three hundred times in the key.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => key.repeat(300)),
  },
  'key-zeros-dropped': {
    breaks: 'The digest is written as a number, without the zeros that it begins with.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => key.replace(/^0+/u, '')),
  },
  'key-algorithm-prefix': {
    breaks: 'The name of the hash stands before the digest.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => `sha256:${key}`),
  },
  'key-trailing-newline': {
    breaks: 'A line feed is hashed after the canonical text.',
    kills: [...OFFLINE],
    parts: ({ digest }) => ({ digest: (text) => digest(`${text}\n`) }),
  },
  'line-end-after-key': {
    breaks: 'A line feed stands after the key.',
    kills: [...OFFLINE, 'cache-key.lowercase-hex'],
    parts: keying((key) => `${key}\n`),
  },
  'other-hash': {
    breaks: 'The text is hashed with SHA-512 and the key is its first half.',
    kills: [...OFFLINE],
    parts: () => ({ digest: (text) => createHash('sha512').update(text, 'utf8').digest('hex').slice(0, 64) }),
  },
  'latin-1-hashed': {
    breaks: 'The text is hashed as Latin-1 instead of UTF-8.',
    kills: [...OFFLINE, 'cache-key.jcs-strings'],
    parts: () => ({ digest: (text) => createHash('sha256').update(text, 'latin1').digest('hex') }),
  },
};
