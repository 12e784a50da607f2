import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { event, log } from '../../../test/event-logs.ts';
import { runMain } from '../../../test/run-main.ts';
import { packageFile } from '../../contract/package-root.ts';
import { validate } from '../../contract/validate.ts';

const folder = mkdtempSync(join(tmpdir(), 'openwop-diff-'));
const fixture = (name: string): string => packageFile('fixtures', 'event-logs', name);
const SOURCE = fixture('remember-source.ndjson');
const REGENERATED = fixture('remember-regenerated.ndjson');

afterAll(() => rmSync(folder, { recursive: true }));

const diff = (...args: readonly string[]) => runMain(['diff', ...args]);

function file(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

function wild(text: string): string {
  return JSON.stringify(log([event('x\u001b[2J', 'n\u202e', { ['\u0007']: text + 'y'.repeat(5000) })]));
}

describe('diff', () => {
  it.each(['remember-replay.ndjson', 'remember-replay.json'])('finds %s the same', async (name) => {
    const { exitCode, stdout, stderr } = await diff(SOURCE, fixture(name));
    expect(stdout).toContain('same: no divergence\n');
    expect(stdout).toContain('score     1.0000: 10 of 10 events match\n');
    expect(stdout).toContain('masked    /runId, /timestamp (envelope only)\n');
    expect(stderr).toBe('');
    expect(exitCode).toBe(0);
  });

  it('shows the first divergence with both sides, place, state and score on one screen', async () => {
    const { exitCode, stdout } = await diff(SOURCE, REGENERATED);
    expect(stdout.split('\n')).toEqual([
      'source  "run_source"',
      'replay  "run_replay"',
      '',
      'DIVERGED  regenerated-fact: a recorded fact was made anew, not re-emitted (replay.md, Determinism 5)',
      'at        sequence 6 in the source, 6 in the replay: memory.written of node keep',
      'pointer   /payload/memoryId',
      'source    "mem_01"',
      'replay    "mem_02"',
      'also at   /payload/writtenAt',
      'before    status running, variables {"answer":"spring tides follow the moon"}, channels {}, in both logs',
      'reported  replay.diverged, sequence 7 of the replay',
      '',
      'score     0.9000: 9 of 10 events match',
      'masked    /runId, /timestamp (envelope only)',
      'volatile  nothing (declared with --volatile)',
      "renamed   10 event ids, one to one; the run's own id in payloads",
      'end state the same',
      '',
    ]);
    expect(exitCode).toBe(1);
  });

  it('believes a replay that says itself that it diverged', async () => {
    const recorded = readFileSync(SOURCE, 'utf8');
    const reports = recorded.replace(/^.*"run\.completed".*$/mu, (end) => {
      const { sequence, ...rest } = JSON.parse(end) as { readonly sequence: number };
      const report = { ...rest, eventId: 'ev-r', type: 'replay.divergedAtRefusal', payload: {}, sequence };
      return `${JSON.stringify(report)}\n${JSON.stringify({ ...rest, sequence: sequence + 1 })}`;
    });
    const replay = file('reports.ndjson', reports);
    const { exitCode, stdout } = await diff(SOURCE, replay);
    expect(stdout).toContain("DIVERGED  the replay's own log reports it, and shows nothing else\n");
    expect(stdout).toMatch(/^reported  replay\.divergedAtRefusal, sequence \d+ of the replay$/mu);
    expect(exitCode).toBe(1);
    const told = JSON.parse((await diff(SOURCE, replay, '--json')).stdout) as object;
    expect(validate('run-diff', told)).toEqual([]);
    expect(told).toMatchObject({ divergence: null, reported: { type: 'replay.divergedAtRefusal' } });
  });

  it('leaves declared volatile fields out and shows them', async () => {
    const flags = ['--volatile', '/payload/memoryId', '--volatile', '/payload/writtenAt'];
    const { exitCode, stdout } = await diff(SOURCE, REGENERATED, ...flags);
    expect(stdout).toContain('volatile  /payload/memoryId, /payload/writtenAt (declared with --volatile)\n');
    expect(exitCode).toBe(0);
  });

  it('writes JSON that follows its schema', async () => {
    const same = await diff(SOURCE, fixture('remember-replay.ndjson'), '--json');
    expect(validate('run-diff', JSON.parse(same.stdout))).toEqual([]);
    const { exitCode, stdout } = await diff(SOURCE, REGENERATED, '--json', '--volatile', '/payload/writtenAt');
    const value: unknown = JSON.parse(stdout);
    expect(validate('run-diff', value)).toEqual([]);
    expect(value).toMatchObject({
      a: 'run_source',
      b: 'run_replay',
      divergedAtSeq: 6,
      eventDiffs: [{ seq: 6, op: 'changed', aEvent: { sequence: 6 }, bEvent: { sequence: 6 } }],
      stateDiff: null,
      divergence: { class: 'regenerated-fact', pointer: '/payload/memoryId', source: 'mem_01', replay: 'mem_02' },
      normalisation: { masks: ['/runId', '/timestamp'], volatile: ['/payload/writtenAt'], renamedIds: 10 },
      determinism: { matchedEvents: 9, comparedEvents: 10, score: 0.9, firstDivergenceSeq: 6 },
    });
    expect(exitCode).toBe(1);
  });

  it('escapes what a terminal would obey, and cuts what would fill it', async () => {
    const { exitCode, stdout } = await diff(file('a.json', wild('\u001b[31m')), file('b.json', wild('\u009b31m')));
    expect(stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
    expect(stdout).toContain('more characters)');
    expect(stdout.length).toBeLessThan(3000);
    expect(exitCode).toBe(1);
    const json = await diff(join(folder, 'a.json'), join(folder, 'b.json'), '--json');
    expect(json.stdout).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/u);
  });

  it('keeps __proto__ members apart from everything', async () => {
    const text = readFileSync(SOURCE, 'utf8').replace('"inputs": {', '"inputs": {"__proto__": {"polluted": 1}, ');
    const { exitCode, stdout } = await diff(SOURCE, file('proto.ndjson', text));
    expect(stdout).toContain('pointer   /payload/inputs/__proto__\n');
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(exitCode).toBe(1);
  });

  it.each([
    ['a missing file', () => [SOURCE, join(folder, 'none')], 'ENOENT'],
    [
      'a broken log',
      () => [SOURCE, file('broken.ndjson', `${readFileSync(SOURCE, 'utf8')}{`)],
      'line 11: not a JSON document',
    ],
    ['two empty logs', () => [file('empty', ''), file('empty.json', '[]')], 'proves nothing'],
    ['a pointer to a whole payload', () => [SOURCE, SOURCE, '--volatile', '/payload'], 'names a whole payload'],
    ['one log', () => [SOURCE], "missing required argument 'replay'"],
  ])('refuses %s as wrong usage', async (_, args, message) => {
    const { exitCode, stdout, stderr } = await diff(...args());
    expect(stderr).toContain(message);
    expect(stdout).toBe('');
    expect(exitCode).toBe(2);
  });

  it('tells an empty replay from an empty comparison', async () => {
    const { exitCode, stdout } = await diff(SOURCE, file('nothing.ndjson', ''));
    expect(stdout).toContain('DIVERGED  missing');
    expect(stdout).toContain('score     0.0000: 0 of 10 events match');
    expect(exitCode).toBe(1);
  });
});
