import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * A sequencer that begins with what takes longest, so that no worker is left alone with it, and projects in the order of their longest files.
 * Other files come in vitest's own order, by the last times or by size.
 */
export function longestFirst(long: readonly string[]): typeof BaseSequencer {
  const rank = ({ moduleId }: TestSpecification): number => {
    const place = long.findIndex((file) => moduleId.endsWith(file));
    return place === -1 ? long.length : place;
  };
  return class extends BaseSequencer {
    override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
      // oxlint-disable-next-line unicorn/no-array-sort -- the sequencer's method
      const sorted = (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
      const projects = [...new Set(sorted.map(({ project }) => project.name))];
      return projects.flatMap((name) => sorted.filter(({ project }) => project.name === name));
    }
  };
}
