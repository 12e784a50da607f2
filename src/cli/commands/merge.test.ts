import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { withTemporaryDirectory } from '../../../test/cli.ts';
import { createPacker } from '../../evidence/packed-observation.ts';
import type { ObservationRecord } from '../../evidence/types.ts';
import { readEvidence } from '../read-evidence.ts';
import { merge } from './merge.ts';

const SECRET = 'the-credential-of-1-run';
/** Long enough to be packed, where no search of a line finds it. */
const LOG = Array.from({ length: 1500 }, (_, index) => ({ sequence: index, text: SECRET.toUpperCase() }));

function observation(id: string, scenario: string): ObservationRecord {
  const said = { events: LOG, said: SECRET };
  return { kind: 'observation', id, scenario, observation: { type: 't', exchanges: [], ...said } };
}

/** A shard with one observation, of which each large member is packed, and named by its place the second time. */
function shard(index: number, scenario: string): string {
  const run = {
    kind: 'run',
    evidenceVersion: 1,
    tool: { name: 't', version: '1' },
    target: { baseUrl: `http://h/${SECRET}` },
    options: { shard: { index, of: 2 }, credentialVariables: { apiKey: 'VENDOR_KEY' } },
    scenarios: [scenario],
    startedAt: '2026-01-01T00:00:00.000Z',
  };
  const packer = createPacker();
  const lines = [run, packer.pack(observation('o1', scenario)), packer.pack(observation('o2', scenario))];
  return lines.map((line) => JSON.stringify(line)).join('\n');
}

afterEach(() => vi.unstubAllEnvs());

it.each(['OPENWOP_API_KEY', 'VENDOR_KEY'])('shards lose what %s holds, and nothing else', async (name) => {
  await withTemporaryDirectory(async (directory) => {
    const at = (file: string): string => join(directory, file);
    writeFileSync(at('1'), shard(1, 'discovery.document'));
    writeFileSync(at('2'), shard(2, 'cache-key.deterministic'));
    const merged = async (file: string) => {
      expect(await merge([at('1'), at('2')], { evidence: at(file) })).toBe(0);
      return (await readEvidence(at(file))).records.filter(({ kind }) => kind === 'observation');
    };
    const known = await merged('known');
    expect(known).toEqual([
      observation('o1', 'discovery.document'),
      observation('o2', 'discovery.document'),
      observation('o3', 'cache-key.deterministic'),
      observation('o4', 'cache-key.deterministic'),
    ]);
    vi.stubEnv(name, SECRET);
    await merged('redacted');
    vi.unstubAllEnvs();
    expect(readFileSync(at('redacted'), 'utf8')).not.toContain(SECRET);
    const { run, records } = await readEvidence(at('redacted'));
    expect(run.target.baseUrl).toBe('http://h/[redacted]');
    expect(
      JSON.stringify(
        records.flatMap((each) => (each.kind === 'observation' ? Object.values({ ...each.observation }) : [])),
      ).toLowerCase(),
    ).not.toContain(SECRET);
  });
});
