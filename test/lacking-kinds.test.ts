import { afterAll, beforeAll, expect, it } from 'vitest';
import { nodeKinds } from '../reference-host/engine/nodes/index.ts';
import type { NodeKind } from '../reference-host/engine/nodes/node.ts';
import { SUITES } from '../scenarios/index.ts';
import { runWithParts } from '../src/kill-matrix/run-mutant.ts';

const KNOWN: ReadonlySet<string> = new Set(['core.noop', 'core.delay', 'core.fail']);

/** A run fails when it reaches a node of another kind. Whatever shares this thread's modules gets all kinds back. */
const kinds = nodeKinds as Map<string, NodeKind>;
const all = [...kinds];
beforeAll(() => {
  for (const [kind] of all) if (!KNOWN.has(kind)) kinds.delete(kind);
});
afterAll(() => {
  kinds.clear();
  for (const [kind, does] of all) kinds.set(kind, does);
});

const ABOUT_RUNS: ReadonlySet<string> = new Set([
  'replay-determinism',
  'refusal-divergence',
  'observable-sequence',
  'handoff-state-machine',
]);

it('a host that lacks most node kinds is red nowhere, and passes nothing that it did not run', async () => {
  const suites = SUITES.filter(({ id }) => ABOUT_RUNS.has(id));
  const { checks } = await runWithParts(suites, {}, { crash: 'few', sameParts: true });
  expect(checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id)).toEqual([]);
  const passed = checks.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id);
  expect(passed.filter((id) => /^(?:handoff|refusal)\./u.test(id))).toEqual([]);
  expect(passed).toEqual([
    'replay.logical-clock',
    'replay.divergence-is-reported.every-fixture',
    'replay.same-failure',
    'sequence.prefix-equal',
    'sequence.state-equal',
    'sequence.state-equal.every-fixture',
    'sequence.replay-of-replay.every-fixture',
    'sequence.monotonic.every-log',
    'sequence.single-terminal-event.every-log',
    'sequence.replay-of-replay',
    'sequence.state-equal.concurrent',
    'sequence.monotonic',
    'sequence.single-terminal-event',
    'sequence.transports-agree',
  ]);
});
