import { describe, expect, it } from 'vitest';
import { UsageError } from '../contract/usage-error.ts';
import { armedFailpoint, spanCollector } from './serving.ts';

const KNOWN = ['before-execute', 'after-put-effect'];

describe('armedFailpoint', () => {
  it.each([
    ['before-execute@1', { name: 'before-execute', hit: 1 }],
    ['after-put-effect@120', { name: 'after-put-effect', hit: 120 }],
  ])('of %s', (FAILPOINT, cut) => {
    expect(armedFailpoint({ FAILPOINT }, KNOWN)).toEqual(cut);
  });

  it('is none where the environment says nothing', () => {
    expect(armedFailpoint({}, KNOWN)).toBeUndefined();
    expect(armedFailpoint({ FAILPOINT: '' }, KNOWN)).toBeUndefined();
  });

  it.each([
    'before-execute',
    'before-execute@0',
    'before-execute@1.5',
    'before-execute@1@1',
    'before-execute@9999999999999999',
    ' before-execute@1',
    'never@1',
  ])('refuses %j', (FAILPOINT) => {
    expect(() => armedFailpoint({ FAILPOINT }, KNOWN)).toThrow(UsageError);
  });
});

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
