import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { packageFile } from '../contract/package-root.ts';
import { isInShard, sample } from './choose.ts';
import { inOrder } from './in-order.ts';
import { type AuditLine, auditExit, createTotals } from './line.ts';
import { renderAudit } from './page.tsx';
import { pairIn, pairsInFolder } from './pairs.ts';
import { auditPair } from './recorded.ts';
import { openAuditThreads } from './threads.ts';

const folders: string[] = [];
afterEach(() => {
  for (const each of folders.splice(0)) rmSync(each, { recursive: true });
});

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'audit-'));
  folders.push(made);
  return made;
}

function fixture(name: string): string {
  return packageFile('fixtures', 'event-logs', `remember-${name}.ndjson`);
}

function log(name: string): Buffer {
  return readFileSync(fixture(name));
}

function line(id: string, verdict: AuditLine['verdict'], more: Partial<AuditLine> = {}): AuditLine {
  return { id, verdict, workflowId: 'w', ...more };
}

function* oneThenWrong(): Generator<number> {
  yield 1;
  throw new Error('no run id');
}

/** The files in a folder that this process holds open, where the system lists them. */
function openIn(at: string): readonly string[] {
  const listed = '/proc/self/fd';
  if (!existsSync(listed)) return [];
  return readdirSync(listed).flatMap((name) => {
    try {
      const path = readlinkSync(join(listed, name));
      return path.startsWith(at) ? [path] : [];
    } catch {
      return [];
    }
  });
}

function eventLine(sequence: number, note: string): string {
  return `${JSON.stringify({ eventId: `e${sequence}`, type: 'log.appended', sequence, payload: { note } })}\n`;
}

const PLACES = new Map();
const NEVER = new AbortController().signal;

