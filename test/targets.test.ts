import { EventEmitter, once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReferenceHost, defaultCredentials, defaultParts, listen } from '../reference-host/index.ts';
import { MUTANTS } from '../reference-host/mutants/index.ts';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import type { TargetMatrix } from '../src/report/matrix/matrix.ts';
import { startCli, verdicts, withTemporaryDirectory } from './cli.ts';
import { hostileTexts } from './hosts/bad-seams.ts';
import { dead } from './hosts/broken-transports.ts';
import { runMain } from './run-main.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const close of closing.splice(0).toReversed()) await close();
});

const OPTIONS = { scenario: ['fork.full-replay', 'discovery.document'], seed: 7 };
const WORDS = ['--scenario', 'fork.full-replay', '--scenario', 'discovery.document', '--seed', '7'];

/** A reference host with a defect and a credential of its own, and all credentials that came to it. */
async function host(key: string, defect?: string) {
  const { credentials } = defaultCredentials();
  const parts = MUTANTS.find(({ id }) => id === defect)?.parts(defaultParts) ?? {};
  const own = credentials.map((each, index) => (index === 0 ? { ...each, key } : each));
  const reference = createReferenceHost({ credentials: own, enableTestSeams: true, parts });
  const came = new Set<string>();
  const server = await listen({
    fetch: (request) => {
      came.add(request.headers.get('authorization') ?? 'none');
      return reference.fetch(request);
    },
  });
  closing.push(
    () => reference.close(),
    () => server.close(),
  );
  return { baseUrl: server.baseUrl, came };
}

function reportIn(path: string): Report {
  return JSON.parse(readFileSync(path, 'utf8')) as Report;
}

async function judged(
  targets: readonly object[],
  look: (found: Awaited<ReturnType<typeof runMain>>, at: (name: string) => string) => void | Promise<void>,
  more: readonly string[] = [],
) {
  await withTemporaryDirectory(async (directory) => {
    const at = (name: string): string => join(directory, 'reports', name);
    const file = join(directory, 'targets.json');
    writeFileSync(file, JSON.stringify({ targetsVersion: 1, options: OPTIONS, targets }));
    await look(await runMain(['run', '--targets', file, '--reports', join(directory, 'reports'), ...more]), at);
  });
}

/** One host, of which nothing but its discovery document was judged. */
function isOfDiscovery({ stdout, exitCode }: Awaited<ReturnType<typeof runMain>>, at: (name: string) => string): void {
  expect([exitCode, reportIn(at('only.json')).suites.map(({ id }) => id)]).toEqual([0, ['discovery']]);
  expect(stdout).toMatch(/\n1 host: 1 conformant \(exit code 0\)\n$/u);
}

