import { feedback } from '../../src/contract/gates.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startPublic } from '../shared/first-run.ts';
import { forkPoints, replays } from '../shared/replays.ts';
import { offersMode, startFork, type RunObservation } from '../shared/run-observation.ts';
import { annotate, annotatedAt, listAnnotations, readBefore, readLog } from './annotating.ts';
import { judgeLog } from './judge-annotated-log.ts';
import { judgeInherited, judgeSeparate, MOMENTS, ROLES } from './judge-annotations.ts';
import { GOVERNANCE } from './observation-shapes.ts';

/** The logs of forks pass only where the annotations that are not in them were really made. */
const CONTROLS = [
  { of: ROLES.source, when: MOMENTS.source },
  { of: ROLES.replay, when: MOMENTS.fork },
];

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

/** A fork is annotated, then the source once more: each of them has its own list. */
async function driveSeparate(
  probe: Probe,
  source: RunObservation,
  { early, later }: { readonly early: RunObservation; readonly later: RunObservation | undefined },
): Promise<readonly Observation[]> {
  if (later === undefined) return [];
  const seen: Observation[] = [...(await readBefore(probe, later))];
  const turns = [
    { of: later, when: MOMENTS.fork, listed: [later, source, early] },
    { of: source, when: MOMENTS.again, listed: [later, early, source] },
  ];
  for (const { of, when, listed } of turns) {
    seen.push(await annotate(probe, of, when));
    for (const run of listed) seen.push(await listAnnotations(probe, run, when));
  }
  return [...seen, ...(await readLog(probe, later)), ...(await readLog(probe, early))];
}

/** replay.md, Annotations and fork: a fork starts without any, and keeps its own. */
export const annotationForks = defineScenario({
  ...GOVERNANCE,
  id: 'annotation.forks',
  title: 'A fork starts with no annotations',
  gate: feedback,
  needs: [replays],
  drive,
  checks: [
    {
      id: 'annotation.not-inherited.replay',
      title: 'A replay of an annotated run has no annotations',
      judge: (recorded) => judgeInherited(recorded, [ROLES.early, ROLES.replay, ROLES.part]),
    },
    {
      id: 'annotation.not-inherited.branch',
      title: 'A branch of an annotated run has no annotations',
      judge: (recorded) => judgeInherited(recorded, [ROLES.branch]),
    },
    {
      id: 'annotation.not-inherited.separate',
      title: 'Annotations made later stay with the run that they were made for',
      judge: judgeSeparate,
    },
    {
      id: 'annotation.not-an-event.fork',
      title: 'The log of a fork holds no run.annotated, of its source or of its own',
      judge: (recorded) =>
        judgeLog(recorded, {
          roles: [ROLES.replay, ROLES.early],
          moments: [MOMENTS.source, MOMENTS.fork],
          controls: CONTROLS.filter(({ when }) => annotatedAt(recorded, when)?.problem === null),
        }),
    },
  ],
});
