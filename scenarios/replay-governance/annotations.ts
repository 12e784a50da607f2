import { randomUUID } from 'node:crypto';
import { readPart } from '../../src/contract/discovery.ts';
import { feedback } from '../../src/contract/gates.ts';
import { fail, isOutcome, notApplicable, pass, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { answeredWith, post } from '../../src/host/exchanged.ts';
import type { Probe } from '../../src/host/probe.ts';
import { interruptPath } from '../../src/protocol/paths.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startAsking } from '../shared/answering.ts';
import { cancelRun } from '../shared/cancel.ts';
import { bounds, named, shown } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { runOf } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { hasEnded } from '../shared/past-question.ts';
import { forkPoints, replays } from '../shared/replays.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import {
  isObserved,
  offersMode,
  readAgain,
  startFork,
  type ForkBody,
  type RunObservation,
} from '../shared/run-observation.ts';
import { allPass } from '../shared/settle.ts';
import {
  annotate,
  annotatedAt,
  type Annotating,
  holds,
  leftUnmade,
  leftUntold,
  listAnnotations,
  listedAt,
  listWith,
  readBefore,
  readLog,
  readPlainly,
  shownAnnotation,
} from './annotating.ts';
import { driveKept, judgeKept, unlessLost } from './annotations-kept.ts';
import { wrong } from './diagnoses.ts';
import { judgeLog } from './judge-annotated-log.ts';
import { needed, neededRun } from './needed.ts';

/** The runs of the scenario. */
export const ROLES = {
  source: 'source',
  early: 'replay made before',
  replay: 'replay',
  again: 'replay of the annotated replay',
  part: 'replay from the middle',
  branch: 'branch',
  ofFork: 'branch of the annotated replay',
} as const;

/** When annotations are made, and lists read: after that. */
export const MOMENTS = {
  source: 'the source was annotated',
  fork: 'the replay was annotated',
  again: 'the source was annotated again',
} as const;

/** Judges that forks of an annotated run have no annotations (replay.md, Annotations and fork). */
function judgeInherited(recorded: Recordings, roles: readonly string[]): Outcome {
  const source = needed(recorded, ROLES.source);
  if (isOutcome(source)) return source;
  const { made, control } = controlFor(recorded, { of: ROLES.source, when: MOMENTS.source });
  if (made === undefined) return control;
  const outcomes = roles.map((role): Outcome => {
    if (role === ROLES.branch && runOf(recorded, role) === undefined) {
      return notApplicable('the host does not offer the mode branch', []);
    }
    const when = role === ROLES.ofFork ? MOMENTS.fork : MOMENTS.source;
    const [fork, listed] = [neededRun(recorded, role), listedAt(recorded, role, when)];
    if (isOutcome(fork)) return fork;
    if (isOutcome(listed)) return listed;
    if (listed.list.length === 0) return pass([listed, fork]);
    const expected = `no annotations of ${named(fork)}`;
    const actual = `${listed.list.length}: ${shown(listed.list)}`;
    return fail({ expected, actual, diagnosis: wrong('annotations-inherited') }, [listed, fork, made]);
  });
  return allPass([...outcomes, control]);
}

/**
 * An annotation that was made, undefined where none was, and what its own run's list says of it: without that the silence of other lists
 * says nothing, and what they show is seen all the same.
 */
function controlFor(
  recorded: Recordings,
  of: Annotating,
): { readonly made: ReturnType<typeof annotatedAt>; readonly control: Outcome } {
  const made = annotatedAt(recorded, of.when);
  const control = shownAnnotation(recorded, of);
  if (isOutcome(control)) return { made: made?.problem === null ? made : undefined, control };
  return { made, control: pass([control.made, control.listed]) };
}

