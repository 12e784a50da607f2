import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageFile, packageVersion } from '../src/contract/package-root.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly exports: Readonly<Record<string, unknown>>;
}

const folder = mkdtempSync(join(tmpdir(), 'openwop-package-'));
const installed = join(folder, 'node_modules', 'openwop-conformance');
const manifest = JSON.parse(readFileSync(packageFile('package.json'), 'utf8')) as Manifest;
let files: readonly string[] = [];
/** What the package said of a run that it made, whose evidence stands in the folder. */
let page = '';

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

/** Unpacked where npm would put it, beside the dependencies that this checkout has: `npm run package:check` really installs. */
beforeAll(() => {
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], packageFile());
  const [entry] = JSON.parse(packed) as { filename: string; files: { path: string }[] }[];
  files = entry?.files.map((file) => file.path) ?? [];
  mkdirSync(installed, { recursive: true });
  run('tar', ['-xzf', entry?.filename ?? '', '-C', installed, '--strip-components=1'], folder);
  for (const name of Object.keys(manifest.dependencies)) {
    const link = join(folder, 'node_modules', name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(packageFile('node_modules', name), link, 'junction');
  }
  const scenarios = ['discovery.document', 'cache-key.reproducible-offline', 'run.created'];
  const words = scenarios.flatMap((id) => ['--scenario', id]);
  const outputs = ['--evidence', join(folder, 'evidence.ndjson'), '--reporter', 'terminal'];
  page = cli('self-test', ...words, '--vectors', '20', ...outputs);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

function cli(...args: readonly string[]): string {
  return run(process.execPath, [join(installed, 'dist', 'bin', 'openwop-conformance.cjs'), ...args], folder);
}

describe('the package', () => {
  it('holds dist, schemas, fixtures, docs and what npm always adds, in 120 files', () => {
    const tops = new Set(files.map((file) => file.split('/')[0]));
    expect(tops).toEqual(
      new Set([
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'action.yml',
        'ci',
        'dist',
        'docs',
        'fixtures',
        'package.json',
        'schemas',
      ]),
    );
    expect(files.filter((file) => file.includes('.test.') || file.endsWith('.map'))).toEqual([]);
    expect(files.length).toBeLessThanOrEqual(120);
  });

  it('holds the documents that its messages and its README cite', () => {
    const texts = readdirSync(join(installed, 'dist'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.js'))
      .map((file) => readFileSync(join(installed, 'dist', file), 'utf8'));
    const readme = readFileSync(join(installed, 'README.md'), 'utf8');
    const cited = [...texts, readme].flatMap(
      (text) => text.match(/\b(?:docs|schemas)\/[\w.-]+\.(?:md|json)\b/gu) ?? [],
    );
    expect(new Set(cited).size).toBeGreaterThan(3);
    expect(cited.filter((file) => !files.includes(file))).toEqual([]);
  });

  it('runs no script where it is installed', () => {
    const atInstallation = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'];
    expect(atInstallation.filter((name) => name in manifest.scripts)).toEqual([]);
  });

  it('imports nothing but its dependencies', () => {
    expect(
      Object.keys(manifest.dependencies).filter((name) => !existsSync(join(folder, 'node_modules', name))),
    ).toEqual([]);
    expect(cli('--version').trim()).toBe(packageVersion());
    expect(cli('list')).toContain('discovery');
    expect(page).toContain('conformant (exit code 0)');
  });

  it('prints the same help from its page as from the program', () => {
    const help = cli('--help');
    expect(help).toBe(cli('--help', '--help'));
    expect(cli('-h')).toBe(help);
  });
});

const IN_JS = `
import { cacheKey, compareLogs } from 'openwop-conformance';
const request = '{"model":"gpt-4","provider":"openai","messages":[{"role":"user","content":"Grüße"}]}';
const log = [{ runId: 'a', sequence: 0, type: 'run.started', eventId: 'e', payload: {}, timestamp: 't' }];
console.log(JSON.stringify([cacheKey(request).cacheKey, compareLogs(log, log).determinism.score]));
`;

const IN_TS = `
import { cacheKey, compareLogs, judgeEvidence, type CacheKey, type LogComparison, type Report } from 'openwop-conformance';
const key: CacheKey = cacheKey('{}', 'rfc-0150');
const text: string = key.canonical;
const compared: LogComparison = compareLogs([], [], { volatile: ['/payload/latencyMs'] });
const pointer: string | undefined = compared.first?.pointer;
// @ts-expect-error there is no such recipe
cacheKey('{}', 'rfc-1');
const report: Promise<Report> = judgeEvidence('evidence.ndjson', { level: 'should' });
export { pointer, report, text };
`;

const JUDGE = `
import { judgeEvidence } from 'openwop-conformance';
const { verdict, counts } = await judgeEvidence('evidence.ndjson');
const wrong = await judgeEvidence('use.mjs').catch((error) => error.message);
console.log(JSON.stringify([verdict, counts.pass, wrong.startsWith('use.mjs:')]));
`;

describe('the library', () => {
  it('judges an evidence file', () => {
    const passed = Number(/^(?<amount>\d+) passed, 0 failed/mu.exec(page)?.groups?.['amount']);
    expect(passed).toBeGreaterThan(7);
    writeFileSync(join(folder, 'use.mjs'), JUDGE);
    expect(JSON.parse(run(process.execPath, ['use.mjs'], folder))).toEqual(['conformant', passed, true]);
  });

  it('is imported by its name', () => {
    writeFileSync(join(folder, 'use.mjs'), IN_JS);
    expect(JSON.parse(run(process.execPath, ['use.mjs'], folder))).toEqual([
      '8b272d1987fa42a38670e88ffd181921b8097ef383af93c428fd0ab5c0f5815f',
      1,
    ]);
  });

  it.each(['nodenext', 'bundler'])('has types, for module resolution %s', (resolution) => {
    const directory = join(folder, resolution);
    mkdirSync(directory);
    writeFileSync(join(directory, 'use.mts'), IN_TS);
    const module = resolution === 'bundler' ? 'esnext' : 'nodenext';
    const flags = [
      '--noEmit',
      '--strict',
      // What TypeScript brings itself is not ours to check.
      '--skipDefaultLibCheck',
      '--module',
      module,
      '--moduleResolution',
      resolution,
      '--types',
      '',
      'use.mts',
    ];
    expect(run(process.execPath, [packageFile('node_modules', 'typescript', 'bin', 'tsc'), ...flags], directory)).toBe(
      '',
    );
  });

  it('exports what is there', () => {
    const targets = JSON.stringify(manifest.exports).match(/\.\/[^"*]+\.(?:json|js|ts)/gu) ?? [];
    expect(targets.map((target) => target.slice(2)).filter((file) => !files.includes(file))).toEqual([]);
    expect(targets.length).toBeGreaterThan(2);
  });
});
