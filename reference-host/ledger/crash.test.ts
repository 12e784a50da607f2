import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Effects, serveEffects } from '../../test/effects.ts';
import { member } from '../json.ts';
import { sampled } from '../../test/sampled.ts';
import type { Failpoint } from '../store/failpoints.ts';
import { cutOff, followed, life, quickFolder, startOnce } from '../../test/host-lives.ts';
import { CALL } from '../../test/once-tool.ts';

const TOOL = 'conformance-determinism-side-effects';
let folder = '';
let witness: Effects;
let files = 0;
beforeAll(async () => {
  folder = quickFolder('crash-');
  witness = await serveEffects();
});
afterAll(async () => {
  await witness.close();
  rmSync(folder, { recursive: true });
});

/** A run that is cut at each of these failpoints, the first in the first life and so on, and then left alone. */
async function cut(cuts: readonly Failpoint[]) {
  files += 1;
  const data = join(folder, `${files}.sqlite`);
  const url = `${witness.url}-${files}`;
  const fired: boolean[] = [];
  const body = { workflowId: TOOL, inputs: { witnessUrl: url } };
  for (const failpoint of cuts) fired.push(await cutOff(data, body, failpoint));
  const last = life(data);
  const runId = await startOnce(last.client, body);
  const run = await followed(last.client, runId);
  const passed = await last.client.post('/v1/host/sample/test/failpoint/passed', {});
  const decisions = await last.client.post('/v1/host/sample/test/invocations', { runId });
  await last.client.host.close();
  const calls = witness.calls.filter((call) => call.url.startsWith(`/w/token-${files}/`));
  return {
    run,
    calls,
    fired,
    passed: passed.body['passed'] as readonly string[],
    decisions: decisions.body['decisions'],
  };
}

/** A lease is renewed by the clock: on a busy machine in one run, and not in the next. */
function isCertain(name: string): boolean {
  return !name.endsWith('renew-lease');
}

function hits(names: readonly string[]): readonly Failpoint[] {
  return names.map((name, index) => ({ name, hit: names.slice(0, index + 1).filter((each) => each === name).length }));
}

/** What must hold for a run, whenever its host was killed, in few words. */
function summary({ run, calls }: Awaited<ReturnType<typeof cut>>) {
  const nonce = member(member(run.snapshot['variables'], 'toolCopy'), 'nonce');
  return {
    status: run.snapshot['status'],
    error: member(run.snapshot['error'], 'code'),
    mostCalls: Math.max(calls.length, 1),
    known: typeof nonce === 'string' && calls.length === 1,
    call: run.types.filter((type) => CALL.includes(String(type))),
    numbered: run.events.every(({ sequence }, index) => sequence === index),
  };
}

const DONE = { status: 'completed', error: undefined, mostCalls: 1, known: true, call: CALL, numbered: true };
const IN_DOUBT = { ...DONE, status: 'failed', error: 'invocation_in_doubt', known: false, call: CALL.slice(0, 1) };

describe('a host that is killed', () => {
  it('calls the tool at most once, at every failpoint and at every failpoint of its recovery', async () => {
    const whole = await cut([]);
    expect(summary(whole)).toEqual(DONE);
    const first = hits(whole.passed.filter(isCertain));
    expect(first.length).toBeGreaterThan(40);
    const outcomes = new Map<string, unknown>();
    let pairs = 0;
    const alsoTwice = new Set(sampled(first, 3));
    for (const failpoint of first) {
      const single = await cut([failpoint]);
      expect([failpoint, single.fired]).toEqual([failpoint, [true]]);
      expect([DONE, IN_DOUBT]).toContainEqual(summary(single));
      outcomes.set(`${failpoint.name}@${failpoint.hit}`, single.run.snapshot['status']);
      // Each second cut costs two lives more: a few of them here, all of them in the suite.
      const second = hits(single.passed.filter(isCertain)).filter((_, index) => index % 15 === 7);
      for (const next of alsoTwice.has(failpoint) ? second : []) {
        expect([DONE, IN_DOUBT]).toContainEqual(summary(await cut([failpoint, next])));
        pairs += 1;
      }
    }
    expect(pairs).toBeGreaterThan(alsoTwice.size / 2);
    const lost = [...outcomes].filter(([, status]) => status === 'failed').map(([name]) => name);
    expect(lost).toEqual(['after-append-started@1', 'before-execute@1', 'after-execute@1', 'before-put-effect@1']);
  });
});
