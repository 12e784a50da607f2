import { isOutcome, type Outcome, rests, undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { branches } from '../shared/replays.ts';
import { isObserved, startFork } from '../shared/run-observation.ts';
import { allPass, failureOf } from '../shared/settle.ts';
import { OUTCOME, PUBLIC, seeded } from './fixtures.ts';
import { type AllRecorded, readHandoff } from './handoff-run.ts';
import { judgeHarvest } from './judge-harvest.ts';
import { judgeLinks } from './judge-links.ts';
import { judgeMapping } from './judge-mapping.ts';
import { judgePayloads } from './judge-payloads.ts';
import { OWNERS } from './owners.ts';
import { judgePath } from './path.ts';
import { COMMON, startWhole, withChildren, withHiddenEvents } from './suite.ts';

const [SOURCE, BRANCH] = ['source', 'branch'] as const;

/** A run that hands off, and a branch from its second event, with the children that this one names. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startWhole(probe, PUBLIC[0], SOURCE);
  const fromSeq = eventsOf(source)[1]?.sequence;
  if (!isObserved(source) || fromSeq === undefined) return [source];
  const branch = await startFork(probe, source, { mode: 'branch', fromSeq }, { role: BRANCH });
  return [source, ...(await withChildren(probe, await withHiddenEvents(probe, branch)))];
}

/** Rfc-0037 §B of a branch, which executes what stands behind its fork point as any run does (replay.md, Two modes). */
function judgeBranched(recorded: AllRecorded): Outcome {
  const source = readHandoff(recorded, SOURCE);
  if (isOutcome(source)) return source;
  const branch = readHandoff(recorded, BRANCH);
  if (isOutcome(branch)) return branch;
  const { run, chain } = branch;
  const first = [...source.chain.decisions, ...source.chain.transitions].map(({ event }) => event.sequence);
  if (Math.min(...first) < (run.fork?.fromSeq ?? 0)) {
    return undecided(`${named(run)} begins within the handoff of its source`, [run, source.run]);
  }
  if (!chain.decisions.some(({ kind }) => kind === 'next-worker')) {
    return rests(OWNERS.loop, undecided(`no decision of ${named(run)} names a worker`, [run, source.run]));
  }
  if (chain.end !== 'completed') return undecided(`${named(run)} ended ${chain.end ?? 'without an event'}`, [run]);
  // Where the documents leave open whether a value shows in time, or no payload says anything, the rows about plain runs say so.
  const payloads = judgePayloads(branch, { [OUTCOME.mappedTo]: OUTCOME.variable });
  const other = failureOf([judgeMapping(branch, OUTCOME), payloads]);
  return allPass([judgePath(branch, 1), judgeLinks(branch, 1), judgeHarvest(branch), ...(other ? [other] : [])]);
}

/** A branch that hands off. */
export const branched = defineScenario({
  ...COMMON,
  id: 'handoff.branch',
  title: 'A branch from before a handoff',
  needs: [branches, ...seeded(...PUBLIC)],
  drive,
  checks: [
    {
      id: 'handoff.happy-path.branch',
      title:
        'A branch from before a handoff hands off as its source did, each transition told rightly, in order, and harvested',
      judge: judgeBranched,
    },
  ],
});
