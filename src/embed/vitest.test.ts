import { describe, expect, it, vi } from 'vitest';
import { checkReport } from '../../test/sample-reports.ts';
import type { CheckReport } from '../contract/report.ts';
import { createReferenceHost, defaultCredentials, defaultParts } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import type { ConformanceTarget } from './options.ts';
import { assertPassed, describeConformance, skippedBecause } from './vitest.ts';

const CHECK = checkReport('discovery.shape', 'pass');

function hostWith(defect: string): ConformanceTarget {
  const { apiKey, credentials } = defaultCredentials();
  const parts = MUTANTS.find(({ id }) => id === defect)?.parts(defaultParts) ?? {};
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts });
  return { baseUrl: 'http://host.invalid', apiKey, fetch: host.fetch };
}

// Tests that the adapter makes: of a host that is right …
describeConformance({ target: () => hostWith('none'), scenarios: ['fork.full-replay'] });

// … and of one that is wrong, as its maintainers know.
describeConformance({
  target: () => hostWith('fork-ok-not-created'),
  scenarios: ['fork.full-replay'],
  requirements: ['fork.created'],
  known: ['fork.created'],
});

describe('the adapter for Vitest', () => {
  it('says at once which names nothing has', () => {
    const target = { baseUrl: 'http://host.invalid', fetch: vi.fn<() => Response>() };
    expect(() => describeConformance({ target, suites: ['nothing'] })).toThrow('no suite is called "nothing"');
    expect(() => describeConformance({ target, suites: ['discovery'], known: ['fork.created'] })).toThrow(
      'known: no selected check is called "fork.created"',
    );
    expect(target.fetch).not.toHaveBeenCalled();
  });

  it('skips what is undecided or does not apply, with the reason', () => {
    expect(skippedBecause(CHECK)).toBeUndefined();
    expect(skippedBecause({ ...CHECK, verdict: 'fail' })).toBeUndefined();
    expect(skippedBecause({ ...CHECK, verdict: 'not-applicable', reason: 'r' })).toBe('not-applicable: r');
    expect(skippedBecause({ ...CHECK, verdict: 'inconclusive', reason: 'r', restsOn: 'fork.created' })).toBe(
      'inconclusive: r (rests on fork.created)',
    );
  });

  it('fails with both sides, the diagnosis and how it is shown again', () => {
    assertPassed(CHECK);
    const diagnosis = { code: 'c', message: 'm' };
    const thrown = (check: Partial<CheckReport>): unknown => {
      try {
        assertPassed({ ...CHECK, ...check });
      } catch (error) {
        return error;
      }
      return undefined;
    };
    expect(thrown({ verdict: 'fail', expected: 'e', actual: 'a', diagnosis, reproduce: 'curl x' })).toMatchObject({
      message: 'm\nrequirement: discovery.shape, diagnosis: c\nagain: curl x',
      expected: 'e',
      actual: 'a',
      showDiff: true,
    });
    expect(thrown({ verdict: 'error', reason: 'broken' })).toMatchObject({
      message: 'the check could not be judged: broken\nrequirement: discovery.shape',
    });
  });
});
