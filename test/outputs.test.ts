import { generateKeyPairSync } from 'node:crypto';
import { linkSync, lstatSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { runCli, withReport, withTemporaryDirectory } from './cli.ts';
import { serveHttp } from './hosts/fake-host.ts';
import { runMain } from './run-main.ts';

const RUN = ['self-test', '--suite', 'discovery', '--seed', '1'];
let evidence = '';

beforeAll(async () => {
  const { exitCode, stdout } = await runCli([...RUN, '--evidence', '-', '--reporter', 'terminal=/dev/null']);
  if (exitCode !== 0) throw new Error(`the self-test ended with ${exitCode}`);
  evidence = stdout;
});

describe('a file that is named twice', () => {
  it.each<[name: string, run: Run, args: readonly string[], says: string]>([
    [
      'the evidence that is read',
      withPaths,
      ['--reporter', 'json=symbolic'],
      'would overwrite the evidence, which is read',
    ],
    [
      'the baseline that is read',
      asProcess,
      ['--baseline', 'b', '--reporter', 'json=./b'],
      'would overwrite --baseline, which is read',
    ],
    [
      'two reports through a dangling link',
      withPaths,
      ['--reporter', 'json=r', '--reporter', 'junit=dangling'],
      'are one file',
    ],
    ['standard output', asProcess, ['--reporter', 'json', '--reporter', 'junit=/dev/stdout'], 'standard output'],
  ])('is refused before anything is touched: %s', async (_, run, args, says) => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const before = readdirSync(here);
      const ended = await run(here, ['judge', 'ev.nd', ...args]);
      expect(ended).toMatchObject({ exitCode: 2, stdout: '', stderr: expect.stringContaining(says) });
      expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
      expect(readFileSync(join(here, 'ev.nd'), 'utf8')).toBe(evidence);
      expect(readdirSync(here)).toEqual(before);
    });
  });

  it.each<[name: string, args: readonly string[]]>([
    ['evidence and a report', ['--evidence', 'x', '--reporter', 'json=./x']],
    ['a directory that is not there', ['--reporter', 'json=absent/r.json']],
  ])('is refused before a request is sent: %s', async (_, args) => {
    let requests = 0;
    const host = await serveHttp((__, response) => {
      requests += 1;
      response.end();
    });
    try {
      await withTemporaryDirectory(async (directory) => {
        const here = prepared(directory);
        const before = readdirSync(here);
        const ended = await withPaths(here, ['--base-url', host.baseUrl, ...args]);
        expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
        expect(ended.stderr.trimEnd().split('\n')).toHaveLength(1);
        expect(readdirSync(here)).toEqual(before);
      });
    } finally {
      await host.close();
    }
    expect(requests).toBe(0);
  });

  it('is refused where it holds the inputs of a workflow', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      writeFileSync(join(here, 'in.json'), '{}');
      const args = ['--base-url', 'http://127.0.0.1:9', '--workflow', 'w=in.json', '--evidence', 'in.json'];
      const ended = await withPaths(here, args);
      expect(ended).toMatchObject({
        exitCode: 2,
        stderr: expect.stringContaining('would overwrite --workflow, which is read'),
      });
      expect(readFileSync(join(here, 'in.json'), 'utf8')).toBe('{}');
    });
  });

  it('is refused where standard input and standard output lead to it', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const from = ['sh', '-c', 'cd "$0" && exec "$@" < ev.nd', here];
      const read = await runCli(['judge', '-', '--reporter', 'json=ev.nd'], {}, { through: from });
      expect(read).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which is read') });
      const into = ['sh', '-c', 'cd "$0" && exec "$@" >> ev.nd', here];
      const written = await runCli(['judge', 'ev.nd'], {}, { through: into });
      expect(written).toMatchObject({ exitCode: 2, stderr: expect.stringContaining('which is read') });
      expect(readFileSync(join(here, 'ev.nd'), 'utf8')).toBe(evidence);
    });
  });
});

