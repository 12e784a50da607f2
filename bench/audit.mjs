import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median } from './measure.mjs';

const CLI = fileURLToPath(new URL('../dist/bin/openwop-conformance.cjs', import.meta.url));
const BARE = fileURLToPath(new URL('./read-pairs.mjs', import.meta.url));
const USAGE = new URL('./usage.mjs', import.meta.url).href;
const PAIRS = 10_000;
const FEW_PAIRS = 1000;
const EVENTS = 100;

/** `audit --pairs` of many short recorded pairs against threads that only read and parse them, in time and in processor time, and its peak memory by their number. */
export function benchAudit() {
  const folder = mkdtempSync(join(tmpdir(), 'openwop-bench-'));
  try {
    const [many, few] = [writePairs(join(folder, 'many'), PAIRS), writePairs(join(folder, 'few'), FEW_PAIRS)];
    const audit = (pairs) => run(CLI, 'audit', '--pairs', pairs, '--output', join(folder, 'lines'));
    const rounds = [];
    for (let round = 0; round < 3; round += 1) {
      rounds.push({ audit: audit(many), bare: run(BARE, many), few: audit(few) });
    }
    const compared = (what, of, [a, b], { unit, goal }) => {
      const [ofA, ofB] = [a, b].map((name) => median(rounds.map((round) => round[name][of])).toFixed(0));
      const ratio = median(rounds.map((round) => round[a][of] / round[b][of]));
      return { what, measured: `${ofA} ${unit} / ${ofB} ${unit}`, ratio, goal };
    };
    const sides = ['audit', 'bare'];
    return [
      compared(`audit of ${PAIRS} pairs of ${EVENTS} events / threads that read and parse`, 'ms', sides, {
        unit: 'ms',
        goal: '<= 2',
      }),
      compared('the same in processor time', 'cpu', sides, { unit: 'ms', goal: '<= 2' }),
      compared(`audit peak memory, ${PAIRS} pairs / ${FEW_PAIRS} pairs`, 'megabytes', ['audit', 'few'], {
        unit: 'MB',
        goal: '~ 1',
      }),
    ];
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function run(...args) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, ['--import', USAGE, ...args], { encoding: 'utf8' });
  const ms = performance.now() - start;
  if (status !== 0) throw new Error(`${args.slice(0, 2).join(' ')} ended with ${status}: ${stderr}`);
  return { ms, ...JSON.parse(stderr.trimEnd().split('\n').at(-1)) };
}

function writePairs(folder, count) {
  mkdirSync(folder);
  for (let pair = 0; pair < count; pair += 1) {
    const name = `run-${pair.toString(16).padStart(6, '0')}`;
    for (const side of ['source', 'replay']) {
      const text = Array.from({ length: EVENTS }, (_, sequence) => line(`${name}-${side}`, side, sequence)).join('');
      writeFileSync(join(folder, `${name}.${side}.ndjson`), text);
    }
  }
  return folder;
}

const TYPES = ['node.started', 'variable.changed', 'channel.written', 'log.appended', 'node.completed'];

function line(name, side, sequence) {
  const type =
    sequence === 0 ? 'run.started' : sequence === EVENTS - 1 ? 'run.completed' : TYPES[sequence % TYPES.length];
  const written = { items: [sequence, sequence / 3, `text of ${sequence}`], note: 'the same note' };
  return `${JSON.stringify({
    eventId: id(name, sequence),
    runId: name,
    type,
    sequence,
    timestamp: new Date(Date.UTC(2026, 3, side === 'source' ? 1 : 2) + sequence * 7).toISOString(),
    nodeId: `node-${sequence % 8}`,
    ...(sequence > 0 && { causationId: id(name, sequence - 1) }),
    payload:
      sequence === 0 ? { workflowId: 'bench' } : { name: `variable-${sequence % 50}`, value: written, runId: name },
  })}\n`;
}

function id(name, sequence) {
  return `evt-${name}-${sequence.toString(16).padStart(8, '0')}`;
}
