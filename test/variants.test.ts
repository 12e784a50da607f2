import { describe, expect, it } from 'vitest';
import { SUITES } from '../scenarios/index.ts';
import { COMPOSITIONS } from './variants/compositions.ts';
import { compose } from './variants/compose.ts';
import { VARIANTS } from './variants/index.ts';
import { faults, lines, misjudged, NEVER, runVariant } from './variants/judged.ts';

describe('the conformant host', () => {
  it('passes everything that applies to it', async () => {
    const plain = compose([]);
    const report = await runVariant(SUITES, plain);
    expect(lines(misjudged(report, plain))).toEqual([]);
    expect(report.exitCode).toBe(0);
    const skipped = report.checks.filter(({ verdict }) => verdict === 'not-applicable');
    expect(skipped.map(({ id }) => id)).toEqual(NEVER);
  });
});

describe('allowed variants, composed', () => {
  it.concurrent.each(COMPOSITIONS.first.map((row) => [compose(row).id, row] as const))(
    'pass everything: %s',
    async (_, row) => {
      const found = await faults(row);
      expect(found.join('\n')).toBe('');
    },
  );
});

describe('the compositions', () => {
  it.each(Object.entries(COMPOSITIONS))('give every variant one place in the %s half', (_, rows) => {
    const ids = rows.flatMap((row) => row.map(({ id }) => id));
    expect(ids.toSorted()).toEqual(VARIANTS.map(({ id }) => id).toSorted());
  });

  // Hosts without event streams, and without optional members, take up half of the places: what shows there meets the others.
  const OPTIONAL = new Set([
    'annotation.live',
    'fork.branch-applies-overlay.tags',
    'fork.branch-applies-overlay.metadata',
  ]);

  it('show every variant to each check that applies to it', () => {
    const rows = [...COMPOSITIONS.first, ...COMPOSITIONS.second];
    const unmet = VARIANTS.flatMap((variant) => {
      const [excused = [], ...others] = rows
        .filter((row) => row.some(({ id }) => id === variant.id))
        .map((row) => compose(row).notApplicable ?? []);
      const everywhere = excused
        .filter((id) => others.every((other) => other.includes(id)))
        .filter((id) => !OPTIONAL.has(id));
      return everywhere.filter((id) => variant.notApplicable?.includes(id) !== true).map((id) => `${variant.id} ${id}`);
    });
    expect(unmet).toEqual([]);
  });
});
