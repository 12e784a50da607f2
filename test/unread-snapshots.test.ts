import { describe, expect, it } from 'vitest';
import type { CheckReport, Report } from '../src/contract/report.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';
import { DRIVEN } from './liars/driven.ts';
import { EVERY_PLACE } from './sampled.ts';
import { around } from './variants/wire.ts';
import { reportWithin } from './report-within.ts';

const SNAPSHOT = /^\/v1\/runs\/[^/:]+$/u;

/** Bodies in the place of every snapshot. */
const BODIES: readonly (readonly [what: string, body: string | Uint8Array<ArrayBuffer>])[] = [
  ['broken JSON', '{"n":NaN'],
  ['bytes that are no UTF-8', Uint8Array.from(Buffer.from('{"n":"\u00ff"}', 'latin1'))],
];

/** The suites that say so, and that have another row about it; all of them where every place is tried. */
const SUITES = DRIVEN.filter(({ id }) => EVERY_PLACE || id === 'run-lifecycle' || id === 'handoff-state-machine');

function childOf({ checks }: Pick<Report, 'checks'>): CheckReport | undefined {
  return checks.find(({ id }) => id === 'handoff.child-is-a-run');
}

describe.concurrent('a host whose snapshots cannot be read', () => {
  it.each(BODIES)('is red once, in the row that says so: %s', async (_, body) => {
    const parts = around(SNAPSHOT, async (request, next) => {
      const response = await next(request);
      return response.ok ? new Response(body, { headers: { 'content-type': 'application/json' } }) : response;
    })();
    const { checks } = await reportWithin(
      [2_000, 20_000],
      (timeoutMs) => runWithParts(SUITES, parts, { crash: 'few', timeoutMs }),
      (report) => childOf(report)?.restsOn !== undefined,
    );
    const failed = checks.filter(({ verdict }) => verdict === 'fail');
    expect(failed.map(({ id }) => id)).toEqual(['run.created']);
    expect(childOf({ checks })).toMatchObject({ verdict: 'inconclusive', restsOn: 'run.created' });
  });
});