describe('pairs of recorded logs', () => {
  it('are found beside each other and in folders of their own, in the order of their names', () => {
    const at = folder();
    for (const name of ['b.source.ndjson', 'b.replay.json', 'c.source.ndjson.gz', 'c.replay.ndjson.zst', 'notes.txt']) {
      writeFileSync(join(at, name), '');
    }
    mkdirSync(join(at, 'a'));
    for (const name of ['source.ndjson', 'replay.ndjson.gz', 'other.ndjson']) writeFileSync(join(at, 'a', name), '');
    expect([...pairsInFolder(at)]).toEqual([
      { id: 'a', source: join(at, 'a', 'source.ndjson'), replay: join(at, 'a', 'replay.ndjson.gz') },
      { id: 'b', source: join(at, 'b.source.ndjson'), replay: join(at, 'b.replay.json') },
      { id: 'c', source: join(at, 'c.source.ndjson.gz'), replay: join(at, 'c.replay.ndjson.zst') },
    ]);
  });

  it('are found at any depth and under any name, and what is no pair says why', () => {
    const at = folder();
    for (const name of ['a', 'deep/er', 'twice']) mkdirSync(join(at, name), { recursive: true });
    const files = [
      'a/source.ndjson',
      'a/replay.ndjson',
      'deep/er/source.json',
      'deep/er/replay.json',
      'deep/x.source.json',
    ];
    const odd = [
      'twice/source.json',
      'twice/replay.json',
      'twice.source.json',
      'z.replay.ndjson',
      'z.replay.ndjson.gz',
    ];
    for (const name of [...files, ...odd, 'z.source.json', 'line\nend.source.json', 'replay.json']) {
      writeFileSync(join(at, name), '');
    }
    symlinkSync('a', join(at, 'linked'));
    const found = [...pairsInFolder(at)].map((pair) => [pair.id, 'problem' in pair ? pair.problem : 'a pair']);
    expect(found).toEqual([
      ['.', 'there is a replay and no source'],
      ['a', 'a pair'],
      ['deep/er', 'a pair'],
      ['deep/x', 'there is a source and no replay'],
      ['line\nend', 'there is a source and no replay'],
      ['linked', 'linked is a link to a folder, which is not followed'],
      ['twice', expect.stringMatching(/^there is more than one source: .*twice.source\.json/u)],
      ['z', expect.stringMatching(/^there is more than one replay: .*z\.replay\.ndjson\.gz/u)],
    ]);
  });

  it('are undecided where they are no pair, where a log is no regular file, and where being the same shows nothing', async () => {
    const at = folder();
    const open = join(at, 'open.ndjson');
    writeFileSync(open, log('replay').toString().split('\n').slice(0, 4).join('\n'));
    symlinkSync(fixture('source'), join(at, 'again.ndjson'));
    execFileSync('sh', ['-c', 'mkfifo "$0"', join(at, 'pipe.ndjson')]);
    const reasons = await Promise.all(
      [
        { id: 'x', problem: 'there is a source and no replay', logs: [] },
        { id: 'x', source: fixture('source'), replay: join(at, 'pipe.ndjson') },
        { id: 'x', source: open, replay: open },
        { id: 'x', source: fixture('source'), replay: join(at, 'again.ndjson') },
      ].map(async (pair) => (await auditPair(pair, PLACES)).reason),
    );
    expect(reasons).toEqual([
      'there is a source and no replay',
      expect.stringContaining('pipe.ndjson is no regular file'),
      'the logs are the same, and neither has a terminal event',
      'both logs are of the run "run_source"',
    ]);
    expect(await auditPair({ id: 'x', source: fixture('source'), replay: open }, PLACES)).toMatchObject({
      verdict: 'diverged',
    });
    const unnamed = join(at, 'unnamed.ndjson');
    writeFileSync(unnamed, '{"eventId":"e","type":"run.completed","sequence":0,"payload":{}}\n');
    expect(await auditPair({ id: 'x', source: unnamed, replay: unnamed }, PLACES)).toMatchObject({
      reason: 'source and replay are one file',
    });
  });

  it('are listed in a file, from its own folder; a line that is none is named', () => {
    const file = join(folder(), 'pairs.ndjson');
    const listed = (text: string) => pairIn(text, file, (problem) => new Error(`wrong: ${problem}`));
    const pair = listed('{"id":"one","source":"s.ndjson","replay":"/r.ndjson"}');
    expect(pair).toEqual({ id: 'one', source: join(file, '..', 's.ndjson'), replay: '/r.ndjson' });
    expect(() => listed('{"id":"two"}')).toThrow('wrong: source is no text');
    expect(() => listed('{')).toThrow('wrong: no JSON');
  });

  it('are closed when they are undecided, however much was read', async () => {
    const at = folder();
    writeFileSync(join(at, 'broken'), 'not JSON\n');
    const events = Array.from({ length: 100 }, (_, index) => eventLine(index, 'n')).join('');
    for (const [name, bytes] of [
      ['replay', events],
      ['replay.gz', gzipSync(events)],
    ] as const) {
      writeFileSync(join(at, name), bytes);
      const found = await auditPair({ id: 'a', source: join(at, 'broken'), replay: join(at, name) }, PLACES);
      expect(found.verdict).toBe('undecided');
    }
    await vi.waitFor(() => expect(openIn(at)).toEqual([]), { timeout: 60_000 });
  });

  it('are read in pieces where they are long, and each line counts', async () => {
    const at = folder();
    const events = Array.from({ length: 1500 }, (_, index) => eventLine(index, `${index} `.repeat(60)));
    writeFileSync(join(at, 'source'), events.join(''));
    writeFileSync(join(at, 'replay'), events.with(1400, eventLine(1400, 'other')).join(''));
    const found = await auditPair({ id: 'a', source: join(at, 'source'), replay: join(at, 'replay') }, PLACES);
    expect(found).toMatchObject({
      verdict: 'diverged',
      compared: 1500,
      matched: 1499,
      divergence: { pointer: '/payload/note' },
    });
  });

  it('are the same, diverged with place and class, or undecided with the reason', async () => {
    const at = folder();
    const write = (name: string, bytes: Buffer): string => {
      writeFileSync(join(at, name), bytes);
      return join(at, name);
    };
    const source = write('s.ndjson.gz', gzipSync(log('source')));
    expect(await auditPair({ id: 'x', source, replay: write('r.ndjson', log('replay')) }, PLACES)).toEqual({
      id: 'x',
      verdict: 'same',
      workflowId: 'remember',
      compared: 10,
      matched: 10,
    });
    const other = write('o.ndjson', log('regenerated'));
    expect(await auditPair({ id: 'x', source, replay: other }, PLACES)).toMatchObject({
      verdict: 'diverged',
      divergence: {
        class: 'regenerated-fact',
        pointer: '/payload/memoryId',
        sequence: { source: 6, replay: 6 },
        type: 'memory.written',
        nodeId: 'keep',
      },
    });
    const end = `${JSON.stringify({ eventId: 'e-r', runId: 'run_replay', type: 'replay.diverged', sequence: 99, payload: {} })}\n`;
    const reports = write('d.ndjson', Buffer.concat([log('replay'), Buffer.from(end)]));
    expect(await auditPair({ id: 'x', source, replay: reports }, PLACES)).toMatchObject({
      verdict: 'diverged',
      matched: 10,
      divergence: { class: 'reported', sequence: { source: null, replay: 99 }, type: 'replay.diverged' },
    });
    const reasons = await Promise.all(
      [
        write('j.ndjson', Buffer.from('junk\n')),
        join(at, 'nowhere.ndjson'),
        write('t.ndjson.gz', gzipSync(log('replay')).subarray(0, 40)),
      ].map(async (replay) => (await auditPair({ id: 'x', source, replay }, PLACES)).reason),
    );
    expect(reasons).toEqual([
      expect.stringContaining("the replay's log: line 1"),
      expect.stringContaining('ENOENT'),
      expect.stringContaining('unexpected end of file'),
    ]);
    const empty = write('e.ndjson', Buffer.from(''));
    expect(await auditPair({ id: 'x', source: empty, replay: empty }, PLACES)).toMatchObject({ verdict: 'undecided' });
  });

  it('are compared in this thread where there is no file to start another one with', async () => {
    const threads = openAuditThreads([]);
    expect(await threads.audit({ id: 'x', source: fixture('source'), replay: fixture('replay') })).toMatchObject({
      verdict: 'same',
    });
    await threads.close();
  });
});

