import { createReadStream, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { openEvidenceFile, readEvidenceLines, type EvidenceLine } from './ndjson.ts';
import type { EvidenceRecord } from './types.ts';
import { openWholeFile } from './whole-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'evidence-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function read(path: string): Promise<readonly EvidenceLine[]> {
  const lines: EvidenceLine[] = [];
  for await (const line of readEvidenceLines(createReadStream(path))) lines.push(line);
  return lines;
}

function plan(reason: string): EvidenceRecord {
  return { kind: 'plan', scenario: 's', status: 'applicable', reason };
}

describe('evidence files', () => {
  it('give back every record as it was written, whatever its strings hold', async () => {
    const path = join(folder, 'round.ndjson');
    const records = [
      'plain',
      'a\u2028b\u2029c\u0085d',
      '\r\n\t\u0000\u001b',
      '\ud800 lone',
      '\u{1f600}',
      'é'.repeat(70_000),
    ].map(plan);
    const file = openEvidenceFile(openWholeFile(path, 0o600));
    for (const record of records) file.write(record);
    file.close();
    expect(await read(path)).toEqual(records.map((value, index) => ({ line: index + 1, ok: true, value })));
  });

  it('can be read by their owner only', () => {
    const path = join(folder, 'mode.ndjson');
    const file = openEvidenceFile(openWholeFile(path, 0o600));
    file.write(plan('r'));
    file.close();
    expect(statSync(path).mode & 0o077).toBe(0);
  });

  it('drop what is written after they were closed, and may be closed twice', () => {
    const path = join(folder, 'late.ndjson');
    const file = openEvidenceFile(openWholeFile(path, 0o600));
    file.write(plan('in time'));
    file.close();
    for (let each = 0; each < 3; each += 1) file.write(plan('late'.repeat(30_000)));
    file.close();
    expect(readFileSync(path, 'utf8').trimEnd().split('\n')).toHaveLength(1);
  });

  it('replace an older file, unless nothing was recorded', async () => {
    const path = join(folder, 'old.ndjson');
    writeFileSync(path, '"old"\n'.repeat(10));
    openEvidenceFile(openWholeFile(path, 0o600)).close();
    expect(await read(path)).toHaveLength(10);
    const file = openEvidenceFile(openWholeFile(path, 0o600));
    file.write(plan('r'));
    file.close();
    expect(await read(path)).toHaveLength(1);
  });

  it('say why they were lost, leave the old file, and never throw', async () => {
    const path = join(folder, 'kept.ndjson');
    writeFileSync(path, '{"old":true}');
    const whole = openWholeFile(path);
    let wrote = 0;
    const file = openEvidenceFile({
      ...whole,
      write: () => {
        wrote += 1;
        throw new Error('ENOSPC: no space left on device');
      },
    });
    for (let each = 0; each < 3; each += 1) file.write(plan('long'.repeat(30_000)));
    expect([file.close(), file.close()]).toEqual(Array(2).fill('ENOSPC: no space left on device'));
    expect(wrote).toBe(1);
    expect(readFileSync(path, 'utf8')).toBe('{"old":true}');
  });

  it('throw when they cannot be read', async () => {
    await expect(read(join(folder, 'absent'))).rejects.toThrow(/ENOENT/u);
  });
});

describe('readEvidenceLines', () => {
  it('passes over a byte order mark at the start and nowhere else', async () => {
    const path = join(folder, 'marked.ndjson');
    writeFileSync(path, '\ufeff{"a":1}\n\ufeff{"b":2}\n');
    expect(await read(path)).toEqual([
      { line: 1, ok: true, value: { a: 1 } },
      { line: 2, ok: false, message: 'not a JSON document' },
    ]);
  });

  it('counts lines from 1, passes over blank ones, takes CRLF and a missing last line end', async () => {
    const path = join(folder, 'odd.ndjson');
    writeFileSync(path, '{"a":1}\r\n\r\n   \n{broken\n[2]');
    expect(await read(path)).toEqual([
      { line: 1, ok: true, value: { a: 1 } },
      { line: 4, ok: false, message: 'not a JSON document' },
      { line: 5, ok: true, value: [2] },
    ]);
  });

  it('names the line in which a name stands twice, or which holds more than is ever written', async () => {
    const path = join(folder, 'twice.ndjson');
    const many = `{${Array.from({ length: 100_000 }, (_, at) => `"k${at}":0`).join()}}`;
    writeFileSync(path, `{"a":1, "b":{"a":1}}\n{"a":1,"a":1}\n${many}\n`);
    expect(await read(path)).toEqual([
      { line: 1, ok: true, value: { a: 1, b: { a: 1 } } },
      { line: 2, ok: false, message: 'an object has two members "a"' },
      { line: 3, ok: false, message: 'more than a line of evidence holds' },
    ]);
  });

  it('names the line that is no UTF-8, and reads the others', async () => {
    const path = join(folder, 'bytes.ndjson');
    const bad = Buffer.from([0x22, 0xff, 0x22]);
    writeFileSync(path, Buffer.concat([Buffer.from('"é"\n'), bad, Buffer.from('\n"ü"\n'), bad]));
    expect(await read(path)).toEqual([
      { line: 1, ok: true, value: 'é' },
      { line: 2, ok: false, message: 'not valid UTF-8' },
      { line: 3, ok: true, value: 'ü' },
      { line: 4, ok: false, message: 'not valid UTF-8' },
    ]);
  });

  it('keeps characters whole that lie across the pieces in which a file is read', async () => {
    const path = join(folder, 'pieces.ndjson');
    writeFileSync(path, `${JSON.stringify(`x${'\u{1f600}'.repeat(50_000)}`)}\n`);
    const [line] = await read(path);
    expect(line).toEqual({ line: 1, ok: true, value: `x${'\u{1f600}'.repeat(50_000)}` });
  });
});