describe('what is written', () => {
  it('goes through links, which stay links, and leaves nothing beside it', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const outputs = ['--evidence', 'hard', '--reporter', 'json=dangling', '--reporter', 'terminal=/dev/null'];
      expect((await runCli([...RUN, ...outputs], {}, { through: inside(here) })).exitCode).toBe(0);
      expect(lstatSync(join(here, 'dangling')).isSymbolicLink()).toBe(true);
      expect(JSON.parse(readFileSync(join(here, 'r'), 'utf8'))).toMatchObject({ verdict: 'conformant' });
      expect(readFileSync(join(here, 'hard'), 'utf8')).toMatch(/"kind":"end".*\n$/u);
      expect(readFileSync(join(here, 'ev.nd'), 'utf8')).toBe(evidence);
      expect(readdirSync(here).toSorted()).toEqual(['dangling', 'ev.nd', 'hard', 'r', 'symbolic']);
    });
  });

  it.each<[name: string, args: readonly string[], lost: RegExp]>([
    ['the evidence', ['--evidence', '/dev/full'], /^openwop-conformance: lost: the evidence: \/dev\/full: ENOSPC/u],
    [
      'a report',
      ['--reporter', 'terminal', '--reporter', 'junit=/dev/full'],
      /lost: the junit report: \/dev\/full: ENO/u,
    ],
  ])('to a full device costs %s, never the verdict: one line, exit code 4', async (_, args, lost) => {
    const { exitCode, stdout, stderr } = await runMain([...RUN, ...args]);
    expect(stdout).toMatch(/\nconformant \(exit code 4\) in .* · \d+\.\d s\n$/u);
    expect(stderr).toMatch(lost);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect(exitCode).toBe(4);
  });

  it('says in a report that was written before another one was lost what the process ends with', async () => {
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'a.json');
      const outputs = ['--reporter', `json=${file}`, '--reporter', 'junit=/dev/full'];
      expect((await runMain([...RUN, ...outputs])).exitCode).toBe(4);
      const { exitCode, lost = [] } = JSON.parse(readFileSync(file, 'utf8')) as Report;
      expect([exitCode, lost.length]).toEqual([4, 1]);
    });
  });

  it.each<[lost: string, args: readonly string[]]>([
    ['the certificate', ['certify', 'ev.nd', '--key', 'key.pem', '--output', '/dev/full']],
    ['the badge', ['certify', 'ev.nd', '--key', 'key.pem', '--output', 'c.json', '--badge', '/dev/full']],
    ['the baseline', ['baseline', 'init', '/dev/full', 'ev.nd', '--force']],
    ['the lines', ['audit', '--pairs', 'pairs', '--output', '/dev/full']],
    ['the page', ['audit', '--pairs', 'pairs', '--output', 'lines', '--html', '/dev/full']],
  ])('to a full device costs %s of another command, which is named: exit code 4', async (lost, args) => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const { privateKey } = generateKeyPairSync('ed25519');
      writeFileSync(join(here, 'key.pem'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
      mkdirSync(join(here, 'pairs'));
      for (const log of ['a.source.ndjson', 'a.replay.ndjson']) writeFileSync(join(here, 'pairs', log), '');
      const { exitCode, stderr } = await withPaths(here, args);
      expect(stderr).toContain(`openwop-conformance: lost: ${lost}: /dev/full: ENOSPC`);
      expect(exitCode).toBe(4);
    });
  });

  it('to a full disk costs a definition that is exported, which is named: exit code 4', async () => {
    await withTemporaryDirectory(async (directory) => {
      const full = ['sh', '-c', 'cd "$0" && ulimit -f 1 && exec "$@"', directory];
      const { exitCode, stdout, stderr } = await runCli(['fixtures', 'export', 'out'], {}, { through: full });
      expect(stderr).toMatch(
        /^openwop-conformance: lost: a definition: out\/[\w-]+\.json: EFBIG.* \(exit code 4\)\n$/u,
      );
      expect([exitCode, stdout]).toEqual([4, '']);
    });
  });

  it('to a full device is named in the JSON report as well', async () => {
    const { report } = await withReport(runMain, [...RUN, '--evidence', '/dev/full']);
    expect(report).toMatchObject({ exitCode: 4, lost: [expect.stringMatching(/^the evidence: .*ENOSPC/u)] });
    expect(validate('report', report)).toEqual([]);
  });

  it('to a full disk leaves the old files, and both losses are named', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      writeFileSync(join(here, 'r'), 'old');
      const full = ['sh', '-c', 'cd "$0" && ulimit -f 1 && exec "$@"', here];
      const args = [...RUN, '--evidence', 'ev.nd', '--reporter', 'json=r', '--reporter', 'terminal'];
      const { exitCode, stdout, stderr } = await runCli(args, {}, { through: full });
      expect(stdout).toMatch(/\nconformant \(exit code 4\)/u);
      expect(stderr.match(/^openwop-conformance: lost: .*$/gmu)).toHaveLength(2);
      expect([readFileSync(join(here, 'ev.nd'), 'utf8'), readFileSync(join(here, 'r'), 'utf8')]).toEqual([
        evidence,
        'old',
      ]);
      expect(readdirSync(here).toSorted()).toEqual(['dangling', 'ev.nd', 'hard', 'r', 'symbolic']);
      expect(exitCode).toBe(4);
    });
  });

  it('to a standard output that is full is exit code 4 and one line', async () => {
    const { exitCode, stderr } = await runCli(RUN, {}, { through: ['sh', '-c', 'exec "$0" "$@" > /dev/full'] });
    expect(stderr).toMatch(/^openwop-conformance: lost: standard output: ENOSPC.*\n$/u);
    expect(exitCode).toBe(4);
  });
});

