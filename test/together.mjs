// Runs scripts of package.json side by side; what each prints comes when it has ended. Fails where one of them does.
import { spawn } from 'node:child_process';

function run(script) {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', ['run', '--silent', script], { stdio: ['ignore', 'pipe', 'pipe'] });
    let printed = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text) => {
        printed += text;
      });
    }
    child.on('error', reject).on('close', (code) => {
      const says = code === 0 ? 'passed' : `failed (${code})`;
      process.stdout.write(`== ${script} ${says}\n${printed}`);
      resolve(code === 0);
    });
  });
}

const passed = await Promise.all(process.argv.slice(2).map(run));
process.exitCode = passed.every(Boolean) ? 0 : 1;
