import type { Report } from '../contract/report.ts';

/** The pipelines that there is a gate for. */
export const PIPELINES = ['github', 'gitlab', 'sh'] as const;

export type Pipeline = (typeof PIPELINES)[number];

/** The text of a gate, or why there is none. */
export type GateScript =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly message: string };

/** The seed of a gate whose baseline is of no run: generated requests, and so their causes, are the same each time. */
const SEED = 1;

/**
 * A release gate that is ready to be pasted: it runs the tests against the host at `BASE_URL`, with the credential in
 * `OPENWOP_API_KEY`, and fails where anything but the baseline's is wrong. It asks for what the run asked for, whose options
 * these are.
 */
export function gateScript(pipeline: Pipeline, baseline: string, options: Report['options'] = {}): GateScript {
  const words = ['--baseline', baseline.startsWith('-') ? `./${baseline}` : baseline, ...optionsAgain(options)];
  // Two braces would be an expression to GitHub.
  const isUnsafe = words.some((word) => /[\p{C}\u2028\u2029]|\{\{/u.test(word));
  if (isUnsafe || baseline === '') {
    return {
      ok: false,
      message: 'the name of the baseline, or an option of the run, holds characters that no script should',
    };
  }
  return { ok: true, text: SCRIPTS[pipeline](command(words.map(quoted).join(' '))) };
}

function each(option: string, values: unknown): readonly string[] {
  return Array.isArray(values) ? values.flatMap((value: unknown) => [option, String(value)]) : [];
}

function numbers(values: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(values).flatMap(([name, value]) =>
    typeof value === 'number' ? [`--${name}`, String(value)] : [],
  );
}

/** The workflows that were run besides, each with the file of its inputs. */
function workflowsAgain(workflows: unknown): readonly string[] {
  if (!Array.isArray(workflows)) return [];
  return workflows.flatMap((added: unknown) => {
    if (typeof added !== 'object' || added === null || !('workflowId' in added)) return [];
    const file = 'file' in added ? `=${String(added.file)}` : '';
    return ['--workflow', `${String(added.workflowId)}${file}`];
  });
}

/** What decides which checks are looked at, and how. */
function optionsAgain(options: Report['options']): readonly string[] {
  const { seed = SEED, suite, requirements, require, volatile, recipe, level, allowInconclusive } = options;
  const { exclude, scenario, lastFailed, vectors, forks, sweep, crash, workflows, otel } = options;
  return [
    '--seed',
    String(seed),
    ...each('--suite', suite),
    ...each('--requirement', requirements),
    ...each('--require', require),
    ...each('--volatile', volatile),
    ...(recipe === 'rfc-0150' ? ['--recipe', recipe] : []),
    ...(level === 'should' ? ['--level', level] : []),
    ...(allowInconclusive === true ? ['--allow-inconclusive'] : []),
    ...each('--exclude', exclude),
    // What had failed last is nothing that a gate asks for.
    ...(lastFailed === true ? [] : each('--scenario', scenario)),
    ...numbers({ vectors, forks, sweep }),
    ...(crash === 'full' || crash === 'none' ? ['--crash', crash] : []),
    ...workflowsAgain(workflows),
    ...(otel === true ? ['--otel'] : []),
  ];
}

/** The lines of one command; those after the first are to be indented as it is. */
function command(options: string): readonly string[] {
  return [
    `npx --yes openwop-conformance --base-url "$BASE_URL" ${options} \\`,
    '  --reporter terminal --reporter junit=conformance.xml --evidence conformance.ndjson',
  ];
}

/** A word of the shell, whatever is in it. */
function quoted(word: string): string {
  return /^[\w.=:/-]+$/u.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

const SCRIPTS: Readonly<Record<Pipeline, (lines: readonly string[]) => string>> = {
  sh: (lines) => `#!/bin/sh
# Release gate: exit code 0 where nothing but the baseline's failures is wrong, 1 where something else failed or the
# baseline is outdated, 3 where it could not be decided. Set BASE_URL, and OPENWOP_API_KEY where the host wants a credential.
set -eu
: "\${BASE_URL:?the address of the host under test, such as https://host.example}"
exec ${lines.join('\n')}
`,
  github: (lines) => `# .github/workflows/conformance.yml
name: conformance
on: [push, pull_request]
permissions:
  contents: read
jobs:
  conformance:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - name: conformance gate
        env:
          BASE_URL: \${{ vars.OPENWOP_BASE_URL }}
          OPENWOP_API_KEY: \${{ secrets.OPENWOP_API_KEY }}
        run: |
${indented(lines, 10)}
      - if: always()
        uses: actions/upload-artifact@v4
        with:
          name: conformance
          path: |
            conformance.xml
            conformance.ndjson
`,
  gitlab: (lines) => `# .gitlab-ci.yml; set BASE_URL and OPENWOP_API_KEY (masked) as variables of the project
conformance:
  image: node:22
  script:
    - |
${indented(lines, 6)}
  artifacts:
    when: always
    paths:
      - conformance.xml
      - conformance.ndjson
    reports:
      junit: conformance.xml
`,
};

function indented(lines: readonly string[], spaces: number): string {
  return lines.map((line) => `${' '.repeat(spaces)}${line}`).join('\n');
}
