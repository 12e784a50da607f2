import { spawn, spawnSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/openwop-conformance.cjs', import.meta.url));
const EVENTS = 51_200;

/** Reads both files line by line and parses every line: what any comparison of them costs at least. */
const PARSE = `
const { createReadStream } = require('node:fs');
(async () => {
  for (const file of process.argv.slice(1)) {
    let rest = '';
    for await (const chunk of createReadStream(file, { encoding: 'utf8', highWaterMark: 262144 })) {
      const lines = (rest + chunk).split('\\n');
      rest = lines.pop();
      for (const line of lines) JSON.parse(line);
    }
  }
})();`;

/** Parses both files in memory, without any process or file around it, in milliseconds. */
const PARSE_ONLY = `
const { readFileSync } = require('node:fs');
const lines = process.argv.slice(1).flatMap((file) => readFileSync(file, 'utf8').trim().split('\\n'));
const start = performance.now();
for (const line of lines) JSON.parse(line);
process.stdout.write(String(performance.now() - start));`;

/** `diff` of two long logs, as a process, against JSON.parse of the same lines, and its peak memory by log length. */
export async function benchEventLog() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  try {
    const files = ['a', 'b'].map((side) => writeLog(join(folder, side), side, EVENTS));
    const longer = ['a', 'b'].map((side) => writeLog(join(folder, `${side}4`), side, 4 * EVENTS));
    const rounds = [];
    for (let round = 0; round < 5; round += 1) {
      const parse = Number(spawnSync(process.execPath, ['-e', PARSE_ONLY, ...files], { encoding: 'utf8' }).stdout);
      rounds.push({ diff: run(CLI, 'diff', ...files), bare: run('-e', PARSE, ...files), parse });
    }
    const of = (name) => median(rounds.map((round) => round[name]));
    const peaks = [await peakMegabytes(files), await peakMegabytes(longer)];
    const size = `${EVENTS} events, ${(statSync(files[0]).size / 1e6).toFixed(0)} MB a log`;
    return [
      {
        what: `diff process (${size}) / JSON.parse alone`,
        measured: `${of('diff').toFixed(0)} ms / ${of('parse').toFixed(0)} ms`,
        ratio: median(rounds.map((round) => round.diff / round.parse)),
        goal: '<= 2.5',
      },
      {
        what: 'diff process / process that reads and parses',
        measured: `${of('diff').toFixed(0)} ms / ${of('bare').toFixed(0)} ms`,
        ratio: median(rounds.map((round) => round.diff / round.bare)),
        goal: '<= 3',
      },
      {
        what: `diff peak memory, ${4 * EVENTS} events / ${EVENTS} events`,
        measured: `${peaks[1].toFixed(0)} MB / ${peaks[0].toFixed(0)} MB`,
        ratio: peaks[1] / peaks[0],
        goal: '< 200 MB, ~ 1',
      },
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(...args) {
  const start = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${args.slice(0, 2).join(' ')} ended with ${status}`);
  return performance.now() - start;
}

/** The peak resident set of one comparison, as the kernel counts it. */
function peakMegabytes(files) {
  const script = `process.on('exit', () => process.stderr.write(String(process.resourceUsage().maxRSS)));
    process.argv = [process.argv[0], ${JSON.stringify(CLI)}, 'diff', ...process.argv.slice(1)];
    require(${JSON.stringify(CLI)});`;
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['-e', script, ...files], { stdio: ['ignore', 'ignore', 'pipe'] });
    let kilobytes = '';
    child.stderr.setEncoding('utf8').on('data', (text) => (kilobytes += text));
    child.once('error', reject).once('close', (code) => {
      if (code === 0) resolve(Number(kilobytes) / 1000);
      else reject(new Error(`diff ended with ${code}: ${kilobytes}`));
    });
  });
}

function writeLog(path, side, count) {
  const descriptor = openSync(path, 'w');
  for (let sequence = 0; sequence < count;) {
    let text = '';
    for (const end = Math.min(count, sequence + 1024); sequence < end; sequence += 1)
      text += line(side, sequence, count);
    writeSync(descriptor, text);
  }
  closeSync(descriptor);
  return path;
}

function line(side, sequence, count) {
  const type =
    sequence === 0 ? 'run.started' : sequence === count - 1 ? 'run.completed' : TYPES[sequence % TYPES.length];
  const items = Array.from({ length: 8 }, (_, index) => ({
    id: index,
    text: `item ${index} of event ${sequence}`,
    score: sequence / (index + 3),
  }));
  return `${JSON.stringify({
    eventId: id(side, sequence),
    runId: `run_${side}`,
    type,
    sequence,
    timestamp: new Date(Date.UTC(2026, 3, side === 'a' ? 1 : 2) + sequence).toISOString(),
    nodeId: `node-${sequence % 16}`,
    ...(sequence > 0 && { causationId: id(side, sequence - 1) }),
    payload: { name: `variable-${sequence % 50}`, value: { items, note: 'x'.repeat(250) }, runId: `run_${side}` },
  })}\n`;
}

const TYPES = ['node.started', 'variable.changed', 'channel.written', 'log.appended', 'node.completed'];

function id(side, sequence) {
  return `evt-${side}-${sequence.toString(16).padStart(16, '0')}`;
}
