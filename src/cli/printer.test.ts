import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { packageFile } from '../contract/package-root.ts';
import { liftBeforePrinting, printError, printMessage } from './printer.ts';

/** Files of the CLI that hand a text to a stream themselves, and why they may. */
const WRITERS = [
  'printer.ts',
  // What a renderer has made is escaped as its format wants it.
  'output.ts',
  // One line of our own words, the scenario's id among them.
  'progress.ts',
];

describe('standard output and standard error', () => {
  it('are written by the printer', () => {
    const directory = packageFile('src', 'cli');
    const files = readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
    const writers = files.filter((file) =>
      /\b(?:stdout|stderr|stream)\.write\(|console\./u.test(readFileSync(join(directory, file), 'utf8')),
    );
    expect(writers.filter((file) => !file.endsWith('.test.ts')).toSorted()).toEqual(WRITERS.toSorted());
  });

  it('hold what is printed below nothing that will be drawn over', () => {
    const seen: string[] = [];
    const write = vi.spyOn(process.stderr, 'write').mockImplementation((text) => seen.push(String(text)) > 0);
    liftBeforePrinting(() => seen.push('lifted'));
    try {
      printMessage('a');
      printError('b\n');
      liftBeforePrinting(undefined);
      printMessage('c');
    } finally {
      liftBeforePrinting(undefined);
      write.mockRestore();
    }
    expect(seen).toEqual(['lifted', 'openwop-conformance: a\n', 'lifted', 'b\n', 'openwop-conformance: c\n']);
  });
});
