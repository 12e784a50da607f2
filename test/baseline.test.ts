import { execFile } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import type { Baseline } from '../src/baseline/baseline.ts';
import { gateScript, PIPELINES } from '../src/baseline/gate-script.ts';
import { packageFile } from '../src/contract/package-root.ts';
import type { Report } from '../src/contract/report.ts';
import { validate } from '../src/contract/validate.ts';
import { withTemporaryDirectory } from './cli.ts';
import { SELECTED, withHosts } from './hosts/sound-and-broken.ts';
import { runMain } from './run-main.ts';

const execute = promisify(execFile);

function reportIn(file: string): Report {
  return JSON.parse(readFileSync(file, 'utf8')) as Report;
}

function baselineIn(file: string): Baseline {
  return JSON.parse(readFileSync(file, 'utf8')) as Baseline;
}

describe('a host that is not there yet', () => {
  it('passes its gate with a baseline, until something else is wrong or the baseline is outdated', async () => {
    await withHosts(async ({ at, broken, sound }) => {
      const [evidence, file, json] = ['evidence', 'baseline', 'report'].map(at) as [string, string, string];
      const first = await runMain([...broken, ...SELECTED, '--evidence', evidence, '--reporter', `json=${json}`]);
      expect(first.exitCode).toBe(1);

      const made = await runMain(['baseline', 'init', file, evidence]);
      expect(made).toMatchObject({ exitCode: 0, stderr: '' });
      const { known, decided } = baselineIn(file);
      expect(known.map(({ check, verdict }) => [check, verdict])).toEqual([['fork.created', 'fail']]);
      expect(decided).toContain('discovery.shape');
      const again = await runMain(['baseline', 'init', file, json]);
      expect(again.exitCode).toBe(2);
      expect(again.stderr).toContain('is there already');
      const text = readFileSync(file, 'utf8');
      expect(await runMain(['baseline', 'init', file, json, '--force'])).toMatchObject({ exitCode: 0 });
      expect(readFileSync(file, 'utf8')).toBe(text);
      const recorded = readFileSync(evidence, 'utf8');
      const instead = await runMain(['baseline', 'init', evidence, json, '--force']);
      expect(instead.exitCode).toBe(2);
      expect(instead.stderr).toContain('--force replaces a baseline alone');
      expect(readFileSync(evidence, 'utf8')).toBe(recorded);
      const itself = await runMain(['baseline', 'check', file, file]);
      expect(itself.exitCode).toBe(2);
      expect(itself.stderr).not.toContain('overwrite');

      const outputs = ['--reporter', 'terminal', '--reporter', `json=${json}`, '--reporter', `junit=${at('xml')}`];
      const gated = await runMain([...broken, ...SELECTED, '--baseline', file, ...outputs]);
      expect(gated.stdout).toContain('known (accepted by the baseline): 1\n  fork.created (fail): in the baseline\n');
      expect(gated.stdout).toContain('non-conformant, nothing but what the baseline knows (exit code 0)');
      expect(gated.exitCode).toBe(0);
      const report = reportIn(json);
      expect(validate('report', report)).toEqual([]);
      expect(report.baseline).toMatchObject({ known: 1, problems: [] });
      expect(readFileSync(at('xml'), 'utf8')).toContain('<skipped message="known: in the baseline');

      const repaired = await runMain([...sound, ...SELECTED, '--baseline', file, '--evidence', at('repaired')]);
      expect(repaired.stdout).toContain('exit code 1: baseline: fork.created passes now');
      expect(repaired.stdout).toContain('conformant (exit code 1)');
      expect(repaired.exitCode).toBe(1);

      const checked = await runMain(['baseline', 'check', file, at('repaired')]);
      expect(checked.exitCode).toBe(1);
      expect(checked.stdout).toContain('passes: fork.created passes now');
      const pruned = await runMain(['baseline', 'prune', file, at('repaired')]);
      expect(pruned.stdout).toContain('out: fork.created\n');
      expect(baselineIn(file)).toMatchObject({ known: [] });
      expect((await runMain(['baseline', 'check', file, at('repaired')])).exitCode).toBe(0);
      expect((await runMain(['judge', evidence, '--baseline', file])).exitCode).toBe(1);
      expect((await runMain(['baseline', 'update', file, evidence])).stdout).toContain('in: fork.created\n');
      expect((await runMain(['report', evidence, '--baseline', file])).exitCode).toBe(0);

      const lost = readFileSync(file, 'utf8').replace(
        /"fork\.created", "verdict": "fail", "diagnosis": "[a-z-]+"/u,
        '"fork.created", "verdict": "inconclusive"',
      );
      writeFileSync(file, lost);
      const changed = await runMain(['baseline', 'update', file, evidence]);
      expect(changed.stdout).toContain('changed: fork.created from inconclusive to failing with other-fork-answer\n');
      expect(await runMain(['baseline', 'update', '-', evidence])).toMatchObject({ exitCode: 2, stdout: '' });
    });
  });

  it('is asked again for what failed, up to so many failures, without what is excluded', async () => {
    await withHosts(async ({ at, broken }) => {
      const evidence = at('evidence');
      await runMain([...broken, ...SELECTED, '--evidence', evidence]);

      const last = await runMain([...broken, '--last-failed', evidence, '--reporter', `json=${at('last')}`]);
      expect(last.exitCode).toBe(1);
      const failed = reportIn(at('last'));
      expect(failed.checks.map(({ id }) => id)).toContain('fork.created');
      expect(failed.checks.map(({ id }) => id)).not.toContain('discovery.shape');
      const none = await runMain([...broken, '--last-failed', evidence, '--scenario', 'discovery.shape']);
      expect(none).toMatchObject({ exitCode: 2, stdout: '' });

      const limits = [
        '--suite',
        'fork-contract',
        '--max-failures',
        '1',
        '--concurrency',
        '1',
        '--evidence',
        at('limited'),
      ];
      const limited = await runMain([...broken, ...limits]);
      expect(limited.exitCode).toBe(1);
      expect(limited.stdout).toMatch(/stopped after 1 failed with \d+ checks not reached \(--max-failures\)/u);
      expect(limited.stdout).toContain('inconclusive: the run was stopped after 1 failed check (--max-failures)');
      const judged = await runMain(['judge', at('limited')]);
      expect(judged.stdout).toBe(limited.stdout);
      const uncompared = await runMain(['baseline', 'init', at('none'), at('limited')]);
      expect(uncompared).toMatchObject({ exitCode: 3, stdout: '' });

      await runMain(['baseline', 'init', at('baseline'), evidence]);
      const accepted = ['--baseline', at('baseline'), '--max-failures', '1', '--concurrency', '1'];
      expect((await runMain([...broken, ...SELECTED, ...accepted])).stdout).not.toContain('stopped after');

      const one = await runMain([...broken, ...SELECTED, '--exclude', 'fork.created']);
      expect(one.stdout).toContain('non-conformant, excluded: fork.created (exit code 1)');
      const excluding = [
        '--exclude',
        'fork.created,fork.created.branch,fork.created.of-a-fork,fork.created.of-a-fork.branch,fork.created.every-sequence',
        '--evidence',
        at('excluding'),
      ];
      const excluded = await runMain([...broken, ...SELECTED, ...excluding]);
      expect(excluded.stdout).toContain(
        'conformant, excluded: fork.created, fork.created.branch, fork.created.of-a-fork, fork.created.of-a-fork.branch, fork.created.every-sequence (exit code 0)',
      );
      expect(excluded.exitCode).toBe(0);
      expect((await runMain(['judge', at('excluding')])).stdout).toBe(excluded.stdout);
    });
  });

  it.each<[name: string, args: readonly string[], text: string, says: string]>([
    ['a baseline that is none', [], '{"baselineVersion":1}', '/known: is missing'],
    [
      'a baseline with a misspelt check',
      [],
      '{"baselineVersion":1,"known":[],"decided":["fork.creatd"]}',
      'did you mean',
    ],
    [
      'an unknown name to exclude',
      ['--exclude', 'fork-contrct'],
      '',
      '--exclude: no suite, scenario, requirement or check',
    ],
    ['everything excluded', ['--suite', 'discovery', '--exclude', 'discovery'], '', 'nothing is selected'],
    ['no run to repeat', ['--last-failed', 'package.json'], '', 'neither evidence nor a JSON report'],
    ['a run to repeat that can be read once', ['--last-failed', '/dev/null'], '', 'has to be a regular file'],
  ])('is not tested with %s', async (_, args, text, says) => {
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'baseline\u001b.json');
      writeFileSync(file, text);
      const flags = text === '' ? args : ['--baseline', file];
      const { exitCode, stdout, stderr } = await runMain(['--base-url', 'http://127.0.0.1:1', ...flags]);
      expect(stderr).toContain(says);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).not.toContain('\u001b');
      expect([exitCode, stdout]).toEqual([2, '']);
    });
  });

  it('is not excused where it cannot be reached', async () => {
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'baseline');
      const known = [{ check: 'discovery.reachable', verdict: 'inconclusive' }];
      writeFileSync(file, JSON.stringify({ baselineVersion: 1, known, decided: ['discovery.shape'] }));
      const { exitCode, stdout } = await runMain(['--base-url', 'http://127.0.0.1:1', '--baseline', file]);
      expect(stdout).toContain('not compared with the baseline');
      expect(exitCode).toBe(3);
    });
  });
});

