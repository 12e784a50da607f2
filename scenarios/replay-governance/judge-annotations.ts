import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named, shown } from '../shared/compare-runs.ts';
import { runOf } from '../shared/judge-run.ts';
import { failing, passing, undecided } from '../shared/judging.ts';
import { annotatedAt, holds, listedAt, type AnnotatedObservation, type AnnotationsObservation } from './annotating.ts';
import { notSeen } from './not-seen.ts';

/** The runs of the scenario. */
export const ROLES = {
  source: 'source',
  early: 'replay made before',
  replay: 'replay',
  part: 'replay from the middle',
  branch: 'branch',
} as const;

/** When annotations are made, and lists read: after that. */
export const MOMENTS = {
  source: 'the source was annotated',
  fork: 'the replay was annotated',
  again: 'the source was annotated again',
} as const;

type Recordings = readonly Recorded<Observation>[];
type Listed = Recorded<AnnotationsObservation> & { readonly list: NonNullable<AnnotationsObservation['list']> };
type Made = Recorded<AnnotatedObservation>;

/** What proves nothing yet, told as the judgement that is left. */
interface Left {
  readonly left: Judgement;
}

/** An annotation that was made and that the run's own list shows, or the judgement that is left. */
export function shownAnnotation(
  observations: Recordings,
  { check, of, when }: { readonly check: string; readonly of: string; readonly when: string },
): { readonly made: Made; readonly listed: Listed } | Left {
  const [made, listed] = [annotatedAt(observations, when), listedAt(observations, of, when)];
  const problem = made === undefined ? 'no run was annotated' : (made.problem ?? listed?.problem ?? null);
  const seen = [made, listed].filter((each) => each !== undefined);
  const list = listed?.list ?? null;
  if (made === undefined || listed === undefined || list === null || problem !== null) {
    return { left: undecided(check, problem ?? 'the annotations were not read', seen) };
  }
  if (list.length === 0) {
    const reason = `GET of the annotations of the ${of} does not show the one that POST took`;
    return { left: undecided(check, reason, seen) };
  }
  return { made, listed: { ...listed, list } };
}

const INHERITED = { code: 'annotations-inherited', message: 'a fork shows annotations that nobody made for it' };

/** Judges that forks of an annotated run have no annotations (replay.md, Annotations and fork). */
export function judgeInherited(observations: Recordings, check: string, roles: readonly string[]): Judgement {
  const source = runOf(observations, ROLES.source);
  const sourceUnseen = notSeen(check, [source]);
  if (sourceUnseen !== undefined) return sourceUnseen;
  const twin = shownAnnotation(observations, { check, of: ROLES.source, when: MOMENTS.source });
  if ('left' in twin) return twin.left;
  const evidence: { readonly id: string }[] = [];
  const open: Judgement[] = [];
  for (const role of roles) {
    const [fork, listed] = [runOf(observations, role), listedAt(observations, role, MOMENTS.source)];
    if (fork === undefined && role === ROLES.branch) {
      return { check, verdict: 'not-applicable', reason: 'the host does not offer the mode branch', evidence: [] };
    }
    const left = notSeen(check, [fork]);
    if (left !== undefined) open.push(left);
    if (fork === undefined || left !== undefined) continue;
    const list = listed?.list ?? null;
    if (listed === undefined || list === null) {
      open.push(undecided(check, listed?.problem ?? 'the annotations of a fork were not read', [fork]));
      continue;
    }
    if (list.length > 0) {
      const expected = `no annotations of ${named(fork)}`;
      const actual = `${list.length}: ${shown(list)}`;
      return failing(check, { expected, actual, diagnosis: INHERITED }, [listed, fork, twin.made]);
    }
    evidence.push(listed, fork);
  }
  return open[0] ?? passing(check, [...evidence, twin.made, twin.listed]);
}

const MIXED = { code: 'annotations-mixed', message: 'an annotation shows at a run that it was not made for' };

/** Judges that what is annotated later stays with its own run. */
export function judgeSeparate(observations: Recordings, check: string): Judgement {
  const runs = [ROLES.source, ROLES.early, ROLES.replay].map((role) => runOf(observations, role));
  const left = notSeen(check, runs);
  if (left !== undefined) return left;
  const turns = [
    { of: ROLES.replay, when: MOMENTS.fork, others: [ROLES.source, ROLES.early] },
    { of: ROLES.source, when: MOMENTS.again, others: [ROLES.replay, ROLES.early] },
  ];
  const evidence: { readonly id: string }[] = [];
  let open: Judgement | undefined;
  for (const { of, when, others } of turns) {
    const twin = shownAnnotation(observations, { check, of, when });
    if ('left' in twin) {
      open ??= twin.left;
      continue;
    }
    evidence.push(twin.made, twin.listed);
    for (const role of others) {
      const listed = listedAt(observations, role, when);
      const list = listed?.list ?? null;
      if (listed === undefined || list === null) {
        open ??= undecided(check, listed?.problem ?? `the annotations of the ${role} were not read`, []);
        continue;
      }
      evidence.push(listed);
      const found = list.find((each) => holds(each, twin.made));
      if (found === undefined) continue;
      const expected = `what was annotated at the ${of} does not show at the ${role}`;
      return failing(check, { expected, actual: shown(found), diagnosis: MIXED }, [listed, twin.made]);
    }
  }
  return open ?? passing(check, evidence);
}
