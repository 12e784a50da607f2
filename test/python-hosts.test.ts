import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import type { Report } from '../src/contract/report.ts';
import { runCliWithReport } from './cli.ts';
import { ownEvidence } from './own-evidence.ts';

const HOST = packageFile('test', 'hosts', 'foreign_host.py');
const DEFINITIONS = packageFile('fixtures', 'public-workflows.json');

/** Each defect of the host, and the check that says it. */
const DEFECTS = {
  'keys-for-anything': 'cache-key.rejects-malformed',
  'forks-anything': 'fork.rejects-absent-sequence',
  'forks-nobody': 'fork.unknown-run',
  'nested-errors': 'fork.error-envelope',
  'silent-divergence': 'replay.logical-clock',
  'snapshot-hides-failure': 'run.snapshot-agrees',
  'panel-of-the-next-event': 'timeline.deep-links',
} as const;

/** The rows that stay open for what the host lacks: models, replays that can be made to diverge, retention by kinds of data, quorums, nodes that show configurable, inputs that are hidden. */
const LACKING = [
  /^(?:refusal\.|cache-key\.every-llm-node$)/u,
  /^replay\.(?:divergence-|no-false-divergence(?:$|\.))/u,
  /^retention\.documented\.kinds\./u,
  /^replay\.interrupt-short-circuits\.own-keys$/u,
  /^fork\.branch-applies-overlay\.configurable\.nothing$/u,
  /^privacy\.same-redaction\./u,
];

/** The report on a host of somebody else, written in Python: it ends when its standard input closes, as that of a dead parent does. */
async function judged(...args: readonly string[]): Promise<Report> {
  const host = spawn('python3', ['-B', HOST, DEFINITIONS, ...args], { stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = new Promise<number | null>((resolve, reject) => {
    host.once('error', reject).once('close', resolve);
  });
  const address = new Promise<string>((resolve) => {
    createInterface(host.stdout).once('line', resolve);
  });
  const gone = ended.then((exitCode) => {
    throw new Error(`the host ended with exit code ${exitCode} and was not judged`);
  });
  try {
    const baseUrl = await Promise.race([address, gone]);
    const run = runCliWithReport(['--base-url', baseUrl, '--seed', '1'], { OPENWOP_API_KEY: 'foreign-key' });
    return (await Promise.race([run, gone])).report;
  } finally {
    host.stdin.end();
    await ended.catch(() => undefined);
    await gone.catch(() => undefined);
  }
}

function red({ checks }: Report): readonly string[] {
  return checks.filter(({ verdict }) => verdict === 'fail' || verdict === 'error').map(({ id }) => id);
}

describe.concurrent('a host in Python, written from the wire contract alone', () => {
  it('is red nowhere, and open only for want of what is ours or is named', async () => {
    const report = await judged();
    expect(red(report)).toEqual([]);
    const own = ownEvidence();
    const open = report.checks.filter(({ id, verdict }) => verdict === 'inconclusive' && !own.has(id));
    expect(open.map(({ id }) => id).filter((id) => !LACKING.some((of) => of.test(id)))).toEqual([]);
    const links = report.checks.filter(({ requirement }) => requirement === 'timeline.deep-links');
    expect(links.map(({ verdict }) => verdict)).toEqual(['pass', 'pass']);
  });

  it('with seven defects is red in their seven rows, and in no eighth', async () => {
    const report = await judged('--defects', Object.keys(DEFECTS).join(','));
    expect(red(report).toSorted()).toEqual(Object.values(DEFECTS).toSorted());
  });
});
