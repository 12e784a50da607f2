import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCli, startCli } from '../cli.ts';
import { CREDENTIAL } from './behaviour.ts';
import type { Afterwards } from './survive.ts';

/** Every command that reads what a run has left, or asks its host once more: what they say and what they write. */
export const afterwards: Afterwards = async ({ baseUrl, evidence, directory }) => {
  const out = join(directory, 'afterwards');
  mkdirSync(join(out, 'pairs'), { recursive: true });
  const inputs = ['key.pem', 'ids'].map((name) => join(directory, name)) as [string, string];
  const [key, ids] = inputs;
  writeFileSync(key, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  writeFileSync(ids, 'run_1\n');
  const log = eventsIn(readFileSync(evidence, 'utf8'));
  for (const side of ['source', 'replay']) writeFileSync(join(out, 'pairs', `${side}.ndjson`), log);
  const at = (name: string): string => join(out, name);
  const env = { OPENWOP_API_KEY: CREDENTIAL };
  const commands: readonly (readonly string[])[] = [
    ['judge', evidence, '--verbose'],
    ['report', evidence, '--reporter', 'github'],
    ['compare', evidence, evidence, ...reporters(['markdown', 'html'], at), '--reporter', 'json'],
    ['merge', evidence],
    [
      'certify',
      evidence,
      '--key',
      key,
      '--output',
      at('c.json'),
      '--badge',
      at('c.svg'),
      '--endpoint',
      at('badge.json'),
    ],
    ['verify', at('c.json'), evidence],
    ['baseline', 'init', at('baseline.json'), evidence],
    ['diff', at('pairs/source.ndjson'), at('pairs/replay.ndjson')],
    ['audit', '--pairs', at('pairs'), '--html', at('pairs.html')],
    ['audit', '--runs', ids, '--base-url', baseUrl, '--timeout', '1500', '--html', at('runs.html')],
    ['plan', '--base-url', baseUrl, '--timeout', '1500'],
    ['replay-check', evidence, 'discovery.document', '--base-url', baseUrl, '--timeout', '1500'],
  ];
  const said: string[] = [];
  for (const args of commands) {
    const { exitCode, stdout, stderr } = await runCli(args, env);
    if (![0, 1, 2, 3].includes(exitCode ?? -1)) throw new Error(`${args.join(' ')}: exit code ${exitCode}: ${stderr}`);
    said.push(stdout, stderr);
  }
  const files = readdirSync(out, { withFileTypes: true }).filter((entry) => entry.isFile());
  return [...said, ...files.map(({ name }) => readFileSync(at(name), 'utf8')), await opened(evidence)];
};

function reporters(formats: readonly string[], at: (name: string) => string): readonly string[] {
  return formats.flatMap((format) => ['--reporter', `${format}=${at(format)}`]);
}

/** The longest log that an evidence file holds, one event a line. */
function eventsIn(evidence: string): string {
  const logs = evidence.split('\n').flatMap((line) => {
    const record = (line === '' ? {} : JSON.parse(line)) as { readonly observation?: { readonly events?: unknown } };
    const events = record.observation?.events;
    return Array.isArray(events) ? [events.map((event) => `${JSON.stringify(event)}\n`).join('')] : [];
  });
  return logs.toSorted((a, b) => b.length - a.length)[0] ?? '';
}

/** The list of recorded runs as a browser gets it; what is said instead where there is none. */
async function opened(evidence: string): Promise<string> {
  const open = startCli(['open', evidence, '--json']);
  try {
    const { url } = JSON.parse(await open.firstLine) as { readonly url: string };
    const page = await (await fetch(url)).text();
    const links = Array.from(page.matchAll(/href="(?<path>\/runs\/[^"]*)"/gu), ({ groups }) => groups?.['path'] ?? '');
    const runs = links
      .slice(0, 3)
      .map(async (path) => (await fetch(new URL(path.replaceAll('&amp;', '&'), url))).text());
    return [page, ...(await Promise.all(runs))].join('\n');
  } catch {
    return (await open.ended).stderr;
  } finally {
    open.signal('SIGTERM');
  }
}
