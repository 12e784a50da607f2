import { describe } from 'vitest';
import { createReferenceHost, defaultCredentials } from '../../reference-host/index.ts';
import { describeConformance } from '../../src/embed/vitest.ts';

const { apiKey, credentials } = defaultCredentials();
const { fetch } = createReferenceHost({ credentials, enableTestSeams: false });
const right = { baseUrl: 'http://host.invalid', fetch };
const known = ['discovery.reachable', 'cache-key.lowercase-hex'];

describe('throws', () => {
  const target = {
    baseUrl: 'http://host.invalid',
    fetch: () => {
      throw new Error('did not start');
    },
  };
  describeConformance({ target, suites: ['discovery'], known: ['discovery.reachable'] });
});

describe('wrong key', () => {
  describeConformance({ target: { ...right, apiKey: 'of-another' }, suites: ['discovery', 'fork-contract'] });
});

describe('known', () => {
  describeConformance({ target: { ...right, apiKey }, scenarios: known, known });
});
