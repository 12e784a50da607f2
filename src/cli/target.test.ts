import { afterEach, describe, expect, it, vi } from 'vitest';
import type { RunFlags } from './options.ts';
import { readTarget } from './target.ts';

const FLAGS: RunFlags = {
  baseUrl: 'http://host/',
  recipe: 'rfc-0041',
  vectors: 0,
  forks: 1,
  crash: 'none',
  concurrency: 1,
  maxTime: 1,
  timeout: 1,
};

function withVariables(variables: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('a target', () => {
  it('has the credentials of the variables that were named', () => {
    withVariables({ OPENWOP_API_KEY: 'one', T: 'two', L: 'three', B: 'one' });
    const flags = { ...FLAGS, baseUrlB: 'http://other', tenantBKeyEnv: 'T', limitedKeyEnv: 'L', apiKeyBEnv: 'B' };
    expect(readTarget(flags)).toMatchObject({
      baseUrl: 'http://host',
      baseUrlB: 'http://other',
      apiKey: 'one',
      tenantBKey: 'two',
      limitedKey: 'three',
      apiKeyB: 'one',
      variables: { tenantBKey: 'T', limitedKey: 'L', apiKeyB: 'B' },
    });
  });

  it('has no second host that is the first', () => {
    expect(() => readTarget({ ...FLAGS, baseUrlB: 'http://host' })).toThrow(
      '--base-url-b is the host under test itself',
    );
    expect(() => readTarget({ ...FLAGS, baseUrlB: 'http://HOST:80//' })).toThrow('--base-url-b');
  });

  it('has no other credential that is the first', () => {
    withVariables({ OPENWOP_API_KEY: 'one', T: 'one', L: 'one' });
    expect(() => readTarget({ ...FLAGS, tenantBKeyEnv: 'T' })).toThrow(
      '--tenant-b-key-env holds the credential under test',
    );
    expect(() => readTarget({ ...FLAGS, limitedKeyEnv: 'L' })).toThrow(
      '--limited-key-env holds the credential under test',
    );
    withVariables({ T: 'two', L: 'two' });
    expect(() => readTarget({ ...FLAGS, tenantBKeyEnv: 'T', limitedKeyEnv: 'L' })).toThrow('--limited-key-env');
    expect(() => readTarget({ ...FLAGS, tenantBKeyEnv: 'T', blindKeyEnv: 'L' })).toThrow('--blind-key-env');
    expect(() => readTarget({ ...FLAGS, limitedKeyEnv: 'L', blindKeyEnv: 'L' })).toThrow('--blind-key-env');
  });
});
