import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { undecided } from '../shared/judging.ts';
import { heardOf, type Heard, type HeardObservation, type Shown, type Surface } from './listen.ts';
import { notSeen } from './not-seen.ts';
import { newIn, redacts, shownIn } from './redaction-rules.ts';
import type { Recordings } from './row.ts';
import type { Place, PlantedObservation } from './secret-places.ts';

/** What one check looks at. */
export interface Looking {
  readonly check: string;
  /** The role of the fork's run. */
  readonly fork: string;
  /** Where it is looked, all surfaces where nothing is said. */
  readonly surfaces?: readonly Surface[];
  /** Whether the spans of both are looked at, and nothing else. */
  readonly spans?: true;
}

/**
 * Judges that a fork shows no secret that its source does not show in the same place (replay.md, Privacy: the same
 * redaction rules). What the source itself shows is no failure of the fork.
 */
export function judgeRedaction(observations: Recordings, looking: Looking): Judgement {
  const { check } = looking;
  const found = gather(observations, looking);
  if ('verdict' in found) return found;
  const { planted, source, fork, forkRole } = found;
  const leak = fork.answers.flatMap((answer) => newIn(answer, source.answers)).at(0);
  const evidence = [fork.id, ...source.ids, planted.id];
  if (leak !== undefined) {
    const place = placeOf(planted, leak.shown);
    const { surface, request } = leak.answer;
    return {
      check,
      verdict: 'fail',
      expected: `secret ${leak.shown.canary} (${place}) is not in this ${surface}: the source does not show it there`,
      actual: `${request} shows it (${leak.shown.spelling}) in the ${surface} of ${forkRole}`,
      diagnosis: { code: 'shown-by-fork', message: 'the fork shows a secret that its source redacts' },
      evidence,
    };
  }
  return withoutLeak(check, found, evidence);
}

interface Gathered {
  readonly planted: Recorded<PlantedObservation>;
  readonly source: { readonly ids: readonly string[]; readonly answers: readonly Heard[] };
  readonly fork: Recorded<HeardObservation>;
  readonly forkRole: string;
}

function gather(observations: Recordings, { check, fork: role, surfaces, spans }: Looking): Gathered | Judgement {
  const [sourceRun, forkRun] = [runOf(observations, 'source'), runOf(observations, role)];
  const missing = unseen(check, [sourceRun]);
  if (missing !== undefined) return missing;
  const planted = observations.find((each): each is Recorded<PlantedObservation> => each.type === 'planted');
  if (planted === undefined || !planted.places.some(({ arrived }) => arrived)) {
    const why = 'no secret arrived anywhere: the host has to call the witness (--witness-url)';
    return undecided(check, why, planted === undefined ? [] : [planted]);
  }
  const heard = heardOf(observations, spans === true ? spansOf(role) : role);
  const own = heardOf(observations, 'source');
  const isLookedAt = ({ surface }: Heard): boolean => surfaces === undefined || surfaces.includes(surface);
  const answers = heard?.answers.filter(isLookedAt) ?? [];
  const forkMissing = notSeen(check, [forkRun]);
  // Also a refusal may show what it should not.
  const isTelling = own !== undefined && answers.some((answer) => newIn(answer, own.answers).length > 0);
  if (forkRun === undefined || (forkMissing !== undefined && !isTelling)) {
    return forkMissing ?? undecided(check, 'no fork', []);
  }
  if (heard === undefined || own === undefined) return undecided(check, 'nothing was read of the runs', [forkRun]);
  const sourceSpans = spans === true ? heardOf(observations, spansOf('source')) : undefined;
  if (spans === true && (heard.answers.length === 0 || (sourceSpans?.answers.length ?? 0) === 0)) {
    return undecided(check, 'no span openwop.run came of the source, or of its fork', [forkRun]);
  }
  if (!own.answers.some(({ marker }) => marker)) {
    return undecided(check, 'the host shows nothing at all of what the tool answered', [own]);
  }
  if (answers.length === 0) {
    const judgement = undecided(check, `nothing was read there of ${named(forkRun)}`, [forkRun]);
    return own.answers.some(isLookedAt) ? judgement : { ...judgement, verdict: 'not-applicable' };
  }
  const source = [own, ...(sourceSpans === undefined ? [] : [sourceSpans])];
  return {
    planted,
    source: { ids: source.map(({ id }) => id), answers: source.flatMap((each) => each.answers) },
    fork: { ...heard, answers },
    forkRole: named(forkRun),
  };
}

/** The role under which spans are heard. */
export function spansOf(role: string): string {
  return `spans of the ${role}`;
}

/** A source that redacts nothing there gives no measure; one that hides some of it does, for what it hides. */
function withoutLeak(check: string, { planted, source, fork }: Gathered, evidence: readonly string[]): Judgement {
  const arrived = planted.places.filter((place) => place.arrived);
  const shown = arrived.flatMap((place) => whereShown(place, source.answers));
  const looked = [...new Set(fork.answers.map(({ surface }) => surface))];
  const isHeld = looked.some((surface) =>
    arrived.some((place) => redacts({ place, surface, source: source.answers, fork: fork.answers })),
  );
  if (!isHeld) {
    const reason = `the source redacts none of the planted places as far as they show in the ${looked.join(', ')}, so there is no rule to hold a fork to; it shows: ${shown.join('; ')}`;
    return { check, verdict: 'inconclusive', reason, evidence };
  }
  const missing = planted.places.filter((place) => !place.arrived).map(({ place }) => place);
  const notes = [
    ...(shown.length === 0 ? [] : [`the source itself shows: ${shown.join('; ')}`]),
    ...(missing.length === 0 ? [] : [`never arrived: ${missing.join('; ')}`]),
  ];
  return { check, verdict: 'pass', ...(notes.length === 0 ? {} : { reason: notes.join('. ') }), evidence };
}

function whereShown({ canary, place }: Place, answers: readonly Heard[]): readonly string[] {
  const surfaces = answers.filter((answer) => shownIn([answer]).has(canary)).map(({ surface }) => surface);
  return surfaces.length === 0 ? [] : [`${place} (${[...new Set(surfaces)].join(', ')})`];
}

function placeOf({ places }: PlantedObservation, { canary }: Shown): string {
  return places.find((each) => each.canary === canary)?.place ?? 'unknown place';
}
