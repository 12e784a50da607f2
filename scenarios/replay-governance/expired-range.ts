import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { readOver } from '../shared/reading.ts';
import { branches, replays } from '../shared/replays.ts';
import { accepted, namedRun, type RequestedObservation, sendRequest } from '../shared/requested.ts';
import {
  type ForkBody,
  forkRequest,
  offersMode,
  readAgain,
  replayBody,
  type RunObservation,
  startFork,
} from '../shared/run-observation.ts';
import {
  afterwards,
  BOUNDARY,
  BRANCH_THERE,
  type CutObservation,
  EXPIRE,
  judgeDetails,
  judgeExpired,
  judgeExpiredEnvelope,
  judgeState,
  LEFT,
  REPLAY_THERE,
  seeExpired,
  WITH_STATE,
} from './judge-expired.ts';
import { askSeam, gatingSeam } from './seam.ts';

/** One fork of the run before and after its first part has gone. */
type Wanted = Pick<RequestedObservation, 'row' | 'name'> & { readonly body: ForkBody };

async function drive(
  probe: Probe,
  forksAt: (cut: CutObservation) => readonly Wanted[],
): Promise<readonly Observation[]> {
  const { run: source } = await startFirst(probe, [WITH_STATE, ...PUBLIC_FIXTURES], 'source');
  const cut = cutOf(source);
  const { runId } = source;
  if (cut === undefined || runId === null) return [source];
  const forks = forksAt(cut);
  const controls: RunObservation[] = [];
  const wanted: Wanted[] = [];
  for (const each of forks) {
    const control = await startFork(probe, source, each.body, { role: each.name });
    controls.push(control);
    wanted.push(each.body.mode === 'replay' ? { ...each, body: replayBody(control) } : each);
  }
  const expired = await askSeam(probe, EXPIRE, { runId, beforeSeq: cut.boundary });
  if (expired.problem !== null) return [source, cut, ...controls, expired];
  const left = await readOver(probe, ['json', 'poll', 'sse'], { run: LEFT, runId, how: 'start' });
  const answers: (RequestedObservation | RunObservation)[] = [];
  for (const { row, name, body } of wanted) {
    const requested = await sendRequest(probe.host, forkPath(runId), { row, name, body: forkRequest(body) });
    const control = controls.find(({ role }) => role === name);
    const made = row === BOUNDARY && accepted(requested) ? namedRun(requested) : undefined;
    answers.push(requested);
    if (control !== undefined && made !== undefined) {
      answers.push(
        await readAgain(probe, { ...control, runId: made, exchanges: requested.exchanges }, { role: afterwards(name) }),
      );
    }
  }
  return [source, cut, ...controls, expired, ...(left === undefined ? [] : [left]), ...answers];
}

/** In the middle of the log, with at least one event on either side. */
function cutOf(source: RunObservation): CutObservation | undefined {
  const numbers = eventsOf(source).map(({ sequence }) => sequence);
  const middle = Math.floor(numbers.length / 2);
  const [first, below, boundary] = [numbers[0], numbers[middle - 1], numbers[middle]];
  if (source.problem !== null || first === undefined || below === undefined || boundary === undefined) return undefined;
  return { type: 'cut', first, below, boundary, exchanges: source.exchanges };
}

const ROW = 'retention.expired-range';

/** replay.md, Retention: forks in the mode replay. */
export const expiredRange = defineScenario({
  suite: 'replay-governance',
  id: ROW,
  title: 'A run whose first events have expired is not replayed from among them',
  needs: [replays, gatingSeam(EXPIRE)],
  drive: (probe) =>
    drive(probe, ({ first, below, boundary }) => [
      { row: BOUNDARY, name: REPLAY_THERE, body: { mode: 'replay', fromSeq: boundary } },
      ...(offersMode(probe.discovery, 'branch')
        ? [{ row: BOUNDARY, name: BRANCH_THERE, body: { mode: 'branch', fromSeq: boundary } } as const]
        : []),
      { row: 'below', name: 'replay from just below the boundary', body: { mode: 'replay', fromSeq: below } },
      { row: 'start', name: 'replay without fromSeq', body: { mode: 'replay' } },
      { row: 'start', name: 'replay from the first event', body: { mode: 'replay', fromSeq: first } },
    ]),
  see: seeExpired,
  checks: [
    {
      id: ROW,
      title: 'A replay from below the retention boundary is refused with 410 or 422',
      judge: (recorded) => judgeExpired(recorded, 'below'),
    },
    {
      id: `${ROW}.default`,
      title: 'So is a replay from the beginning, named or by default',
      judge: (recorded) => judgeExpired(recorded, 'start'),
    },
    {
      id: `${ROW}.state`,
      title:
        'A replay or branch from the boundary, where it is made, goes on from the state that the expired events gave',
      judge: judgeState,
    },
    {
      id: `${ROW}.envelope`,
      title: 'The refusals carry {error, message, details?} and nothing else',
      judge: judgeExpiredEnvelope,
    },
    {
      id: `${ROW}.details`,
      title: 'Their details name the source, the fork point and the retention boundary',
      judge: judgeDetails,
    },
  ],
});

/** The same for branches, which need the history below their fork point. */
export const expiredBranch = defineScenario({
  suite: 'replay-governance',
  id: `${ROW}.branch`,
  title: 'A run whose first events have expired is not branched from among them',
  needs: [branches, gatingSeam(EXPIRE)],
  drive: (probe) =>
    drive(probe, ({ below }) => [
      { row: 'branch', name: 'branch from just below the boundary', body: { mode: 'branch', fromSeq: below } },
    ]),
  see: seeExpired,
  checks: [
    {
      id: `${ROW}.branch`,
      title: 'A branch from below the retention boundary is refused with 410 or 422, in the error envelope',
      judge: (recorded) => {
        const refused = judgeExpired(recorded, 'branch');
        return refused.kind === 'pass' ? judgeExpiredEnvelope(recorded) : refused;
      },
    },
  ],
});
