import { describe, expect, it } from 'vitest';
import { readTraceParent } from './traceparent.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const SPAN = 'b7ad6b7169203331';

describe('readTraceParent', () => {
  it.each([`00-${TRACE}-${SPAN}-01`, `00-${TRACE}-${SPAN}-00`, `01-${TRACE}-${SPAN}-01-more`])('reads %s', (text) => {
    expect(readTraceParent(text)).toEqual({ traceId: TRACE, spanId: SPAN });
  });

  it.each([
    '',
    `ff-${TRACE}-${SPAN}-01`,
    `00-${TRACE}-${SPAN}-01-more`,
    `00-${TRACE.toUpperCase()}-${SPAN}-01`,
    `00-${'0'.repeat(32)}-${SPAN}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE}-${SPAN}`,
  ])('passes over "%s"', (text) => {
    expect(readTraceParent(text)).toBeUndefined();
  });
});
