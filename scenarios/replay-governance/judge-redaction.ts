import type { Judgement } from '../../src/contract/verdict.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { undecided } from '../shared/judging.ts';
import { heardOf, type Heard, type HeardObservation, type Shown, type Surface } from './listen.ts';
import type { Recordings } from './row.ts';
import type { PlantedObservation } from './secret-places.ts';

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

/** Surfaces that show the same of every run; the others show what the request was about. */
const LIKE_FOR_LIKE: ReadonlySet<Surface> = new Set([
  'snapshot',
  'log',
  'log in debug mode',
  'poll',
  'stream',
  'stream in another mode',
]);

/**
 * Judges that a fork shows no secret that its source does not show in the same place (replay.md, Privacy: the same
 * redaction rules). What the source itself shows is no failure of the fork.
 */
export function judgeRedaction(observations: Recordings, looking: Looking): Judgement {
  const { check } = looking;
  const found = gather(observations, looking);
  if ('verdict' in found) return found;
  const { planted, source, fork, forkRole } = found;
  const leak = fork.answers.flatMap((answer) => newIn(answer, source)).at(0);
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
  const forkMissing = unseen(check, [forkRun]);
  if (forkMissing !== undefined || forkRun === undefined) return forkMissing ?? undecided(check, 'no fork', []);
  const heard = heardOf(observations, spans === true ? spansOf(role) : role);
  const own = heardOf(observations, 'source');
  if (heard === undefined || own === undefined) return undecided(check, 'nothing was read of the runs', [forkRun]);
  const sourceSpans = spans === true ? heardOf(observations, spansOf('source')) : undefined;
  if (spans === true && (heard.answers.length === 0 || (sourceSpans?.answers.length ?? 0) === 0)) {
    return undecided(check, 'no span openwop.run came of the source, or of its fork', [forkRun]);
  }
  if (!own.answers.some(({ marker }) => marker)) {
    return undecided(check, 'the host shows nothing at all of what the tool answered', [own]);
  }
  const isLookedAt = ({ surface }: Heard): boolean => surfaces === undefined || surfaces.includes(surface);
  const answers = heard.answers.filter(isLookedAt);
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

interface Leak {
  readonly answer: Heard;
  readonly shown: Shown;
}

/** What an answer of a fork shows and the source hides. */
function newIn(answer: Heard, source: Gathered['source']): readonly Leak[] {
  const alike = source.answers.filter(({ surface }) => surface === answer.surface);
  const baseline = LIKE_FOR_LIKE.has(answer.surface) && alike.length > 0 ? alike : source.answers;
  const known = shownIn(baseline);
  return answer.shows.filter(({ canary }) => !known.has(canary)).map((shown) => ({ answer, shown }));
}

function shownIn(answers: readonly Heard[]): ReadonlySet<number> {
  return new Set(answers.flatMap(({ shows }) => shows.map(({ canary }) => canary)));
}

function placeOf({ places }: PlantedObservation, { canary }: Shown): string {
  return places.find((each) => each.canary === canary)?.place ?? 'unknown place';
}

/** A source that hides nothing gives no measure; one that hides some of it does, for what it hides. */
function withoutLeak(check: string, { planted, source }: Gathered, evidence: readonly string[]): Judgement {
  const known = shownIn(source.answers);
  const arrived = planted.places.filter((place) => place.arrived);
  const open = arrived.filter(({ canary }) => known.has(canary));
  if (open.length === arrived.length) {
    const reason = `the host redacts none of the planted places, so there is no rule to hold a fork to: ${listed(open)}`;
    return { check, verdict: 'inconclusive', reason, evidence };
  }
  const notes = [
    ...(open.length === 0 ? [] : [`the source itself shows: ${listed(open)}`]),
    ...(arrived.length === planted.places.length
      ? []
      : [`never arrived: ${listed(planted.places.filter((place) => !place.arrived))}`]),
  ];
  return { check, verdict: 'pass', ...(notes.length === 0 ? {} : { reason: notes.join('. ') }), evidence };
}

function listed(places: PlantedObservation['places']): string {
  return places.map(({ place }) => place).join('; ');
}
