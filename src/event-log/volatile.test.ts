import { describe, expect, it } from 'vitest';
import { readVolatile } from './volatile.ts';

describe('declared volatile fields', () => {
  it.each([
    ['payload', 'is not a JSON pointer'],
    ['', 'is not a JSON pointer'],
    ['/payload/a~2', 'has a ~ that is neither'],
    ['/payload', 'names a whole payload'],
    ['/data', 'names a whole payload'],
    ['/type', 'is always compared'],
    ['/sequence', 'is always compared'],
    ['/causationId', 'is always compared'],
  ])('may not be %j', (pointer, message) => {
    const read = readVolatile(['/payload/fine', pointer]);
    expect(read).toMatchObject({ ok: false, pointer });
    expect(read.ok ? '' : read.message).toContain(message);
  });

  it('are no more than a thousand, none of them deeper than an event, and are read soon', () => {
    const many = Array.from({ length: 1_001 }, (_, at) => `/payload/x${at}`);
    expect(readVolatile(many.slice(1))).toMatchObject({ ok: true });
    expect(readVolatile(many)).toMatchObject({ ok: false, pointer: '/payload/x1000' });
    expect(readVolatile([`/payload${'/a'.repeat(300)}`])).toMatchObject({ ok: false });
  });

  it('share their ways, unescape their tokens, and the wider one wins', () => {
    const read = readVolatile(['/payload/a/b', '/data/a/c~1d', '/payload/e', '/payload/e/f', '/trace']);
    expect(read).toEqual({
      ok: true,
      places: new Map<string, unknown>([
        [
          'payload',
          new Map<string, unknown>([
            [
              'a',
              new Map([
                ['b', true],
                ['c/d', true],
              ]),
            ],
            ['e', true],
          ]),
        ],
        ['trace', true],
      ]),
    });
  });
});
