// `npm run package:check`: packs the package, installs it as a user does, and holds it to its budget. Ends with 1 where it does not keep it.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const BUDGET = { files: 120, unpackedBytes: 3_000_000, installedKilobytes: 15_000 };

const folder = mkdtempSync(join(tmpdir(), 'openwop-installed-'));
const problems = [];

function run(command, ...args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, encoding: 'utf8' });
  if (error !== undefined) throw error;
  return { status, stdout, stderr };
}

function expect(what, holds, actual) {
  process.stdout.write(`${holds ? 'ok    ' : 'FAILED'} ${what}: ${actual}\n`);
  if (!holds) problems.push(what);
}

function within(what, actual, limit) {
  expect(`${what}, at most ${limit}`, actual <= limit, actual);
}

try {
  const packed = execFileSync('npm', ['pack', '--json', '--silent', '--ignore-scripts', '--pack-destination', folder], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [{ filename, files, unpackedSize }] = JSON.parse(packed);
  within('files', files.length, BUDGET.files);
  within('bytes unpacked', unpackedSize, BUDGET.unpackedBytes);

  writeFileSync(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  const install = run('npm', 'install', '--no-audit', '--no-fund', '--prefer-offline', `./${filename}`);
  expect('installation', install.status === 0, install.status);
  const warnings = install.stderr.split('\n').filter((line) => /openwop|install-scripts|deprecated/u.test(line));
  expect('warnings of the installation', warnings.length === 0, warnings.join(' ') || 'none');
  const lock = JSON.parse(readFileSync(join(folder, 'node_modules', '.package-lock.json'), 'utf8'));
  const scripts = Object.keys(lock.packages).filter((name) => lock.packages[name].hasInstallScript);
  expect('packages with install scripts', scripts.length === 0, scripts.join(' ') || 'none');
  within(
    'kilobytes installed',
    Number.parseInt(run('du', '-sk', 'node_modules').stdout, 10),
    BUDGET.installedKilobytes,
  );

  const cli = join(folder, 'node_modules', '.bin', 'openwop-conformance');
  for (const args of [
    ['--version'],
    ['--help'],
    ['list'],
    ['self-test', '--suite', 'discovery', '--suite', 'fork-contract'],
  ]) {
    const { status, stderr } = run(cli, ...args);
    expect(args.join(' '), status === 0, status === 0 ? 'exit code 0' : `exit code ${status} ${stderr}`);
  }

  const script = `
    import { cacheKey, runConformance } from 'openwop-conformance';
    const { cacheKey: key } = cacheKey('{"provider":"openai","model":"m","messages":[]}');
    const fetch = () => new Response('out of order', { status: 500 });
    const report = await runConformance({ target: { baseUrl: 'http://host.invalid', fetch }, suites: ['discovery'] });
    console.log(key.length, report.verdict, report.exitCode);
  `;
  const library = run(process.execPath, '--input-type=module', '--eval', script);
  expect('the library', library.stdout === '64 non-conformant 1\n', library.stdout.trim() || library.stderr);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = problems.length === 0 ? 0 : 1;