describe('run --targets', () => {
  it('judges each host as a single run does, and one that is gone or hostile ends no other', async () => {
    const sound = await host('key-of-the-sound');
    const wrong = await host('key-of-the-wrong', 'fork-ok-not-created');
    const [gone, hostile] = [await dead(), await hostileTexts()];
    closing.push(() => hostile.close());
    vi.stubEnv('SOUND_KEY', 'key-of-the-sound');
    vi.stubEnv('WRONG_KEY', 'key-of-the-wrong');
    vi.stubEnv('OPENWOP_API_KEY', 'key-of-nobody');
    const targets = [
      { name: 'gone', baseUrl: gone.baseUrl },
      { name: 'sound', baseUrl: sound.baseUrl, apiKeyEnv: 'SOUND_KEY' },
      { name: 'wrong', baseUrl: wrong.baseUrl, apiKeyEnv: 'WRONG_KEY' },
      { name: 'hostile', baseUrl: hostile.baseUrl, options: { scenario: ['discovery.reachable'] } },
    ];
    await judged(targets, async ({ exitCode, stdout, stderr }, at) => {
      expect(exitCode).toBe(1);
      expect(stdout).toMatch(/^ {2}sound +conformant +\d+ passed/mu);
      expect(stdout).toMatch(/^ {2}gone +inconclusive +\d+ inconclusive, http:.* cannot be reached/mu);
      expect(stdout).toMatch(/^ {2}fork\.created \(MUST\): wrong$/mu);
      expect(stderr).toMatch(/4 of 4 hosts: \w+ is /u);
      const matrix = JSON.parse(readFileSync(at('index.json'), 'utf8')) as TargetMatrix;
      expect(validate('targets#matrix', matrix)).toEqual([]);
      const [first, ...others] = matrix.targets.map(({ verdict }) => verdict);
      expect([first, ...others.slice(0, 2)]).toEqual(['inconclusive', 'conformant', 'non-conformant']);
      const cells = matrix.requirements.find(({ id }) => id === 'fork.created')?.cells;
      expect(cells).toEqual({ gone: 'inconclusive', sound: 'pass', wrong: 'fail' });
      const page = readFileSync(at('index.html'), 'utf8');
      expect(page).toContain('<a href="./wrong.html">wrong</a>');
      expect(page).not.toMatch(/[\u001b\u0007\u202e]|<script/u);
      for (const [name, { baseUrl }] of Object.entries({ sound, wrong })) {
        const variable = name === 'sound' ? 'SOUND_KEY' : 'WRONG_KEY';
        const single = at(`${name}-alone`);
        await runMain([
          'run',
          '--base-url',
          baseUrl,
          '--api-key-env',
          variable,
          ...WORDS,
          '--reporter',
          `json=${single}`,
        ]);
        expect(verdicts(reportIn(at(`${name}.json`)))).toEqual(verdicts(reportIn(single)));
      }
      // Besides its own: what the suite makes up to be refused.
      const sent = [...sound.came, ...wrong.came];
      expect(sent).not.toContain('Bearer key-of-nobody');
      expect([...sound.came]).not.toContain('Bearer key-of-the-wrong');
      expect([...wrong.came]).not.toContain('Bearer key-of-the-sound');
      for (const name of ['sound', 'wrong']) {
        for (const kind of ['json', 'html', 'ndjson']) {
          expect(readFileSync(at(`${name}.${kind}`), 'utf8')).not.toContain(`key-of-the-${name}`);
        }
      }
    });
  });

  it('lets the command line say for all hosts what the file says otherwise', async () => {
    const only = await host('k');
    vi.stubEnv('ONLY_KEY', 'k');
    const targets = [
      { name: 'only', baseUrl: only.baseUrl, apiKeyEnv: 'ONLY_KEY', options: { scenario: ['fork.branch'] } },
    ];
    await judged(targets, isOfDiscovery, ['--scenario', 'discovery.reachable', '--quiet']);
  });

  it('says where nothing came of a run, and that a report of an earlier one is not its own', async () => {
    const only = await host('k');
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'targets.json');
      const at = (name: string): string => join(directory, name);
      writeFileSync(at('only.json'), '{}');
      writeFileSync(
        file,
        JSON.stringify({ targetsVersion: 1, options: OPTIONS, targets: [{ name: 'only', baseUrl: only.baseUrl }] }),
      );
      vi.stubEnv('NODE_OPTIONS', '--no-such-option');
      const { exitCode, stdout } = await runMain(['run', '--targets', file, '--reports', directory]);
      expect(exitCode).toBe(4);
      expect(stdout).toMatch(
        /^ {2}only {2}not-judged +its run ended without a report \(exit code 9\): .*--no-such-option/mu,
      );
      expect(existsSync(at('only.json'))).toBe(false);
    });
  });

  it('ends all runs when it is interrupted, and writes what there is', async () => {
    const requests = new EventEmitter();
    const holding = once(requests, 'held');
    const server = await listen({
      fetch: () => {
        requests.emit('held');
        return new Promise<never>(() => undefined);
      },
    });
    closing.push(() => server.close());
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'targets.json');
      const { baseUrl } = server;
      // Of one origin: the second waits for the first.
      const targets = ['first', 'second'].map((name) => ({ name, baseUrl, options: { timeout: 600_000 } }));
      writeFileSync(file, JSON.stringify({ targetsVersion: 1, options: OPTIONS, targets }));
      const run = startCli(['run', '--targets', file, '--reports', directory]);
      await holding;
      run.signal('SIGINT');
      const { exitCode, stdout } = await run.ended;
      expect(exitCode).toBe(130);
      expect(stdout).toContain('interrupted by SIGINT (exit code 130)');
      expect(stdout).toMatch(/^ {2}second +not-judged +its run was not begun$/mu);
      expect(reportIn(join(directory, 'first.json')).interrupted).toBe('SIGINT');
    });
  });

  it('leaves no run behind when it is killed', async () => {
    const requests = new EventEmitter();
    const [holding, left] = [once(requests, 'held'), once(requests, 'left')];
    const server = await listen({
      fetch: ({ signal }) => {
        signal.addEventListener('abort', () => requests.emit('left'));
        requests.emit('held');
        return new Promise<never>(() => undefined);
      },
    });
    closing.push(() => server.close());
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'targets.json');
      const targets = [{ name: 'held', baseUrl: server.baseUrl, options: { timeout: 600_000 } }];
      writeFileSync(file, JSON.stringify({ targetsVersion: 1, options: OPTIONS, targets }));
      const run = startCli(['run', '--targets', file, '--reports', directory]);
      await holding;
      run.signal('SIGKILL');
      await left;
      await vi.waitUntil(() => existsSync(join(directory, 'held.json')), { timeout: 60_000 });
      expect(reportIn(join(directory, 'held.json')).interrupted).toBe('SIGHUP');
    });
  });
});

