import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { withTemporaryDirectory } from './cli.ts';
import { masked, withHost } from './run-shown.ts';
import { runMain } from './run-main.ts';
import { blocksOf } from './shown.ts';

const SAMPLES = blocksOf('docs/reports.md').filter(({ note }) => note.startsWith('shows: '));

/** What each format makes of one run of the host that the samples are of. */
async function rendered(): Promise<ReadonlyMap<string, string>> {
  return withTemporaryDirectory((directory) =>
    withHost('host: replay-drops-overlay', directory, async ({ baseUrl }) => {
      const evidence = join(directory, 'evidence.ndjson');
      await runMain(['--base-url', baseUrl, '--seed', '1', '--scenario', 'fork.refusals', '--evidence', evidence]);
      const texts = new Map<string, string>();
      for (const { note } of SAMPLES) {
        const format = note.slice('shows: '.length);
        texts.set(note, (await runMain(['report', evidence, '--reporter', format])).stdout);
      }
      return texts;
    }),
  );
}

/** A line of a sample as an expression: … stands for anything, and so does what differs from run to run. Widths are no matter. */
function patternOf(line: string): RegExp {
  const text = plain(line).replaceAll(/[.*+?^${}()|[\]\\]/gu, String.raw`\$&`);
  return new RegExp(`^${text.replaceAll('…', '.*')}$`, 'u');
}

function plain(line: string): string {
  return masked(line).trim().replaceAll(/ +/gu, ' ').replaceAll(/-{3,}/gu, '---');
}

/** The lines of a sample that do not stand in a text in this order. */
function missing(sample: string, text: string): readonly string[] {
  const lines = text.split('\n').map(plain);
  return sample.split('\n').filter((line) => {
    const place = lines.findIndex((each) => patternOf(line).test(each));
    if (place !== -1) lines.splice(0, place + 1);
    return place === -1;
  });
}

/** Whether a JSON value holds, somewhere, one with all members of the sample. */
function holds(value: unknown, sample: unknown): boolean {
  return agrees(value, sample) || below(value).some((each) => holds(each, sample));
}

function agrees(value: unknown, sample: unknown): boolean {
  if (typeof sample === 'string') return typeof value === 'string' && missing(sample, value).length === 0;
  if (typeof sample !== 'object' || sample === null) return value === sample;
  const members = below(value, Object.keys(sample));
  return Object.values(sample).every((each, index) => agrees(members[index], each));
}

/** The members of a value, or those of these names. */
function below(value: unknown, names?: readonly string[]): readonly unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  const members = new Map<string, unknown>(Object.entries(value));
  return (names ?? [...members.keys()]).map((name) => members.get(name));
}

describe('the samples of formats', () => {
  it('show what the formats make of a run', async () => {
    const texts = await rendered();
    expect(SAMPLES.map(({ note }) => note)).toEqual(
      ['json', 'junit', 'github', 'markdown', 'sarif', 'tap'].map((format) => `shows: ${format}`),
    );
    for (const { note, language, text } of SAMPLES) {
      const actual = texts.get(note) ?? '';
      const shows = language === 'json' ? holds(JSON.parse(actual), JSON.parse(text)) : missing(text, actual);
      expect([note, shows]).toEqual([note, language === 'json' ? true : []]);
    }
  });

  it('are told from what is not so', () => {
    expect(missing('a …\nc 1', 'a b\nx\nc 2')).toEqual(['c 1']);
    expect(holds([{ a: { b: 'x y', c: 1 } }], { b: 'x …' })).toBe(true);
    expect(holds([{ a: { b: 'x y', c: 1 } }], { b: 'x …', c: 2 })).toBe(false);
  });
});
