import { describe, expect, it } from 'vitest';
import type { Span } from '../../src/evidence/witness.ts';
import { search } from './listen.ts';
import { textOf } from './span-redaction.ts';

const SPAN: Span = {
  name: 'openwop.run',
  traceId: 'a',
  spanId: 'b',
  parentSpanId: null,
  attributes: {},
  links: [],
  events: [],
  statusMessage: '',
};
const SECRET = 'canary-0123456789';

function shows(more: Partial<Span>): boolean {
  return (
    search({ canaries: [{ text: SECRET, core: SECRET }], marker: 'marker' }, textOf({ ...SPAN, ...more })).shows
      .length > 0
  );
}

describe('what a span shows', () => {
  it.each<Partial<Span>>([
    { name: `run with ${SECRET}` },
    { attributes: { inputs: { key: SECRET } } },
    { events: [{ name: SECRET, attributes: {} }] },
    { events: [{ name: 'exception', attributes: { 'exception.message': `no ${SECRET}` } }] },
    { statusMessage: `no ${SECRET}` },
  ])('stands in %j', (more) => expect(shows(more)).toBe(true));

  it('is nothing where none of it holds a secret', () => {
    expect(shows({ events: [{ name: 'exception', attributes: { 'exception.message': '[REDACTED]' } }] })).toBe(false);
  });
});