describe('wrong targets are refused before anything is sent', () => {
  const HOST = { name: 'a', baseUrl: 'http://127.0.0.1:1' };
  it.each<readonly [string, readonly object[], string]>([
    ['a path', [{ ...HOST, name: '../a' }], '/targets/0/name'],
    ['an absolute path', [{ ...HOST, name: '/etc/passwd' }], '/targets/0/name'],
    ['a hidden file', [{ ...HOST, name: '.a' }], '/targets/0/name'],
    ['an escape', [{ ...HOST, name: 'a\u001b[2J' }], '/targets/0/name'],
    ['an empty name', [{ ...HOST, name: '' }], '/targets/0/name'],
    ['an endless name', [{ ...HOST, name: 'a'.repeat(65) }], '/targets/0/name'],
    ['the name of the matrix', [{ ...HOST, name: 'Index' }], "/targets/0: the name is the matrix's"],
    ['a name twice', [HOST, { ...HOST, name: 'A' }], '/targets/1: the name is that of /targets/0'],
    ['no host', [{ ...HOST, baseUrl: 'localhost' }], '/targets/0: --base-url takes an absolute URL'],
    ['a credential in the address', [{ ...HOST, baseUrl: 'http://me:sesame@h' }], 'must not carry credentials'],
    [
      'no such suite',
      [HOST, { ...HOST, name: 'b', options: { suite: ['forkcontract'] } }],
      'did you mean fork-contract?',
    ],
    [
      'no such baseline',
      [{ ...HOST, options: { baseline: '/nowhere/b.json' } }],
      '/targets/0: the baseline /nowhere/b.json',
    ],
    [
      'an option that there is not',
      [{ ...HOST, options: { restartCommand: 'true' } }],
      '/targets/0/options/restartCommand is not declared',
    ],
    ['a number out of range', [{ ...HOST, options: { timeout: 0 } }], '/targets/0: --timeout takes a whole number'],
    [
      'a variable that is not set',
      [{ ...HOST, apiKeyEnv: 'NO_SUCH_KEY' }],
      '/targets/0: apiKeyEnv: NO_SUCH_KEY is not set',
    ],
    ['nobody', [], '/targets must NOT have fewer than 1 items'],
  ])('%s', async (_, targets, message) => {
    await judged(targets, ({ exitCode, stdout, stderr }, at) => {
      expect([exitCode, stdout]).toEqual([2, '']);
      expect(stderr).toContain(message);
      expect(stderr.match(/\n/gu)).toHaveLength(1);
      expect(stderr).not.toMatch(/sesame|\u001b/u);
      expect(existsSync(at('index.html'))).toBe(false);
    });
  });

  it.each(['sk-secret-sesame', 'sesame1234'])(
    'a credential in the place of its name, which is not repeated: %s',
    async (apiKeyEnv) => {
      await judged([{ ...HOST, apiKeyEnv }], ({ exitCode, stderr }) => {
        expect([exitCode, stderr]).toEqual([2, expect.stringContaining('never the credential')]);
        expect(stderr).not.toContain('sesame');
      });
    },
  );

  it.each([
    [['--targets', 'x'], '--targets needs --reports DIR'],
    [['--reports', 'x'], '--reports is for many hosts: give --targets'],
    [['--targets', 'x', '--reports', 'y', '--base-url', 'http://h'], '--base-url cannot be given with --targets'],
    [['--targets', 'x', '--reports', 'y', '--shard', '1/2'], '--shard cannot be given with --targets'],
  ])('options that do not go together: %s', async (words, message) => {
    expect(await runMain(['run', ...words])).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });
});
