import { expect, it } from 'vitest';
import type { Behaviour } from './behaviour.ts';
import { CREDENTIAL } from './behaviour.ts';
import { survive } from './survive.ts';

/** What a run may take, whatever its host sends. */
const MOST_MEMORY_MIB = 400;
const MOST_EVIDENCE_MIB = 100;
/** Only against hangs: by then the process was ended. */
const HANGS_AFTER_MS = 900_000;

/** A sample has one in so many. */
export const ONE_IN = Number(process.env['TEST_ONE_IN'] ?? 4);

/** One test for each behaviour: the run ends with a verdict, within all bounds, and gives the credential to nobody. */
export function testSurvival(behaviours: readonly Behaviour[]): void {
  it.concurrent.each(behaviours.map((behaviour) => [behaviour.id, behaviour] as const))(
    'survives %s',
    async (_, behaviour) => {
      const { exitCode, memoryMiB, evidenceMiB, stdout, stderr, evidence, written } = await survive(behaviour);
      expect(behaviour.exitCodes ?? [1, 2, 3]).toContain(exitCode);
      expect(stdout).not.toMatch(/[1-9]\d* errors/u);
      expect(memoryMiB).toBeLessThanOrEqual(MOST_MEMORY_MIB);
      expect(evidenceMiB).toBeLessThanOrEqual(MOST_EVIDENCE_MIB);
      expect(stdout + stderr).not.toContain(CREDENTIAL);
      expect(evidence).not.toContain(CREDENTIAL);
      expect(written.filter((each) => each.includes(CREDENTIAL))).toEqual([]);
    },
    HANGS_AFTER_MS,
  );
}
