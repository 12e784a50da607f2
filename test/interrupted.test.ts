import { EventEmitter, once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setInterval as every } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createReferenceHost, defaultCredentials, listen } from '../reference-host/index.ts';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { startCli, withTemporaryDirectory, type Started } from './cli.ts';
import { runMain } from './run-main.ts';

interface HeldRun {
  readonly directory: string;
  readonly run: Started;
}

/**
 * Runs the CLI against a host that answers its discovery and holds every other request; `work` begins when it holds one.
 * Evidence, a JSON and a JUnit report go into a directory where there are old ones.
 */
async function held(flags: readonly string[], work: (held: HeldRun) => Promise<void>): Promise<void> {
  const { apiKey, credentials } = defaultCredentials();
  const host = createReferenceHost({ credentials, enableTestSeams: true });
  const requests = new EventEmitter();
  const holding = once(requests, 'held');
  const server = await listen({
    fetch: (request) => {
      if (new URL(request.url).pathname === '/.well-known/openwop') return host.fetch(request);
      requests.emit('held');
      return new Promise<never>(() => undefined);
    },
  });
  try {
    await withTemporaryDirectory(async (directory) => {
      const at = (name: string): string => join(directory, name);
      for (const name of ['e', 'j', 'x']) writeFileSync(at(name), `old ${name}`);
      const outputs = ['--evidence', at('e'), '--reporter', `json=${at('j')}`, '--reporter', `junit=${at('x')}`];
      const suites = ['--suite', 'discovery', '--suite', 'fork-contract', '--timeout', '600000'];
      const run = startCli(['--base-url', server.baseUrl, ...suites, ...outputs, ...flags], {
        OPENWOP_API_KEY: apiKey,
      });
      await holding;
      await work({ directory, run });
    });
  } finally {
    await server.close();
    await host.close();
  }
}

describe('an interrupted run', () => {
  it.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('by %s ends with %i, and all that it wrote is whole', async (name, code) => {
    await held(['--reporter', 'terminal', '--allow-inconclusive'], async ({ directory, run }) => {
      run.signal(name);
      const { exitCode, stdout } = await run.ended;
      expect(exitCode).toBe(code);
      expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
        new RegExp(`^inconclusive, interrupted by ${name} \\(exit code ${code}\\)`, 'u'),
      );
      const report = JSON.parse(readFileSync(join(directory, 'j'), 'utf8')) as Report;
      expect(validate('report', report)).toEqual([]);
      expect(report).toMatchObject({ verdict: 'inconclusive', exitCode: code, interrupted: name });
      expect(report.counts.pass).toBeGreaterThan(0);
      expect(readFileSync(join(directory, 'x'), 'utf8')).toMatch(/<\/testsuites>\n$/u);
      expect(readFileSync(join(directory, 'e'), 'utf8').trimEnd().split('\n').at(-1)).toContain('"kind":"end"');
      expect(readdirSync(directory).toSorted()).toEqual(['e', 'j', 'x']);
      const judged = await runMain(['judge', join(directory, 'e'), '--allow-inconclusive']);
      expect(judged.exitCode).toBe(3);
      expect(judged.stdout).toContain(`\ninconclusive, interrupted by ${name} (exit code 3)`);
    });
  });

  it('says so on standard error where no page goes to standard output; what is left are errors in JUnit', async () => {
    await held([], async ({ directory, run }) => {
      run.signal('SIGINT');
      const { exitCode, stdout, stderr } = await run.ended;
      expect([exitCode, stdout]).toEqual([130, '']);
      expect(stderr).toMatch(/\nopenwop-conformance: interrupted by SIGINT \(exit code 130\)\n$/u);
      const { checks } = JSON.parse(readFileSync(join(directory, 'j'), 'utf8')) as Report;
      const undecided = checks.filter(({ verdict, level }) => verdict === 'inconclusive' && level === 'MUST').length;
      expect(undecided).toBeGreaterThan(0);
      const junit = readFileSync(join(directory, 'x'), 'utf8');
      // And the run as a whole.
      expect(junit.match(/<error .*type="inconclusive"/gu)).toHaveLength(undecided + 1);
    });
  });
});

const FIRST_CODES: Readonly<Record<string, number>> = { SIGINT: 130, SIGTERM: 143 };

describe('an interrupted self-test', () => {
  const crashes = ['self-test', '--suite', 'at-most-once', '--crash', 'full', '--reporter', 'terminal'];

  it.each([
    // A signal that comes while Node itself is ending ends the process as it ends any other: shells say 130 too.
    ['SIGINT', 'SIGINT', [130, 'SIGINT']],
    ['SIGTERM', 'SIGINT', [130, 'SIGINT']],
    ['SIGKILL', undefined, ['SIGKILL']],
    ['SIGHUP', undefined, [129]],
  ] as const)('by %s and %s leaves no host and no directory behind', async (first, second, ends) => {
    await withTemporaryDirectory(async (directory) => {
      writeFileSync(join(directory, 'old'), 'old');
      // A terminal that is closed sends it to all processes at once.
      const start = { asGroup: first === 'SIGHUP' };
      const run = startCli([...crashes, '--evidence', join(directory, 'old')], { TMPDIR: directory }, start);
      const left = (): readonly string[] => readdirSync(directory).filter((name) => name.startsWith('openwop-'));
      await until(() => left().length === 1 && serving(directory).length > 1);
      run.signal(first);
      if (second !== undefined) {
        await run.said(first);
        await until(() => {
          run.signal(second);
          return run.isOver();
        });
      }
      const { exitCode, killedBy, stdout } = await run.ended;
      // The first one may have ended it before the second one came, and it says so then.
      const isWhole = new RegExp(`, interrupted by ${first} \\(exit code ${exitCode}\\)[^\n]*\n$`, 'u').test(stdout);
      const allowed = second !== undefined && isWhole ? [...ends, FIRST_CODES[first]] : ends;
      expect(allowed).toContain(exitCode ?? killedBy);
      await until(() => left().length === 0 && serving(directory).length === 0);
      expect(readFileSync(join(directory, 'old'), 'utf8')).toMatch(/^old$|"kind":"end".*\n$/u);
    });
  });
});

describe('an interrupted kill matrix', () => {
  it.each([
    ['SIGINT', 130, []],
    ['SIGTERM', 143, ['--json']],
    ['SIGHUP', 129, []],
  ] as const)(
    'dies of %s, its last line says how far it got, and it leaves no directory',
    async (name, code, flags) => {
      await withTemporaryDirectory(async (directory) => {
        const run = startCli(['mutants', '--suite', 'at-most-once', ...flags], { TMPDIR: directory });
        // The hosts that it kills have their data there: it is under way, and far from its end.
        await until(() => readdirSync(directory, { recursive: true }).length > 1 || run.isOver());
        run.signal(name);
        const { killedBy, stderr } = await run.ended;
        const last = `interrupted by ${name}: \\d+ of \\d+ mutants were run \\(exit code ${code}\\)`;
        expect(stderr).toMatch(new RegExp(`(?:^|\\n)openwop-conformance: ${last}\\n$`, 'u'));
        expect(killedBy).toBe(name);
        await until(() => readdirSync(directory).length === 0);
      });
    },
  );
});

/** Looks again and again until something is so. */
async function until(isSo: () => boolean): Promise<void> {
  if (isSo()) return;
  for await (const _ of every(20)) if (isSo()) return;
}

/** The processes whose command line names a directory. */
function serving(directory: string): readonly string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/u.test(name))
    .filter((pid) => commandLine(pid).includes(`${directory}/openwop-`));
}

function commandLine(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}
