import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, type HostParts } from '../../reference-host/index.ts';
import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { validate } from '../contract/validate.ts';
import { judgeEvidence, runConformance, type ConformanceTarget, type RunConformanceOptions } from '../index.ts';

const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0).toReversed()) await close();
});

/** A host without a socket. */
function target(parts: Partial<HostParts> = {}): ConformanceTarget {
  const { apiKey, otherTenantApiKey, limitedApiKey, blindApiKey, credentials } = defaultCredentials();
  const host = createReferenceHost({ credentials, enableTestSeams: true, parts });
  opened.push(() => host.close());
  return {
    baseUrl: 'http://host.invalid',
    fetch: host.fetch,
    apiKey,
    tenantBKey: otherTenantApiKey,
    limitedKey: limitedApiKey,
    blindKey: blindApiKey,
  };
}

function run(options: Partial<RunConformanceOptions> = {}) {
  return runConformance({ target: target(), suites: ['fork-contract'], seed: 7, ...options });
}

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'embedded-'));
  opened.push(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

describe('a run from within a program', () => {
  it('judges a host that is called in this process, and gives the report', async () => {
    const report = await run();
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 0, target: { baseUrl: 'http://host.invalid' } });
    expect(report.counts).toMatchObject({ fail: 0, inconclusive: 0, error: 0 });
    expect(report.counts.pass).toBeGreaterThan(40);
    expect(validate('report', report)).toEqual([]);
  });

  it('names the defect of a wrong host, and the call that shows it again', async () => {
    const mutant = MUTANTS.find(({ id }) => id === 'branch-inert');
    const scenarios = ['fork.branch-acts.tool'];
    const { checks, exitCode } = await run({ target: target(mutant?.parts(defaultParts)), suites: [], scenarios });
    expect(exitCode).toBe(1);
    expect(checks.filter(({ verdict }) => verdict === 'fail')).toMatchObject([
      {
        id: 'fork.branch-acts.tool',
        reproduce: "await runConformance({ target, scenarios: ['fork.branch-acts.tool'], seed: 7 })",
      },
    ]);
  });

  it('writes evidence that is judged alike, without a credential, for its owner alone', async () => {
    const evidence = join(folder(), 'evidence.ndjson');
    const host = target();
    const report = await run({ target: host, suites: ['run-lifecycle'], evidence });
    expect((await judgeEvidence(evidence)).checks).toEqual(report.checks);
    const text = readFileSync(evidence, 'utf8');
    expect([host.apiKey, host.tenantBKey].filter((key) => key !== undefined && text.includes(key))).toEqual([]);
    expect(statSync(evidence).mode & 0o777).toBe(0o600);
  });

  it('ends early when it is told to, and judges what there is', async () => {
    const controller = new AbortController();
    const report = await run({
      signal: controller.signal,
      onProgress: ({ done }) => {
        if (done > 2) controller.abort();
      },
    });
    expect(report.verdict).toBe('inconclusive');
    expect(report.counts.inconclusive).toBeGreaterThan(0);
  });

  it('names its end by the signal, also where it is judged again', async () => {
    const evidence = join(folder(), 'evidence.ndjson');
    const report = await run({ signal: AbortSignal.abort(), evidence });
    expect(report).toMatchObject({ interrupted: 'AbortSignal', verdict: 'inconclusive', exitCode: 3 });
    expect(validate('report', report)).toEqual([]);
    expect(await judgeEvidence(evidence)).toMatchObject({ interrupted: 'AbortSignal', exitCode: 3 });
  });

  it('ends with a verdict where the target returns what is no answer', async () => {
    const broken = { baseUrl: 'http://host.invalid', fetch: () => Response.error() };
    const report = await run({ target: broken, suites: ['discovery'] });
    expect(report).toMatchObject({ verdict: 'inconclusive', preflight: { code: 'no-http' } });
    expect(report.preflight?.message).toContain('returned a network error');
  });

  it('loses evidence that cannot be written any more, and not its verdict', async () => {
    const place = folder();
    const evidence = join(place, 'evidence.ndjson');
    const onProgress = (): void => rmSync(place, { recursive: true, force: true });
    const report = await run({ evidence, suites: ['discovery'], onProgress });
    expect(report).toMatchObject({ verdict: 'conformant', exitCode: 4 });
    expect(report.lost).toEqual([expect.stringMatching(/^the evidence: .*ENOENT/u)]);
    expect(validate('report', report)).toEqual([]);
  });

  it('refuses places of evidence that are no files before the first request', async () => {
    const fetch = vi.fn<() => Response>();
    for (const evidence of [folder(), '', '-', '/dev/null/evidence']) {
      await expect(run({ target: { baseUrl: 'http://host.invalid', fetch }, evidence })).rejects.toThrow(
        /^evidence: /u,
      );
    }
    expect(fetch).not.toHaveBeenCalled();
  });

  it.each<[Partial<RunConformanceOptions>, string]>([
    [{ suites: ['fork-contrac'] }, 'no suite is called "fork-contrac"; did you mean fork-contract?'],
    [{ seed: -1 }, 'seed is no whole number from 0 to 2147483647'],
    [{ timeoutMs: 0.5 }, 'timeoutMs is no whole number from 1 to 600000'],
    [{ volatile: ['/type'] }, 'volatile "/type"'],
    [{ target: { baseUrl: 'host.invalid' } }, 'target.baseUrl takes an absolute URL'],
    [{ target: { baseUrl: 'http://a:b@host.invalid' } }, 'target.baseUrl must not carry credentials'],
    [{ target: { baseUrl: 'http://host.invalid', apiKey: 'a\nb' } }, 'target.apiKey: the credential has characters'],
  ])('says what is wrong with its options: %o', async (wrong, message) => {
    await expect(run(wrong)).rejects.toThrow(message);
  });
});
