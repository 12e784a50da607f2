import { describe, expect, it } from 'vitest';
import { spanCollector } from './span-collector.ts';
import { UsageError } from '../contract/usage-error.ts';

const GENERAL = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://general:4318/' };
const TRACES = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://traces:4318/own/path' };

describe('spanCollector', () => {
  it.each([
    ['nothing', undefined, {}, undefined],
    ['an empty variable', undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, undefined],
    ['the general variable', undefined, GENERAL, 'http://general:4318/v1/traces'],
    ['the variable for traces first', undefined, { ...GENERAL, ...TRACES }, 'http://traces:4318/own/path'],
    ['the flag before both', 'https://flag/v1/traces', { ...GENERAL, ...TRACES }, 'https://flag/v1/traces'],
  ])('follows %s', (_, flag, env, expected) => {
    expect(spanCollector(flag, env)).toBe(expected);
  });

  it.each([
    ['--otlp-endpoint', '', {}],
    ['--otlp-endpoint', 'file:///tmp', {}],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', undefined, { OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' }],
  ])('says that %s is no address', (name, flag, env) => {
    expect(() => spanCollector(flag, env)).toThrow(UsageError);
    expect(() => spanCollector(flag, env)).toThrow(name);
  });
});
