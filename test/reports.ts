import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createReferenceHost, defaultCredentials, defaultParts, type HostParts } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import { judgeWhole, type Judged } from '../src/cli/judge-recorded.ts';
import { runConformance } from '../src/index.ts';

interface Asked {
  /** Defects of the reference host. */
  readonly defects?: readonly string[];
  readonly suites: readonly string[];
  /** Whether the host has its test-only endpoints. */
  readonly seams?: boolean;
}

/** Nothing hangs here: what is slow on a busy machine is waited for. */
const TIMEOUT_MS = 60_000;

/** The report of a run of some suites on the reference host, in this process, and its evidence as a file holds it. */
export async function judgedRun({ defects = [], suites, seams = true }: Asked): Promise<Judged> {
  const { apiKey, credentials } = defaultCredentials();
  const parts = defects.reduce<HostParts>(
    (before, id) => ({ ...before, ...MUTANTS.find((mutant) => mutant.id === id)?.parts(before) }),
    defaultParts,
  );
  const host = createReferenceHost({ credentials, enableTestSeams: seams, parts });
  const folder = mkdtempSync(join(tmpdir(), 'judged-run-'));
  const evidence = join(folder, 'evidence.ndjson');
  try {
    const target = { baseUrl: 'http://host.invalid', apiKey, fetch: host.fetch };
    await runConformance({ target, suites, seed: 1, forks: 3, vectors: 10, evidence, timeoutMs: TIMEOUT_MS });
    return await judgeWhole(evidence, {});
  } finally {
    await host.close();
    rmSync(folder, { recursive: true });
  }
}