describe('the script of a gate', () => {
  const ODD = 'it\'s $(x) `y` "z" \\.json';

  function scriptOf(pipeline: (typeof PIPELINES)[number], baseline = ODD): string {
    const script = gateScript(pipeline, baseline);
    return script.ok ? script.text : `refused: ${script.message}`;
  }

  /** The commands of a pipeline's step. */
  function stepsOf(pipeline: (typeof PIPELINES)[number]): readonly string[] {
    if (pipeline === 'sh') return [scriptOf('sh')];
    const document: unknown = parse(scriptOf(pipeline));
    const found: string[] = [];
    JSON.stringify(document, (_, value: unknown) => {
      if (typeof value === 'string' && value.includes('openwop-conformance --')) found.push(value);
      return value;
    });
    return found;
  }

  it.each(PIPELINES)('for %s is one command that the shell reads, whatever the file is called', async (pipeline) => {
    const [step = '', ...others] = stepsOf(pipeline);
    expect(others).toEqual([]);
    await withTemporaryDirectory(async (directory) => {
      const file = join(directory, 'gate.sh');
      writeFileSync(
        file,
        `set -eu\nnpx() { for word; do printf '%s\\n' "$word"; done; }\n${step.replace('exec ', '')}`,
      );
      await execute('sh', ['-n', file]);
      const { stdout } = await execute('sh', [file], { env: { ...process.env, BASE_URL: 'http://h.example/?a b' } });
      expect(stdout.split('\n').slice(0, 6)).toEqual([
        '--yes',
        'openwop-conformance',
        '--base-url',
        'http://h.example/?a b',
        '--baseline',
        ODD,
      ]);
    });
  });

  it('is not made for a name that a script cannot hold', () => {
    expect(scriptOf('github', 'a\nb')).toContain('refused');
    expect(scriptOf('github', '${{ secrets.X }}')).toContain('refused');
    expect(scriptOf('sh', '-x.json')).toContain('--baseline ./-x.json --seed 1 ');
    const options = { seed: 7, suite: ['discovery'], volatile: ['/a b'], level: 'should', allowInconclusive: true };
    const script = gateScript('sh', 'b.json', { ...options, recipe: 'rfc-0150', vectors: 3 });
    expect(script.ok && script.text).toContain(
      "--baseline b.json --seed 7 --suite discovery --volatile '/a b' --recipe rfc-0150 --level should --allow-inconclusive ",
    );
    expect(script.ok && script.text).toContain(' --vectors 3 ');
    expect(gateScript('github', 'b.json', { volatile: ['/${{ secrets.X }}'] }).ok).toBe(false);
  });

  it('asks for what the run asked for, but not for what had failed last', () => {
    const options = {
      exclude: ['fork-contract'],
      scenario: ['discovery.document'],
      forks: 9,
      sweep: 0,
      crash: 'none',
      workflows: [{ workflowId: 'a', file: 'in.json' }, { workflowId: 'b' }],
      otel: true,
    };
    const script = gateScript('sh', 'b.json', options);
    expect(script.ok && script.text).toContain(
      ' --exclude fork-contract --scenario discovery.document --forks 9 --sweep 0 --crash none --workflow a=in.json --workflow b --otel ',
    );
    const again = gateScript('sh', 'b.json', { ...options, lastFailed: true });
    expect(again.ok && again.text).not.toContain('--scenario');
  });

  it('goes red for a new failure, green for a known one, and red for an entry that holds no longer', async () => {
    await withHosts(async ({ at, broken, sound }) => {
      const cli = packageFile('dist', 'bin', 'openwop-conformance.cjs');
      // Stands for npx, and keeps the run short.
      writeFileSync(at('npx'), `#!/bin/sh\nshift 2\nexec '${process.execPath}' '${cli}' "$@"\n`);
      chmodSync(at('npx'), 0o755);
      await runMain([...sound, ...SELECTED, '--evidence', at('sound')]);
      await runMain([...broken, ...SELECTED, '--evidence', at('broken')]);
      const printed = await runMain(['baseline', 'init', at('baseline.json'), at('sound'), '--ci', 'sh']);
      expect(printed.stdout).toMatch(/^#!\/bin\/sh\n/u);
      expect(printed.stdout).toContain(SELECTED.join(' '));
      expect(printed.stderr).toContain('0 failing and 0 undecided are known');
      writeFileSync(at('gate.sh'), printed.stdout);
      const gate = async ([, url = '']: readonly string[]): Promise<number> => {
        const env = {
          PATH: `${at('.')}:${process.env['PATH'] ?? ''}`,
          BASE_URL: url,
          OPENWOP_API_KEY: readFileSync(at('key'), 'utf8'),
        };
        const ended = execute('sh', [at('gate.sh')], { env, cwd: at('.') });
        return ended.then(
          () => 0,
          (error: unknown) => Number((error as { code?: unknown }).code),
        );
      };
      expect(await gate(broken)).toBe(1);
      await runMain(['baseline', 'update', at('baseline.json'), at('broken')]);
      expect(await gate(broken)).toBe(0);
      expect(await gate(sound)).toBe(1);
    });
  });
});
