import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { packageFile } from '../src/contract/package-root.ts';
import { runCli, type Ended } from './cli.ts';
import { runMain } from './run-main.ts';

const SELF_TEST = ['self-test', '--suite', 'discovery', '--seed', '3'];
const SCRIPT = '/usr/bin/script';
const ESCAPE = '\u001b';

/** Runs the built CLI on a pseudo-terminal, where util-linux has one to give. */
function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const command = [process.execPath, packageFile('dist', 'bin', 'openwop-conformance.cjs'), ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  return new Promise((resolve, reject) => {
    const child = spawn(SCRIPT, ['-qec', command, '/dev/null'], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], TERM: 'xterm', ...env },
    });
    let output = '';
    child.stdout.setEncoding('utf8').on('data', (chunk: string) => (output += chunk));
    child.once('error', reject).once('close', () => resolve(output));
  });
}

/** A page without what may change from run to run. */
function stable({ stdout }: Pick<Ended, 'stdout'>): string {
  return stdout.replace(/127\.0\.0\.1:\d+/gu, 'HOST').replace(/· \d+\.\d s/u, '· TIME');
}

afterEach(() => {
  vi.unstubAllEnvs();
});

describe('into a pipe', () => {
  it('the page is plain, with no progress beside it, and the same for the same seed', async () => {
    const first = await runCli(SELF_TEST);
    const second = await runMain(SELF_TEST);
    expect(first.stdout).not.toContain(ESCAPE);
    expect(first.stderr).toBe('');
    expect(stable(first)).toBe(stable(second));
    expect(stable(first)).toMatch(/^openwop-conformance \S+ {2}http:\/\/HOST\n/u);
    expect(stable(first)).toMatch(/\nconformant \(exit code 0\) in discovery · TIME\n$/u);
  });

  it.each([
    [[], { FORCE_COLOR: '1' }, true],
    [[], { FORCE_COLOR: '0' }, false],
    [[], { NO_COLOR: '1' }, false],
    [['--color'], {}, true],
    [['--color'], { NO_COLOR: '1' }, true],
    [['--no-color'], { FORCE_COLOR: '1' }, false],
  ])('with %j and %j colour is %s', async (args, env, colored) => {
    for (const name of ['FORCE_COLOR', 'NO_COLOR']) vi.stubEnv(name, new Map(Object.entries(env)).get(name));
    const { stdout } = await runMain([...SELF_TEST, ...args]);
    expect(stdout).toContain('discovery');
    expect(stdout.includes(ESCAPE)).toBe(colored);
  });
});

describe.runIf(existsSync(SCRIPT))('on a terminal', () => {
  it('there is colour, and rows of progress that are wiped away before the page', async () => {
    const output = await onTerminal(SELF_TEST);
    expect(output).toContain(`${ESCAPE}[32m`);
    expect(output).toContain(`\r${ESCAPE}[J  discovery    0/1  discovery.document`);
    const wiped = output.lastIndexOf(`\r${ESCAPE}[`);
    expect(output.slice(wiped)).toMatch(/^\r\u001b\[1A\u001b\[Jopenwop-conformance /u);
  });

  it('nothing is shown but the verdict where it is to be quiet', async () => {
    const output = await onTerminal([...SELF_TEST, '--quiet'], { NO_COLOR: '1' });
    expect(output.replaceAll('\r', '')).toMatch(/^7 passed, [^\n]*\nconformant \(exit code 0\) [^\n]*\n$/u);
  });

  it.each([{ NO_COLOR: '1' }, { TERM: 'dumb' }])('%j leaves the page plain', async (env) => {
    const output = await onTerminal(SELF_TEST, env);
    expect(output).not.toContain(`${ESCAPE}[32m`);
  });
});
