import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { packageFile } from '../../contract/package-root.ts';
import { buildComparison, type Logged } from './build-comparison.ts';

function recorded(name: string): Logged {
  const text = readFileSync(packageFile('fixtures', 'event-logs', `${name}.ndjson`), 'utf8');
  const events = text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
  return { head: { runId: name, children: [] }, events };
}

function longLog(at800: unknown): Logged {
  const events = Array.from({ length: 900 }, (_, index) => ({
    eventId: `e${index}`,
    runId: 'r',
    type: 'log.appended',
    sequence: index,
    payload: index === 800 ? at800 : index,
  }));
  return { head: { runId: 'r', children: [] }, events };
}

const source = recorded('remember-source');

describe('buildComparison', () => {
  it('finds the first divergence of a fact that was made anew', () => {
    const { rows, compared } = buildComparison(source, recorded('remember-regenerated'));
    expect(compared).toMatchObject({ first: { class: 'regenerated-fact', pointer: '/payload/memoryId' } });
    expect(rows[6]).toMatchObject({ marks: ['/memoryId', '/writtenAt'] });
    expect(rows.map(({ kind }) => kind)).toEqual([
      ...Array<string>(6).fill('same'),
      'changed',
      'note',
      'same',
      'same',
      'same',
    ]);
  });

  it('finds none between a source and its replay', () => {
    const { compared, rows } = buildComparison(source, recorded('remember-replay'));
    expect(compared).toMatchObject({ first: undefined });
    expect(rows.every(({ kind }) => kind === 'same')).toBe(true);
  });

  it('aligns what is missing and what is extra, and sets events about the replay apart', () => {
    const replay = recorded('remember-replay');
    const note = { eventId: 'n', runId: 'run_replay', type: 'replay.diverged', sequence: 90, payload: {} };
    const extra = { eventId: 'x', runId: 'run_replay', type: 'log.appended', sequence: 91, payload: { more: true } };
    const [first, ...others] = replay.events;
    const { rows } = buildComparison(source, { ...replay, events: [first, note, ...others.slice(1), extra] });
    const kinds = rows.map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'note')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'missing')).toHaveLength(1);
    expect(kinds.filter((kind) => kind === 'extra')).toHaveLength(1);
  });

  it('shows the rows around a late divergence, and how many it leaves out', () => {
    const { rows, left } = buildComparison(longLog(1), longLog(2));
    expect(rows[40]).toMatchObject({ kind: 'changed', source: { sequence: 800 } });
    expect(left).toEqual({ before: 760, after: 0 });
  });

  it('says which log cannot be read', () => {
    expect(buildComparison(source, { ...source, events: [{}] }).compared).toContain("the replay's log");
  });
});