describe('an audit', () => {
  const divergence = {
    class: 'value',
    pointer: '/payload/<b>',
    sequence: { source: 1, replay: null },
    type: 'variable.changed',
    nodeId: 'n',
  } as const;

  it('counts verdicts, classes, workflows and nodes, the most first', () => {
    const counting = createTotals();
    for (const each of [
      line('a', 'same'),
      line('b', 'diverged', { divergence }),
      line('c', 'diverged', { divergence: { ...divergence, nodeId: null }, workflowId: null }),
      line('d', 'diverged', { divergence }),
      line('e', 'undecided', { reason: 'r' }),
    ]) {
      counting.add(each);
    }
    expect(counting.totals()).toEqual({
      runs: 5,
      same: 1,
      diverged: 3,
      undecided: 1,
      byClass: [['value', 3]],
      byWorkflow: [
        ['w', 2],
        ['(unknown)', 1],
      ],
      byNode: [
        ['n', 2],
        ['(no node)', 1],
      ],
    });
  });

  it('counts names without end in bounded memory', () => {
    const counting = createTotals();
    for (let index = 0; index < 3000; index += 1) {
      counting.add(line(`${index}`, 'diverged', { divergence, workflowId: `w${index}` }));
    }
    expect(counting.totals().byWorkflow).toHaveLength(1001);
    expect(counting.totals().byWorkflow[0]).toEqual(['(others)', 2000]);
  });

  it.each([
    [['same'], 0],
    [['same', 'undecided'], 3],
    [['same', 'undecided', 'diverged'], 1],
    [[], 0],
  ] as const)('of %j, of what is listed, ends with %i', (verdicts, exitCode) => {
    const counting = createTotals();
    for (const verdict of verdicts) counting.add(line('a', verdict));
    expect(auditExit(counting.totals(), 3)).toBe(exitCode);
  });

  it('of an empty list is undecided', () => {
    expect(auditExit(createTotals().totals(), 0)).toBe(3);
  });

  it('does so many at once, and gives them in their order', async () => {
    let [open, most] = [0, 0];
    const items = Array.from({ length: 20 }, (_, index) => index);
    const work = async (item: number): Promise<number> => {
      open += 1;
      most = Math.max(most, open);
      for (let turn = 0; turn < 20 - item; turn += 1) await Promise.resolve();
      open -= 1;
      return item;
    };
    const done: number[] = [];
    for await (const each of inOrder(items, work, { atOnce: 4, signal: NEVER })) done.push(each);
    expect(done).toEqual(items);
    expect(most).toBe(4);
  });

  it('gives what is done while the list is still being read, and ends where it is told to, whatever is waited for', async () => {
    const ending = new AbortController();
    const next: Promise<never> = new Promise(() => undefined);
    async function* items(): AsyncGenerator<number> {
      yield 1;
      await next;
    }
    const done: number[] = [];
    for await (const each of inOrder(items(), (item) => Promise.resolve(item), { atOnce: 4, signal: ending.signal })) {
      done.push(each);
      setImmediate(() => ending.abort());
    }
    expect(done).toEqual([1]);
    const hangs = inOrder([1, 2], () => next, { atOnce: 1, signal: ending.signal });
    expect(await hangs.next()).toEqual({ done: true, value: undefined });
  });

  it('gives what stands before an item that cannot be read, and then says why', async () => {
    const lines = inOrder(oneThenWrong(), (item) => Promise.resolve(item), { atOnce: 4, signal: NEVER });
    expect(await lines.next()).toEqual({ done: false, value: 1 });
    await expect(lines.next()).rejects.toThrow('no run id');
  });

  it('is cut into shards that have every run once', () => {
    const ids = Array.from({ length: 500 }, (_, index) => `run-${index}`);
    const shards = [1, 2, 3].map((index) => ids.filter((id) => isInShard(id, { index, of: 3 })));
    expect(shards.flat().toSorted()).toEqual(ids.toSorted());
    expect(Math.min(...shards.map(({ length }) => length))).toBeGreaterThan(120);
  });

  it('samples the same runs by the same seed, in whatever order they come', async () => {
    const runs = Array.from({ length: 3000 }, (_, index) => ({ id: `run-${index}` }));
    const one = await sample(runs, { most: 10, seed: 1 });
    expect(one).toHaveLength(10);
    expect(await sample(runs.toReversed(), { most: 10, seed: 1 })).toEqual(one);
    expect(await sample(runs, { most: 10, seed: 2 })).not.toEqual(one);
    expect(await sample(runs.slice(0, 3), { most: 10, seed: 2 })).toHaveLength(3);
  });

  it('is a page, in which nothing of a log is markup', () => {
    const counting = createTotals();
    const lines = [line('<i>', 'diverged', { divergence }), line('u', 'undecided', { reason: '<script>\u202E' })];
    for (const each of lines) counting.add(each);
    const head = {
      id: 'a',
      baseUrl: 'https://host',
      runs: '<i>',
      shard: '1/2',
      sample: 4,
      seed: 9,
      volatile: ['/payload/foo'],
    };
    const page = renderAudit(counting.totals(), lines, { head, by: 'SIGINT' });
    const parts = ['1 of 2 runs diverged', '&lt;i&gt;', 'value', '/payload/&lt;b&gt;', 'at 1 / –'];
    const asked = [
      'https://host',
      '--runs &lt;i&gt;',
      '--shard 1/2',
      '--sample 4',
      '--seed 9',
      '--volatile /payload/foo',
    ];
    for (const part of [...parts, ...asked, 'Interrupted by SIGINT']) expect(page).toContain(part);
    expect(page).not.toMatch(/<script|<i>|\u202E/u);
  });
});
