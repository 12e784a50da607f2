import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readWorkflows } from './workflows.ts';

let directory: string;

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'workflows-'));
});

afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(name: string, text: string): string {
  const file = join(directory, name);
  writeFileSync(file, text);
  return file;
}

function wrong(name: string, text: string): () => unknown {
  return () => readWorkflows([`a=${fileWith(name, text)}`]);
}

describe('--workflow', () => {
  it('names a workflow, and a file with its inputs', () => {
    const file = fileWith('inputs=1.json', '{"a": [1]}');
    expect(readWorkflows(['plain', `vendor.flow=${file}`])).toEqual([
      { workflowId: 'plain' },
      { workflowId: 'vendor.flow', given: { file, inputs: { a: [1] } } },
    ]);
    expect(readWorkflows()).toEqual([]);
  });

  it.each([
    ['', 'takes ID or ID=FILE'],
    ['a=', 'takes ID or ID=FILE'],
    ['=file', 'takes ID or ID=FILE'],
    ['a\nb', 'takes ID or ID=FILE'],
    ['a=/no/such/file', 'ENOENT'],
  ])('takes no %j', (value, problem) => {
    expect(() => readWorkflows([value])).toThrow(problem);
  });

  it('takes no file of anything else, and no workflow twice', () => {
    expect(wrong('list.json', '[]')).toThrow('has to hold a JSON object');
    expect(wrong('text.json', '{')).toThrow('holds no JSON');
    expect(wrong('long.json', JSON.stringify({ a: 'x'.repeat(70_000) }))).toThrow('is larger than 65536 bytes');
    expect(() => readWorkflows(['a', 'a'])).toThrow('names "a" twice');
  });
});