/** Judges that a run keeps its annotations where it is forked, and that what is annotated later stays with its own run. */
function judgeSeparate(recorded: Recordings): Outcome {
  const kept = judgeKept(recorded);
  if (kept?.kind === 'fail') return kept;
  const first = annotatedAt(recorded, MOMENTS.source);
  if (first !== undefined && first.problem !== null && first.exchanges.length > 0) return leftUnmade(first);
  const runs = needed(recorded, ROLES.source, ROLES.early, ROLES.replay);
  if (isOutcome(runs)) return runs;
  const ofReplay = seenOf(recorded, ROLES.again);
  const turns = [
    { of: ROLES.replay, when: MOMENTS.fork, others: [ROLES.source, ROLES.early, ...ofReplay] },
    { of: ROLES.source, when: MOMENTS.again, others: [ROLES.replay, ROLES.early] },
  ];
  const outcomes = turns.flatMap(({ of, when, others }): readonly Outcome[] => {
    const { made, control } = controlFor(recorded, { of, when });
    if (made === undefined) return [control];
    const elsewhere = others.map((role): Outcome => {
      const listed = listedAt(recorded, role, when);
      if (isOutcome(listed)) return listed;
      // A fork of a fork begins with nothing, of whichever run before it.
      const isInherited = role === ROLES.again;
      const found = isInherited ? listed.list[0] : listed.list.find((each) => holds(each, made));
      if (found === undefined) return pass([listed]);
      const expected = isInherited
        ? `no annotations of the ${role}`
        : `what was annotated at the ${of} does not show at the ${role}`;
      const diagnosis = wrong(isInherited ? 'annotations-inherited' : 'annotations-mixed');
      const restsOn = isInherited ? 'annotation.not-inherited.replay' : undefined;
      return fail({ expected, actual: shown(found), diagnosis, restsOn }, [listed, made]);
    });
    return [control.kind === 'pass' ? (leftUntold(recorded, { of, when }) ?? control) : control, ...elsewhere];
  });
  return allPass(kept === undefined ? outcomes : [...outcomes, kept]);
}

/** The roles of runs that need not be there, as far as they were seen. */
function seenOf(recorded: Recordings, ...roles: readonly string[]): readonly string[] {
  return roles.filter((role) => runOf(recorded, role)?.problem === null);
}

/** Forks whose logs are read beside those of the annotated replay and the earlier one. */
function readBeside(recorded: Recordings): readonly string[] {
  const read = new Set(ofType<ReadingObservation>(recorded, 'reading').map(({ run }) => run));
  return seenOf(recorded, ROLES.part, ROLES.branch, ROLES.again, ROLES.ofFork).filter((role) => read.has(role));
}

/** The logs of forks pass only where the annotations that are not in them were really made. */
const MADE = [
  { of: ROLES.source, when: MOMENTS.source },
  { of: ROLES.replay, when: MOMENTS.fork },
];

/** Whether the host offers branches, or says nothing of forks and may make them all the same. */
function mayBranch({ discovery }: Probe): boolean {
  return readPart(discovery, 'replay') === undefined || offersMode(discovery, 'branch');
}

async function driveForks(probe: Probe): Promise<readonly Observation[]> {
  const source = await startPublic(probe, ROLES.source);
  const forkAs = (role: string, body: ForkBody, headers = {}) => startFork(probe, source, body, { role, headers });
  const early = await forkAs(ROLES.early, { mode: 'replay' });
  const annotated = await annotate(probe, source, MOMENTS.source);
  const observations: Observation[] = [source, early, annotated];
  if (annotated.problem !== null) return observations;
  const list = async (run: RunObservation, when: string): Promise<void> => {
    observations.push(await listAnnotations(probe, run, when));
  };
  observations.push(await listWith(probe, source, MOMENTS.source, [annotated]));
  const fromSeq = forkPoints(source, [], 2)[0] ?? 0;
  const replay = await forkAs(ROLES.replay, { mode: 'replay' });
  const keyed = { 'idempotency-key': randomUUID() };
  const forks = [replay, await forkAs(ROLES.part, { mode: 'replay', fromSeq }, keyed)];
  const branch = mayBranch(probe) ? await forkAs(ROLES.branch, { mode: 'branch', fromSeq }) : undefined;
  if (branch !== undefined && (branch.runId !== null || branch.fork?.advertised === true)) forks.push(branch);
  await list(early, MOMENTS.source);
  for (const fork of forks) {
    observations.push(fork);
    await list(fork, MOMENTS.source);
  }
  observations.push(...(await readBefore(probe, replay)));
  // A fork is annotated, then the source once more: each of them has its own list.
  for (const [run, when] of [[replay, MOMENTS.fork] as const, [source, MOMENTS.again] as const]) {
    const made = await annotate(probe, run, when);
    observations.push(made, await listWith(probe, run, when, [made]));
    for (const each of [replay, source, early].filter((other) => other !== run)) await list(each, when);
  }
  const ofReplay = [await startFork(probe, replay, { mode: 'replay' }, { role: ROLES.again })];
  if (branch?.problem === null) {
    const body = { mode: 'branch', fromSeq: bounds(replay).first } as const;
    ofReplay.push(await startFork(probe, replay, body, { role: ROLES.ofFork }));
  }
  for (const each of ofReplay) {
    observations.push(each);
    await list(each, MOMENTS.fork);
  }
  observations.push(...(await readLog(probe, replay)), ...(await readLog(probe, early)));
  for (const each of [...forks.slice(1), ...ofReplay]) observations.push(...(await readPlainly(probe, each)));
  return [...observations, ...(await driveKept(probe))];
}

