import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { failing, passing, runsOf, type SeenRun, undecided } from '../shared/judging.ts';
import { nodeOf } from '../shared/node-of.ts';
import { replayOf, replays, startUntilOther } from '../shared/replays.ts';
import { type RunObservation, startRun } from '../shared/run-observation.ts';
import { compareValues, showsOthers, shownValues, type Watched } from '../shared/shown-values.ts';
import { type DebugObservation, debugOfSilent, debugReadings } from './debug-reading.ts';
import { falseAlarm } from './judge-quiet.ts';

const CLOCK = 'conformance-determinism-clock';
const WALL_CLOCK = 'conformance-determinism-wall-clock';
const WATCHED: Watched = { variables: ['time', 'laterTime'], nodes: ['clock', 'clock-again'] };

const DIVERGING = 'replay of the wall clock';

const recorded = 'replay.logical-clock';
const quiet = 'replay.no-false-divergence.clock';

type ClockObservation = RunObservation | DebugObservation;

async function drive(probe: Probe): Promise<readonly ClockObservation[]> {
  const source = await startRun(probe, { workflowId: CLOCK, inputs: {} }, { role: 'source' });
  const fresh = await startUntilOther(probe, { workflowId: CLOCK, inputs: {} }, (run) =>
    showsOthers(source, run, WATCHED),
  );
  const again = eventsOf(source).find((event) => event.type === 'node.started' && nodeOf(event) === 'clock-again');
  const points = again === undefined ? [undefined] : [undefined, again.sequence];
  const seen = [source, fresh];
  for (const fromSeq of points) seen.push(await replayOf(probe, source, fromSeq));
  const wall = await startRun(probe, { workflowId: WALL_CLOCK, inputs: {} }, { role: 'wall clock' });
  const diverging = await replayOf(probe, wall, undefined, { role: DIVERGING });
  return [...seen, wall, diverging, ...(await debugOfSilent(probe, diverging))];
}

function judgeClock(runs: readonly SeenRun[]): Judgement {
  const [source, fresh] = [runOf(runs, 'source'), runOf(runs, 'fresh run')];
  const replayed = replaysOf(runs);
  const missing = unseen(recorded, [source, fresh, ...replayed]);
  if (missing !== undefined || source === undefined || fresh === undefined) return missing ?? unseenRun(recorded);
  if (shownValues(source, WATCHED).size === 0) {
    return undecided(recorded, `the run shows no time: ${CLOCK} writes it into the variables time and laterTime`, [
      source,
    ]);
  }
  for (const replay of replayed) {
    const compared = compareValues(source, replay, WATCHED);
    if (compared.kind === 'nothing') return undecided(recorded, `${named(replay)} shows no time`, [replay, source]);
    if (compared.kind === 'same') continue;
    const message = 'a replay reads the clock again (replay.md, Determinism 4)';
    return failing(recorded, { ...compared.mismatch, diagnosis: { code: 'clock-leak', message } }, [replay, source]);
  }
  if (replayed.length === 0) return unseenRun(recorded);
  if (!showsOthers(source, fresh, WATCHED)) {
    return undecided(recorded, 'a fresh run shows the same times: this clock does not move', [source, fresh]);
  }
  return passing(recorded, [...replayed, source, fresh]);
}

function unseenRun(check: string): Judgement {
  return undecided(check, 'a run was not driven', []);
}

function replaysOf(runs: readonly SeenRun[]): readonly SeenRun[] {
  return runs.filter(({ fork, role }) => fork !== null && role !== DIVERGING);
}

/** replay.md, Determinism 4. */
export const clock = defineJudgedScenario<ClockObservation>({
  id: 'replay.clock',
  suite: 'replay-determinism',
  title: "Time that was read through the engine's clock",
  checks: [
    {
      id: recorded,
      requirement: recorded,
      title: "Time read through the engine's clock replays as recorded",
    },
    {
      id: quiet,
      requirement: 'replay.no-false-divergence',
      title: "A replay with recorded times raises no divergence, where reading the machine's clock does",
    },
  ],
  gate: always,
  needs: [replays, { kind: 'fixture', workflowId: CLOCK }],
  exclusive: [],
  drive,
  judge: (observations, { volatile }) => {
    const runs = runsOf(observations);
    const twin = {
      source: runOf(runs, 'wall clock'),
      replay: runOf(runs, DIVERGING),
      shown: debugReadings(observations, DIVERGING),
      volatile,
    };
    const pairs = replaysOf(runs).map((replay) => ({ source: runOf(runs, 'source'), replay }));
    return [judgeClock(runs), falseAlarm(quiet, pairs, twin)];
  },
});
