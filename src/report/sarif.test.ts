import { createRequire } from 'node:module';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { describe, expect, it } from 'vitest';
import type { Report } from '../contract/report.ts';
import {
  checkReport,
  GREEN,
  hostileReport,
  HOSTILE,
  INCONCLUSIVE,
  MIXED,
  OBEYED,
  RED,
} from '../../test/sample-reports.ts';
import { renderSarif } from './sarif.ts';

interface Noted {
  readonly level: string;
  readonly message: { readonly text: string };
}

interface Result extends Noted {
  readonly ruleId: string;
  readonly ruleIndex: number;
  readonly partialFingerprints: Readonly<Record<string, string>>;
  readonly suppressions?: readonly unknown[];
  readonly workItemUris?: readonly string[];
}

interface Run {
  readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
  readonly invocations: readonly [
    { readonly executionSuccessful: boolean; readonly toolExecutionNotifications: readonly Noted[] },
  ];
  readonly results: readonly Result[];
}

// The official schema, of draft 4, which says of nothing that is used here anything else than later drafts do.
const require = createRequire(import.meta.url);
const {
  $schema: _,
  id: __,
  ...schema
} = require('@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json') as Readonly<Record<string, unknown>>;
const ajv = new Ajv({ strict: false, unicodeRegExp: false });
formats.default(ajv);
const isSarif = ajv.compile(schema);

function runOf(report: Report): Run {
  const log: unknown = JSON.parse(renderSarif(report));
  isSarif(log);
  expect(isSarif.errors).toBeNull();
  return (log as { readonly runs: readonly [Run] }).runs[0];
}

function fingerprints(report: Report): readonly Result['partialFingerprints'][] {
  return runOf(report).results.map((result) => result.partialFingerprints);
}

describe('the SARIF report', () => {
  it('is held against a schema that refuses what is none', () => {
    expect(isSarif({ version: '2.1.0', runs: [{}] })).toBe(false);
  });

  it('shows a red run: a result for each failed check, advice as a warning, a known failure suppressed', () => {
    const { results, tool, invocations } = runOf(RED);
    expect(results.map(({ ruleId, level, suppressions }) => [ruleId, level, suppressions])).toEqual([
      ['cache-key.lowercase-hex', 'error', []],
      ['fork.unadvertised-mode', 'warning', []],
      ['fork.created', 'error', [{ kind: 'external', status: 'accepted', justification: 'fixed in 2.0' }]],
    ]);
    expect(results[0]).toMatchObject({
      message: {
        text: [
          'cache-key.lowercase-hex: Title of cache-key.lowercase-hex',
          'expected: 64 lowercase hex characters',
          'actual: "ABC"',
          'diagnosis: uppercase-hex: the key is in upper case',
          "reproduce: curl -sS http://h --data-raw '{}'",
        ].join('\n'),
      },
      properties: { check: 'cache-key.lowercase-hex', rests: ['cache-key.sorts-tools'] },
    });
    expect(results[2]?.workItemUris).toEqual(['https://host.example/issues/7']);
    expect(results.map(({ ruleIndex }) => tool.driver.rules[ruleIndex]?.id)).toEqual(
      results.map(({ ruleId }) => ruleId),
    );
    expect(invocations[0].toolExecutionNotifications.map(({ level, message }) => [level, message.text])).toEqual([
      ['warning', 'not decided: rests on cache-key.lowercase-hex: cache-key.sorts-tools'],
    ]);
  });

  it('has a rule for each requirement, with its clause, where that comes from and where help is', () => {
    const [, rule] = runOf(RED).tool.driver.rules;
    expect(rule).toEqual({
      id: 'cache-key.lowercase-hex',
      shortDescription: { text: '64 lowercase hex characters' },
      fullDescription: { text: '64 lowercase hex characters' },
      help: {
        text: [
          'MUST: 64 lowercase hex characters',
          'Source: replay §B.4',
          'Checks: cache-key.lowercase-hex',
          'More: npx openwop-conformance explain cache-key.lowercase-hex',
        ].join('\n'),
      },
      helpUri: 'pkg:npm/openwop-conformance#docs/requirements.md',
      defaultConfiguration: { level: 'error' },
      properties: { tags: ['cache-key-portable', 'MUST'] },
    });
  });

  it('shows a green run: no result, and that it was executed', () => {
    const { results, invocations } = runOf(GREEN);
    expect(results).toEqual([]);
    expect(invocations).toEqual([
      {
        executionSuccessful: true,
        exitCode: 0,
        exitCodeDescription: 'conformant (exit code 0)',
        startTimeUtc: '2026-01-01T00:00:00.000Z',
        endTimeUtc: '2026-01-01T00:00:01.234Z',
        toolExecutionNotifications: [],
      },
    ]);
  });

  it('shows an inconclusive run: notifications by their reason, since nothing is known of the host', () => {
    const { results, invocations } = runOf(INCONCLUSIVE);
    expect(results).toEqual([]);
    expect(invocations[0].toolExecutionNotifications).toEqual([
      {
        level: 'warning',
        message: { text: 'not decided: the seam is missing: cache-key.sorts-tools, cache-key.jcs-numbers' },
      },
    ]);
  });

  it("says what kept everything from being judged, and the harness's own errors", () => {
    const preflight = { code: 'unreachable', message: 'http://h cannot be reached' };
    const notified = (report: Report): readonly string[] =>
      runOf(report).invocations[0].toolExecutionNotifications.map(({ message }) => message.text);
    expect(notified({ ...INCONCLUSIVE, preflight, checks: [] })).toEqual(['unreachable: http://h cannot be reached']);
    expect(notified(MIXED)[0]).toBe('cache-key.deterministic: error of the harness: the judge failed');
    expect(runOf(MIXED).invocations[0].executionSuccessful).toBe(false);
    expect(runOf({ ...GREEN, ranOutOf: 'time' }).invocations[0].executionSuccessful).toBe(false);
    const stale = { kind: 'passes', name: 'a.row', message: 'a.row passes' } as const;
    const baseline = { known: 0, problems: [stale] } as unknown as NonNullable<Report['baseline']>;
    expect(notified({ ...GREEN, baseline })).toEqual(['baseline: a.row passes']);
  });

  it('has the same fingerprints for the same check in another run, and others for other checks', () => {
    const later: Report = {
      ...RED,
      startedAt: '2027-01-01T00:00:00.000Z',
      target: { ...RED.target, baseUrl: 'https://other.example' },
      checks: RED.checks.map((check) => ({ ...check, actual: 'something else', evidence: ['o9'], durationMs: 7 })),
    };
    expect(fingerprints(later)).toEqual(fingerprints(RED));
    expect(new Set(fingerprints(RED).map(({ primaryLocationLineHash }) => primaryLocationLineHash)).size).toBe(3);
  });

  it('is SARIF whatever a host sends, holds nothing that is hidden or obeyed, and no link', () => {
    const text = renderSarif(hostileReport(HOSTILE));
    expect(OBEYED.exec(text)?.[0]).toBeUndefined();
    const { results } = runOf(hostileReport(HOSTILE));
    expect(results).toHaveLength(3);
    for (const { message } of results) {
      expect(OBEYED.exec(message.text)?.[0]).toBeUndefined();
      expect(message.text).not.toContain('](');
    }
    expect(runOf({ ...hostileReport('\ud800'), startedAt: 'long ago' }).results).toHaveLength(3);
    expect(
      runOf({ ...RED, checks: [checkReport('x.y', 'fail', { known: { reason: '', link: 'no link' } })] }),
    ).toMatchObject({ results: [{ suppressions: [{ justification: '' }] }] });
  });
});
