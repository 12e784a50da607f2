import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..');
const folder = mkdtempSync(join(tmpdir(), 'openwop-package-'));
const manifest = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
let files: readonly string[] = [];
let tarball = '';

function run(command: string, args: readonly string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
}

beforeAll(() => {
  const packed = run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', folder], ROOT);
  const [entry] = JSON.parse(packed) as { filename: string; files: { path: string }[] }[];
  files = entry?.files.map((file) => file.path) ?? [];
  tarball = join(folder, entry?.filename ?? '');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the package', () => {
  it('holds dist, schemas, fixtures, docs and what npm always adds', () => {
    const tops = new Set(files.map((file) => file.split('/')[0]));
    expect(tops).toEqual(
      new Set(['CHANGELOG.md', 'LICENSE', 'README.md', 'dist', 'docs', 'fixtures', 'package.json', 'schemas']),
    );
    expect(files.filter((file) => file.includes('.test.') || file.endsWith('.map'))).toEqual([]);
  });

  it('works after a global installation of the tarball', () => {
    const prefix = join(folder, 'prefix');
    run(
      'npm',
      ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund', tarball],
      folder,
    );
    const cli = join(prefix, 'bin', 'openwop-conformance');
    expect(run(cli, ['--version'], folder).trim()).toBe(manifest.version);
    expect(run(cli, ['self-test', '--vectors', '20', '--forks', '3'], folder)).toContain('conformant (exit code 0)');
  });
});