/** replay.md, Annotations and fork: a fork starts without any, and keeps its own. */
export const annotationForks = defineScenario({
  suite: 'replay-governance',
  id: 'annotation.forks',
  title: 'A fork starts with no annotations',
  gate: feedback,
  needs: [replays],
  drive: driveForks,
  checks: [
    {
      id: 'annotation.not-inherited.replay',
      title: 'A replay of an annotated run has no annotations',
      judge: unlessLost((recorded) => judgeInherited(recorded, [ROLES.early, ROLES.replay, ROLES.part])),
    },
    {
      id: 'annotation.not-inherited.branch',
      title: 'A branch of an annotated run has no annotations',
      judge: unlessLost((recorded) => judgeInherited(recorded, [ROLES.branch, ...seenOf(recorded, ROLES.ofFork)])),
    },
    {
      id: 'annotation.not-inherited.separate',
      title: 'A run keeps its annotations when it is forked, and later ones stay with the run that they were made for',
      judge: judgeSeparate,
    },
    {
      id: 'annotation.not-an-event.fork',
      title: 'The log of a fork holds no run.annotated, of its source or of its own',
      judge: unlessLost((recorded) =>
        judgeLog(recorded, {
          roles: [ROLES.replay, ROLES.early, ...readBeside(recorded)],
          moments: [MOMENTS.source, MOMENTS.fork],
          controls: MADE.filter(({ when }) => annotatedAt(recorded, when)?.problem === null),
        }),
      ),
    },
  ],
});

const ROLE = 'run';
const DURING = 'the run was annotated while it waited';
const AFTER = 'the run was annotated after its end';

async function driveLog(probe: Probe): Promise<readonly Observation[]> {
  const { candidate, run: waiting } = await startAsking(probe, ROLE);
  if (!isObserved(waiting)) return annotateEnded(probe, await startPublic(probe, ROLE));
  if (hasEnded(waiting)) return annotateEnded(probe, waiting);
  const during = await annotate(probe, waiting, DURING);
  const answered = await post(probe.host, interruptPath(waiting.runId, candidate.nodeId), {
    resumeValue: candidate.goesOn,
  });
  // Whether a host takes answers is for the rows about these to say.
  if (!isSuccess(answeredWith(answered))) {
    await cancelRun(probe, waiting.runId);
    return annotateEnded(probe, await startPublic(probe, ROLE));
  }
  return [during, ...(await annotateEnded(probe, await readAgain(probe, waiting, { role: ROLE })))];
}

async function annotateEnded(probe: Probe, run: RunObservation): Promise<readonly Observation[]> {
  const before = await readBefore(probe, run);
  const after = await annotate(probe, run, AFTER);
  return [run, ...before, after, await listWith(probe, run, AFTER, [after]), ...(await readLog(probe, run))];
}

/** replay.md, Annotations and fork: a live notification at most, never an event of the log. */
export const annotationLog = defineScenario({
  suite: 'replay-governance',
  id: 'annotation.log',
  title: 'run.annotated is never in a persisted or replayed log',
  gate: feedback,
  drive: driveLog,
  checks: [
    {
      id: 'annotation.not-an-event.log',
      title: 'A run that is annotated while it waits and after its end has no run.annotated in its log',
      judge: (recorded) =>
        judgeLog(recorded, { roles: [ROLE], moments: [DURING, AFTER], controls: [{ of: ROLE, when: AFTER }] }),
    },
  ],
});
