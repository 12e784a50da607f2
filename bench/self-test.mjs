import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SUITES } from '../build/scenarios/index.js';
import { paired } from './measure.mjs';

const file = (path) => fileURLToPath(new URL(path, import.meta.url));

function run(...args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}`);
  return performance.now() - start;
}

/** A run that waits for somebody has a stream without an end: what these send cannot be sent without what they see. */
const WAITING = ['handoff-state-machine', 'at-most-once', 'replay-governance'];

/** The self-test of the suites whose requests can be sent bare, and of those that replay runs. */
export async function benchSelfTest() {
  const names = ['refusal-divergence', 'observable-sequence'].filter((name) => SUITES.some(({ id }) => id === name));
  const others = SUITES.map(({ id }) => id).filter((id) => !WAITING.includes(id));
  return [await benchSuites(others), ...(names.length === 0 ? [] : [await benchSuites(names)])];
}

/** Wall time of a self-test process of some suites against one that only sends the same requests to the same hosts. */
async function benchSuites(names) {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  const evidence = join(folder, 'evidence.ndjson');
  const command = [file('../dist/bin/openwop-conformance.cjs'), 'self-test', '--seed', '1'];
  const needs = SUITES.filter(({ id }) => names.includes(id)).flatMap(({ scenarios }) =>
    scenarios.flatMap((each) => each.needs),
  );
  const spans = needs.some(({ kind }) => kind === 'spans') ? ['spans'] : [];
  const selfTest = [...command, ...names.flatMap((name) => ['--suite', name])];
  try {
    run(...selfTest, '--evidence', evidence);
    const { a, b, ratio } = await paired(
      7,
      () => run(...selfTest),
      () => run(file('./bare-self-test.mjs'), evidence, ...spans),
    );
    return {
      what: `self-test of ${names.length > 2 ? `${names.length} suites` : names.join(' and ')} / its requests bare`,
      measured: `${a.toFixed(0)} ms / ${b.toFixed(0)} ms`,
      ratio,
      goal: '<= 1.3',
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}
