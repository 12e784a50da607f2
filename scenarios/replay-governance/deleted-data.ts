import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { makeCanary } from './canary.ts';
import {
  AFTER,
  BEFORE,
  controlOf,
  DELETE,
  judgeCanonicalError,
  judgeReExposed,
  judgeRefused,
  PATH,
  seeDeletion,
  type ToolCallsObservation,
} from './judge-deleted.ts';
import { createListener } from './listen.ts';
import { GOVERNANCE } from './observation-shapes.ts';
import { readEverything } from './read-everything.ts';
import { askSeam, gatingSeam } from './seam.ts';

const FIXTURE = 'conformance-determinism-personal-data';
const TOOL = 'personal';

/** A fork to make, by the sequence numbers of its source. */
interface Wanted {
  readonly role: string;
  readonly body: ForkBody;
}

/**
 * Runs the fixture, makes each fork once, deletes what the tool answered, and makes the forks again. By then the tool
 * answers something else, so that the deleted text can come from nowhere but the host's records.
 */
async function driveDeletion(
  probe: Probe,
  wanted: (sequences: readonly number[]) => readonly Wanted[],
): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const canary = makeCanary();
  const listener = createListener({ canaries: [canary], marker: canary.text });
  visit.stageEffect(TOOL, { text: canary.text });
  const request = { workflowId: FIXTURE, inputs: { witnessUrl: visit.url } };
  const source = await startRun(probe, request, { role: 'source', handle: listener.as(BEFORE, probe.host) });
  const { runId } = source;
  if (runId === null || source.problem !== null) return [source];
  const forks = wanted(eventsOf(source).map(({ sequence }) => sequence));
  const controls: RunObservation[] = [];
  for (const { role, body } of forks) controls.push(await startFork(probe, source, body, { role: controlOf(role) }));
  const deleted = await askSeam(probe, DELETE, { runId, path: PATH });
  const before = [source, listener.heard(BEFORE), ...controls, deleted];
  if (deleted.problem !== null) return before;
  await readEverything(listener.as(AFTER, probe.host), runId, []);
  visit.stageEffect(TOOL, { text: 'another answer' });
  const again: Observation[] = [];
  for (const { role, body } of forks) {
    const host = listener.as(role, probe.host);
    const called = visit.calls().length;
    const { requested, run } = await requestFork({ ...probe, host }, { ...source, runId }, body, role);
    if (run.runId !== null) await readEverything(host, run.runId, [runId]);
    const calls: ToolCallsObservation = {
      type: 'tool-calls',
      role,
      before: called,
      after: visit.calls().length,
      exchanges: requested.exchanges,
    };
    again.push(requested, run, listener.heard(role), calls);
  }
  return [...before, listener.heard(AFTER), ...again];
}

const ROW = 'privacy.deleted-data';
const NEEDS: readonly Need[] = [gatingSeam(DELETE), { kind: 'witness' }, { kind: 'fixture', workflowId: FIXTURE }];
const [FULL, LATE] = ['replay', 'replay from the last event'] as const;
const [BRANCH_LATE, BRANCH_MIDDLE] = ['branch from the last event', 'branch from the middle'] as const;

/** replay.md, Privacy: replays of a run from which data was deleted. */
export const deletedData = defineScenario({
  ...GOVERNANCE,
  id: ROW,
  title: 'A replay that needs deleted data fails and brings nothing of it back',
  needs: [replays, ...NEEDS],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: FULL, body: { mode: 'replay' } },
      { role: LATE, body: { mode: 'replay', fromSeq: sequences.at(-1) ?? 0 } },
    ]),
  see: seeDeletion,
  checks: [
    {
      id: ROW,
      title: 'A replay that needs deleted data is refused, or fails',
      judge: (seen) => judgeRefused(seen, FULL),
    },
    {
      id: `${ROW}.canonical-error`,
      title: 'The refusal carries the error envelope, or the failed run an error code',
      judge: (seen) => judgeCanonicalError(seen, FULL),
    },
    {
      id: `${ROW}.re-exposed`,
      title: 'Neither a replay nor its refusal shows what was deleted',
      judge: (seen) => judgeReExposed(seen, [FULL, LATE]),
    },
  ],
});

/** Branches may go on, from a redacted projection. */
export const deletedBranch = defineScenario({
  ...GOVERNANCE,
  id: `${ROW}.branch`,
  title: 'A branch of a run from which data was deleted brings nothing of it back',
  needs: [branches, ...NEEDS],
  patience: () => 60,
  drive: (probe) =>
    driveDeletion(probe, (sequences) => [
      { role: BRANCH_LATE, body: { mode: 'branch', fromSeq: sequences.at(-1) ?? 0 } },
      { role: BRANCH_MIDDLE, body: { mode: 'branch', fromSeq: sequences[Math.floor(sequences.length / 2)] ?? 0 } },
    ]),
  see: seeDeletion,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'A branch is refused, or goes on without showing what was deleted',
      judge: (seen) => judgeReExposed(seen, [BRANCH_LATE, BRANCH_MIDDLE]),
    },
  ],
});
