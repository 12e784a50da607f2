import { feedback } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { startPublic } from '../shared/first-run.ts';
import { forkPoints, replays } from '../shared/replays.ts';
import { offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { readBefore, readLog } from './annotated-log.ts';
import { annotate, annotatedAt, listAnnotations } from './annotating.ts';
import { beforeOf, judgeLog } from './judge-annotated-log.ts';
import { judgeInherited, judgeSeparate, MOMENTS, ROLES, shownAnnotation } from './judge-annotations.ts';

const inherited = 'annotation.not-inherited';
const onReplay = `${inherited}.replay`;
const onBranch = `${inherited}.branch`;
const separate = `${inherited}.separate`;
const inForkLog = 'annotation.not-an-event.fork';

async function drive(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, ROLES.source);
  const early = await startFork(probe, source, { mode: 'replay' }, { role: ROLES.early });
  const annotated = await annotate(probe, source, MOMENTS.source);
  const seen: Observation[] = [source, early, annotated];
  if (annotated.problem !== null) return seen;
  seen.push(await listAnnotations(probe, source, MOMENTS.source));
  const forks = await forkAll(probe, source);
  for (const fork of [early, ...forks]) {
    if (fork !== early) seen.push(fork);
    seen.push(await listAnnotations(probe, fork, MOMENTS.source));
  }
  return [...seen, ...(await driveSeparate(probe, source, { early, later: forks[0] }))];
}

async function forkAll(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  const middle = forkPoints(source, [], 2)[0] ?? 0;
  const forks = [
    await startFork(probe, source, { mode: 'replay' }, { role: ROLES.replay }),
    await startFork(probe, source, { mode: 'replay', fromSeq: middle }, { role: ROLES.part }),
  ];
  if (!offersMode(probe.discovery, 'branch')) return forks;
  return [...forks, await startFork(probe, source, { mode: 'branch', fromSeq: middle }, { role: ROLES.branch })];
}

interface Forks {
  readonly early: RunObservation;
  readonly later: RunObservation | undefined;
}

/** A fork is annotated, then the source once more: each of them has its own list. */
async function driveSeparate(
  probe: Probe,
  source: RunObservation,
  { early, later }: Forks,
): Promise<readonly Observation[]> {
  if (later === undefined) return [];
  const before = await readBefore(probe, later, beforeOf(later.role));
  const onFork = await annotate(probe, later, MOMENTS.fork);
  const lists = [
    await listAnnotations(probe, later, MOMENTS.fork),
    await listAnnotations(probe, source, MOMENTS.fork),
    await listAnnotations(probe, early, MOMENTS.fork),
  ];
  const again = await annotate(probe, source, MOMENTS.again);
  const more = [
    await listAnnotations(probe, later, MOMENTS.again),
    await listAnnotations(probe, early, MOMENTS.again),
    await listAnnotations(probe, source, MOMENTS.again),
  ];
  return [
    ...before,
    onFork,
    ...lists,
    again,
    ...more,
    ...(await readLog(probe, later)),
    ...(await readLog(probe, early)),
  ];
}

/** The logs of forks pass only where the annotations that are not in them were really made. */
function judgeForkLogs(observations: readonly Recorded<Observation>[]): Judgement {
  const judged = judgeLog(observations, {
    check: inForkLog,
    roles: [ROLES.replay, ROLES.early],
    moments: [MOMENTS.source, MOMENTS.fork],
  });
  if (judged.verdict !== 'pass') return judged;
  const twins = [
    { of: ROLES.source, when: MOMENTS.source },
    { of: ROLES.replay, when: MOMENTS.fork },
  ].filter(({ when }) => annotatedAt(observations, when)?.problem === null);
  const left = twins
    .map((twin) => shownAnnotation(observations, { check: inForkLog, ...twin }))
    .find((twin) => 'left' in twin);
  return left === undefined ? judged : left.left;
}

/** replay.md, Annotations and fork: a fork starts without any, and keeps its own. */
export const annotationForks = defineJudgedScenario<Observation>({
  id: 'annotation.forks',
  suite: 'replay-governance',
  title: 'A fork starts with no annotations',
  checks: [
    { id: onReplay, requirement: inherited, title: 'A replay of an annotated run has no annotations' },
    { id: onBranch, requirement: inherited, title: 'A branch of an annotated run has no annotations' },
    { id: separate, requirement: inherited, title: 'Annotations made later stay with the run that they were made for' },
    {
      id: inForkLog,
      requirement: 'annotation.not-an-event',
      title: 'The log of a fork holds no run.annotated, of its source or of its own',
    },
  ],
  gate: feedback,
  needs: [replays],
  exclusive: [],
  drive,
  judge: (observations) => [
    judgeInherited(observations, onReplay, [ROLES.early, ROLES.replay, ROLES.part]),
    judgeInherited(observations, onBranch, [ROLES.branch]),
    judgeSeparate(observations, separate),
    judgeForkLogs(observations),
  ],
});
