import { advertisedFailpoints, readDiscovery } from '../../src/contract/discovery.ts';
import { provableSemantics } from '../../src/contract/gates.ts';
import type { Json } from '../../src/evidence/types.ts';
import type { Witness } from '../../src/evidence/witness.ts';
import type { CrashLane, Cut, CutSet } from '../../src/host/crash.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { cutNeeds } from './crash-seams.ts';
import { createCells } from './cut-limits.ts';
import { cutsIn } from './cut-plan.ts';
import { type EmptyCell, type EmptyObservation, type EmptyPoints, judgeEmptyResults } from './empty-result-judge.ts';
import { namesEffect, stageOfName, windowOfStage } from './failpoint-names.ts';
import { CHARGE, ONCE } from './fixtures.ts';
import { faultIn } from './observation-shapes.ts';

/** What tools may answer that some languages take for nothing. */
const ANSWERS: Readonly<Record<CutSet, readonly Json[]>> = {
  few: [null],
  quick: [{}, null],
  full: [{}, null, '', false, 0, []],
};

/**
 * The passes after which the answer is recorded, by their names: all of them in a full run, else the first in each
 * window, or of a few the first and the last. All passes where no name tells where it lies.
 */
export function cutsOnceRecorded(passes: readonly Cut[], cuts: CutSet): readonly Cut[] {
  const hasEffects = passes.some(({ name }) => namesEffect(name));
  const telling = passes.flatMap((cut) => {
    const stage = passes.filter(({ name }) => name === cut.name).length === 1 ? stageOfName(cut.name) : undefined;
    const window = stage === undefined ? '1' : windowOfStage(stage, hasEffects);
    return window < '3' ? [] : [{ cut, window }];
  });
  if (telling.length === 0) return passes;
  const isFirst = ({ window }: (typeof telling)[number], index: number): boolean =>
    telling.findIndex((each) => each.window === window) === index;
  const firsts = telling.filter(isFirst);
  const chosen = { few: [...new Set([...firsts.slice(0, 1), ...firsts.slice(-1)])], quick: firsts, full: telling };
  return chosen[cuts].map(({ cut }) => cut);
}

interface Job {
  readonly answer: Json;
  readonly cut: Cut | null;
}

async function drive(probe: Probe): Promise<readonly EmptyObservation[]> {
  const { crash: bench, witness } = probe;
  if (bench === undefined || witness === undefined) return [];
  const advertised = advertisedFailpoints(readDiscovery(probe.discovery)).map((name) => ({ name, hit: 1 }));
  const driveOne = createCells(probe);
  const run = async (lane: CrashLane, { answer, cut }: Job): Promise<EmptyCell> => {
    const on = { lane, thorough: cut === null, witness: staging(witness, answer) };
    const cell = await driveOne({ cut, second: null }, on);
    return { type: 'empty-cell', answer, cell, exchanges: cell.exchanges };
  };
  const recorded: EmptyObservation[] = [];
  const jobs: Job[] = [];
  await bench.each(ANSWERS[bench.cuts], async (lane, answer) => {
    const uncut = await run(lane, { answer, cut: null });
    const { passed, stopped, notDriven } = uncut.cell;
    const passes = passed === null ? advertised : cutsIn(passed);
    const cuts = notDriven === null && stopped === 'ended' ? cutsOnceRecorded(passes, bench.cuts) : [];
    const points: EmptyPoints = { type: 'empty-points', answer, passes, cuts, exchanges: [] };
    recorded.push(points, uncut);
    jobs.push(...cuts.map((cut) => ({ answer, cut })));
  });
  await bench.each(jobs, async (lane, job) => void recorded.push(await run(lane, job)));
  return recorded;
}

/** A witness whose effect answers this value in every visit. */
function staging(witness: Witness, answer: Json): Witness {
  return {
    ...witness,
    visit() {
      const visit = witness.visit();
      visit.stageEffect(CHARGE.effect, answer);
      return visit;
    },
  };
}

/** Windows 3, 4 and 5 of provable-semantics §2 with answers that are easily taken for none. */
export const emptyResult = defineScenario<EmptyObservation>({
  id: 'once.empty-result',
  suite: 'at-most-once',
  title: 'A tool that answers something empty, and a death once that is recorded',
  gate: provableSemantics,
  needs: cutNeeds(ONCE),
  patience: (options) => (options.crash === 'full' ? 120 : 40),
  drive,
  faultIn,
  checks: [
    {
      id: 'once.committed.empty-result',
      title: 'A recorded result that is empty is injected, and the tool is not called again',
      judge: judgeEmptyResults,
    },
  ],
});
