import type { Witness, WitnessVisit } from '../../src/evidence/witness.ts';
import type { CrashBench, CrashLane } from '../../src/host/crash.ts';

/** A witness each of whose visits is prepared before a run calls it. */
export function prepared(witness: Witness, prepare: (visit: WitnessVisit) => void): Witness {
  return {
    ...witness,
    visit() {
      const visit = witness.visit();
      prepare(visit);
      return visit;
    },
  };
}

/** How runs of one kind are driven: one that is not cut, which gives the others, and each of these. */
interface Driven<Kind, Job> {
  readonly uncut: (lane: CrashLane, kind: Kind) => Promise<readonly Job[]>;
  readonly cut: (lane: CrashLane, job: Job) => Promise<void>;
}

/** Drives the runs of every kind that are not cut, then those that are, on whatever lane is free. */
export async function eachThenCuts<Kind, Job>(
  bench: CrashBench,
  kinds: readonly Kind[],
  { uncut, cut }: Driven<Kind, Job>,
): Promise<void> {
  const jobs: Job[] = [];
  await bench.each(kinds, async (lane, kind) => void jobs.push(...(await uncut(lane, kind))));
  await bench.each(jobs, cut);
}
