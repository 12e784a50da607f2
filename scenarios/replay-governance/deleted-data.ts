import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { eventsPath } from '../../src/protocol/paths.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Need } from '../../src/runner/scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { requestsOf } from '../shared/requested.ts';
import { branches, replays } from '../shared/replays.ts';
import { requestFork } from '../shared/requested-fork.ts';
import { isObserved, startFork, startRun, type ForkBody, type RunObservation } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { makePlainCanary } from './canary.ts';
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
import { createListener, type Heard, type HeardObservation } from './listen.ts';
import { readEverything } from './read-everything.ts';
import { askSeam, gatingSeam } from './seam.ts';

const FIXTURE = 'conformance-determinism-personal-data';
const TOOL = 'personal';

/** The forks to make, by their roles and by the sequence numbers of their source. */
type Wanted = Readonly<Record<string, (sequences: readonly number[]) => ForkBody>>;

/** The last to be made: before the deletion a replay of the first, after it one of that; its own source may keep what it was given. */
const AGAIN = 'replay of an earlier replay';

/**
 * Runs the fixture, makes each fork once, deletes what the tool answered, and makes the forks again. By then the tool
 * answers something else, so that the deleted text can come from nowhere but the host's records.
 */
async function driveDeletion(probe: Probe, wanted: Wanted): Promise<readonly Observation[]> {
  const visit = probe.witness?.visit();
  if (visit === undefined) return [];
  const canary = makePlainCanary();
  const listener = createListener({ canaries: [canary], marker: canary.text });
  visit.stageEffect(TOOL, { text: canary.text });
  const request = { workflowId: FIXTURE, inputs: { witnessUrl: visit.url } };
  const source = await startRun(probe, request, { role: 'source', handle: listener.as(BEFORE, probe.host) });
  if (!isObserved(source)) return [source];
  const own = { type: 'tool-calls', role: BEFORE, before: 0, after: visit.calls().length, exchanges: [] } as const;
  const { runId } = source;
  const sequences = eventsOf(source).map(({ sequence }) => sequence);
  const forks = Object.entries(wanted).map(([role, bodyFor]) => ({ role, body: bodyFor(sequences) }));
  const controls: RunObservation[] = [];
  for (const { role, body } of forks) {
    const [of = source] = role === AGAIN ? controls : [];
    controls.push(await startFork(probe, of, body, { role: controlOf(role) }));
  }
  const deleted = await askSeam(probe, DELETE, { runId, path: PATH });
  const before = [source, own, listener.heard(BEFORE), ...controls, deleted];
  if (deleted.problem !== null) return before;
  await readEverything(listener.as(AFTER, probe.host), runId, []);
  visit.stageEffect(TOOL, { text: 'another answer' });
  const again: Observation[] = [];
  for (const { role, body } of forks) {
    const of: RunObservation | undefined = role === AGAIN ? controls.at(-1) : source;
    if (of === undefined || !isObserved(of) || (of !== source && endOf(eventsOf(of)) !== 'completed')) continue;
    const host = listener.as(role, probe.host);
    const called = visit.calls().length;
    const { requested, run } = await requestFork({ ...probe, host }, of, body, role);
    if (run.runId !== null) await readEverything(host, run.runId, [runId]);
    const calls = { type: 'tool-calls', role, before: called, after: visit.calls().length } as const;
    const fetched: ToolCallsObservation = { ...calls, exchanges: requested.exchanges };
    const all = listener.heard(role);
    // A refused fork has the log of its source read: what that kept is its own.
    const isMeant = ({ request: asked }: Heard): boolean =>
      of === source || !asked.startsWith(`GET ${eventsPath(of.runId)}`);
    const heard: HeardObservation = { ...all, answers: all.answers.filter(isMeant) };
    again.push(requested, run, heard, fetched);
  }
  return [...before, listener.heard(AFTER), ...again];
}

const ROW = 'privacy.deleted-data';
const NEEDS: readonly Need[] = [gatingSeam(DELETE), { kind: 'witness' }, { kind: 'fixture', workflowId: FIXTURE }];
const SHARED = { suite: 'replay-governance', patience: () => 60, see: seeDeletion };

/** Replays that need what the tool answered. */
const [FULL, FROM_FIRST, FROM_SECOND] = [
  'replay',
  'replay from the first event',
  'replay from the second event',
] as const;
const NEEDING = [FULL, FROM_FIRST, FROM_SECOND];
const REPLAYS: Wanted = {
  [FULL]: () => ({ mode: 'replay' }),
  [FROM_FIRST]: (sequences) => ({ mode: 'replay', fromSeq: sequences[0] ?? 0 }),
  [FROM_SECOND]: (sequences) => ({ mode: 'replay', fromSeq: sequences[1] ?? 0 }),
  'replay from the last event': (sequences) => ({ mode: 'replay', fromSeq: sequences.at(-1) ?? 0 }),
  [AGAIN]: () => ({ mode: 'replay' }),
};
const BRANCHES: Wanted = {
  'branch from the last event': (sequences) => ({ mode: 'branch', fromSeq: sequences.at(-1) ?? 0 }),
  'branch from the middle': (sequences) => ({
    mode: 'branch',
    fromSeq: sequences[Math.floor(sequences.length / 2)] ?? 0,
  }),
};

/** replay.md, Privacy: replays of a run from which data was deleted. */
export const deletedData = defineScenario({
  ...SHARED,
  id: ROW,
  title: 'A replay that needs deleted data fails and brings nothing of it back',
  needs: [replays, ...NEEDS],
  drive: (probe) => driveDeletion(probe, REPLAYS),
  checks: [
    {
      id: ROW,
      title: 'A replay that needs deleted data is refused, or fails',
      judge: (recorded) => settle(NEEDING.map((role) => judgeRefused(recorded, role))),
    },
    {
      id: `${ROW}.canonical-error`,
      title: 'The refusal carries the error envelope, or the failed run an error code',
      judge: (recorded) => settle(NEEDING.map((role) => judgeCanonicalError(recorded, role))),
    },
    {
      id: `${ROW}.re-exposed`,
      title: 'Neither a replay nor its refusal shows what was deleted',
      judge: (recorded) => {
        const isAsked = requestsOf(recorded, 'fork').some(({ name }) => name === AGAIN);
        return judgeReExposed(
          recorded,
          Object.keys(REPLAYS).filter((role) => isAsked || role !== AGAIN),
        );
      },
    },
  ],
});

/** Branches may go on, from a redacted projection. */
export const deletedBranch = defineScenario({
  ...SHARED,
  id: `${ROW}.branch`,
  title: 'A branch of a run from which data was deleted brings nothing of it back',
  needs: [branches, ...NEEDS],
  drive: (probe) => driveDeletion(probe, BRANCHES),
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'A branch is refused, or goes on without showing what was deleted',
      judge: (recorded) => judgeReExposed(recorded, Object.keys(BRANCHES)),
    },
  ],
});
