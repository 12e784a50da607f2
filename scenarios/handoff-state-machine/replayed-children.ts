import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { isUnknown } from '../shared/first-run.ts';
import { replayOf, replays } from '../shared/replays.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { sweptBesideRows } from '../shared/swept-runs.ts';
import { childrenIn, readChain } from './chain.ts';
import { readChild } from './child-run.ts';
import { driveHandoff, withHiddenEvents } from './drive.ts';
import { GIVEN, HANDOFF } from './fixtures.ts';
import { judgeReplayedChildren, replayRole, sourceRole } from './judge-replayed-children.ts';
import { COMMON } from './suite.ts';
import { readTransition } from './transition.ts';

/** Children of one replay that are read, at most. */
const CHILDREN = 3;

/** Each workflow whose child is given something; where the host has none of them, the public one that gives nothing. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const driven = await Promise.all(GIVEN.map(({ workflowId }) => driveReplays(probe, workflowId)));
  const known = driven.filter(([source]) => source !== undefined && !isUnknown(source as RunObservation));
  return known.length === 0 ? driveReplays(probe, HANDOFF) : known.flat();
}

/** A handoff, a replay of all of it, and one from where it is history. */
async function driveReplays(probe: Probe, workflowId: string): Promise<readonly Observation[]> {
  const [run, ...children] = await driveHandoff(probe, workflowId, sourceRole(workflowId));
  if (run?.type !== 'run' || run.problem !== null) return run === undefined ? [] : [run];
  const source = run;
  const own = new Set(childrenIn(readChain(source)));
  const later = behindHandoff(source);
  const replayed = await Promise.all(
    [undefined, ...(later === undefined ? [] : [later])].map(async (fromSeq) => {
      const role = replayRole(workflowId, fromSeq);
      const replay = await withHiddenEvents(probe, await replayOf(probe, source, fromSeq, { role }));
      const ids = childrenIn(readChain(replay)).filter((id) => !own.has(id));
      return [replay, ...(await Promise.all(ids.slice(0, CHILDREN).map((id) => readChild(probe, id, replay))))];
    }),
  );
  return [source, ...children, ...replayed.flat()];
}

/** The number of the event behind the node that handed over; undefined where the log does not show that it ended. */
function behindHandoff(source: RunObservation): number | undefined {
  const events = eventsOf(source).toSorted((a, b) => a.sequence - b.sequence);
  const last = events.findLastIndex((event) => readTransition(event) !== undefined);
  const end = events.findIndex(({ type }, index) => index > last && type === 'node.completed');
  return last === -1 || end === -1 ? undefined : events[end + 1]?.sequence;
}

/** A replay of a run that hands over: what it dispatches, and what it gives. */
export const replayedChildren = defineScenario({
  ...COMMON,
  id: 'replay.no-second-child',
  title: 'A handoff is replayed with the children and the inputs of its source',
  needs: [replays],
  foundation: true,
  drive,
  checks: [
    {
      id: 'replay.no-second-child',
      title: 'A replay dispatches no more children than its source, and gives each what it was given there',
      judge: (recorded, { everything }) => judgeReplayedChildren(recorded, sweptBesideRows(everything)),
    },
  ],
});