describe('evidence that is read', () => {
  it('may begin with a byte order mark and come from standard input', async () => {
    const judged = await runCli(['judge', '-', '--reporter', 'json'], {}, { input: `\ufeff${evidence}` });
    expect(judged).toMatchObject({ exitCode: 0, stderr: '' });
    const report = JSON.parse(judged.stdout) as Report;
    expect(report.counts.pass).toBeGreaterThan(3);
    const rendered = await withEvidence(evidence, (file) => runMain(['report', file, '--reporter', 'json']));
    expect(rendered.stdout).toBe(judged.stdout);
  });

  it('must be of one run: two are named with their lines, and nothing is mixed', async () => {
    const lines = evidence.trimEnd().split('\n').length;
    const { exitCode, stdout, stderr } = await withEvidence(evidence + evidence, (file) => runMain(['judge', file]));
    expect(stderr).toMatch(
      /^openwop-conformance: \S+ holds two runs \(line 1: http.*, started 2.*; line \d+: http.*\n$/u,
    );
    expect(stderr).toContain(`; line ${lines + 1}: `);
    expect([exitCode, stdout]).toEqual([2, '']);
  });
});

/** Lends a file with this text. */
function withEvidence<T>(text: string, work: (file: string) => Promise<T>): Promise<T> {
  return withTemporaryDirectory((directory) => {
    const file = join(directory, 'evidence.ndjson');
    writeFileSync(file, text);
    return work(file);
  });
}

/** A directory with evidence, links to it and a link to nothing. */
function prepared(directory: string): string {
  const here = join(directory, 'here');
  mkdirSync(here);
  writeFileSync(join(here, 'ev.nd'), evidence);
  symlinkSync('ev.nd', join(here, 'symbolic'));
  linkSync(join(here, 'ev.nd'), join(here, 'hard'));
  symlinkSync('r', join(here, 'dangling'));
  return here;
}

/** Runs the command line in this directory. */
type Run = (
  here: string,
  args: readonly string[],
  env?: Readonly<Record<string, string>>,
) => ReturnType<typeof runMain>;

/** As a process, which is started there. */
const asProcess: Run = (here, args, env = {}) => runCli(args, env, { through: inside(here) });

/** Inside this process, whose directory stays: with the whole path of each file. */
const withPaths: Run = (here, args, env = {}) =>
  runMain(
    args.map((word) => word.replace(FILE, (_, before: string = '', name: string) => `${before}${here}/${name}`)),
    env,
  );

/** A file of a directory that was prepared, as a word or behind an equals sign. */
const FILE =
  /^(\w+=)?((?:\.\/)?(?:ev\.nd|symbolic|hard|dangling|r|x|absent\/r\.json|in\.json|key\.pem|c\.json|pairs|lines))$/u;

/** Runs in a directory of its own. */
function inside(directory: string): readonly string[] {
  return ['sh', '-c', 'cd "$0" && exec "$@"', directory];
}

describe('several reporters at once', () => {
  it('each has its file, one has standard output, and a runner is told on the other stream', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const files = ['junit=j.xml', 'markdown=m.md', 'json=r.json'].flatMap((each) => ['--reporter', each]);
      const args = ['judge', 'ev.nd', ...files, '--reporter', 'terminal=-', '--reporter', 'github=summary.md'];
      const ended = await runCli(args, { GITHUB_STEP_SUMMARY: join(here, 'unused') }, { through: inside(here) });
      expect(ended.exitCode).toBe(0);
      expect(ended.stdout).toMatch(/^openwop-conformance \S+ {2}http/u);
      expect(ended.stderr).toMatch(/^::notice title=openwop-conformance [^\n]*\n$/u);
      expect(readFileSync(join(here, 'summary.md'), 'utf8')).toBe(readFileSync(join(here, 'm.md'), 'utf8'));
      expect(readFileSync(join(here, 'j.xml'), 'utf8')).toContain('</testsuites>');
      expect(readdirSync(here)).not.toContain('unused');
    });
  });

  it('GitHub’s summary is added to the file that it names, and the annotations go to standard output', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      writeFileSync(join(here, 'summary'), 'before\n');
      const env = { GITHUB_STEP_SUMMARY: join(here, 'summary') };
      const ended = await withPaths(here, ['judge', 'ev.nd', '--reporter', 'github'], env);
      expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
      expect(ended.stdout).toMatch(/^::notice title=[^\n]*\n$/u);
      expect(readFileSync(join(here, 'summary'), 'utf8')).toMatch(/^before\n# openwop-conformance /u);
    });
  });

  it('annotates alone where nothing names a summary', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const before = readdirSync(here);
      const ended = await runCli(['judge', 'ev.nd', '--reporter', 'github'], {}, { through: inside(here) });
      expect(ended).toMatchObject({ exitCode: 0, stderr: '', stdout: expect.stringMatching(/^::notice /u) });
      expect(readdirSync(here)).toEqual(before);
    });
  });

  it('a summary that cannot be written is refused before anything is done', async () => {
    await withTemporaryDirectory(async (directory) => {
      const here = prepared(directory);
      const env = { GITHUB_STEP_SUMMARY: join(here, 'absent', 'summary') };
      const ended = await withPaths(here, ['judge', 'ev.nd', '--reporter', 'github'], env);
      expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
      expect(ended.stderr).toMatch(/^openwop-conformance: --reporter github \(GITHUB_STEP_SUMMARY\): [^\n]*\n$/u);
    });
  });
});
