import type { Heard, Shown, Surface } from './listen.ts';
import type { Place } from './secret-places.ts';

/** Surfaces that show the same of every run; the others show what the request was about. */
const LIKE_FOR_LIKE: ReadonlySet<Surface> = new Set([
  'snapshot',
  'log',
  'log in debug mode',
  'poll',
  'stream',
  'stream in another mode',
]);

/** What an answer of a fork shows and its source hides. */
interface Leak {
  readonly answer: Heard;
  readonly shown: Shown;
}

/** What an answer of a fork shows and the source hides: in the same place, where that shows the same of every run. */
export function newIn(answer: Heard, source: readonly Heard[]): readonly Leak[] {
  const known = shownIn(alike(answer.surface, source) ?? source);
  return answer.shows.filter(({ canary }) => !known.has(canary)).map((shown) => ({ answer, shown }));
}

interface Held {
  readonly place: Place;
  readonly surface: Surface;
  readonly source: readonly Heard[];
  readonly fork: readonly Heard[];
}

/**
 * Whether the source redacts a secret on a surface, so that a fork can be held to it. A secret that it shows elsewhere is
 * redacted only where what stands beside it is shown: another surface may just not show that part of the run. On surfaces
 * of their own kind that hold nothing of the fork's secret, it is enough that the source redacts it somewhere.
 */
export function redacts({ place, surface, source, fork }: Held): boolean {
  const { canary } = place;
  if (!shownIn(source).has(canary)) return true;
  const same = alike(surface, source);
  if (same !== undefined) return isRedacted(place, same);
  if (shownIn(fork.filter((each) => each.surface === surface)).has(canary)) return false;
  const surfaces = new Set(source.map((each) => each.surface));
  return [...surfaces].some((each) =>
    isRedacted(
      place,
      source.filter((answer) => answer.surface === each),
    ),
  );
}

/** Whether one surface shows what stands beside a secret, and not the secret. */
function isRedacted({ canary, beside }: Place, answers: readonly Heard[]): boolean {
  return beside && answers.some(({ marker }) => marker) && !shownIn(answers).has(canary);
}

/** The source's answers on a surface that shows the same of every run; undefined where there are none. */
function alike(surface: Surface, source: readonly Heard[]): readonly Heard[] | undefined {
  if (!LIKE_FOR_LIKE.has(surface)) return undefined;
  const answers = source.filter((each) => each.surface === surface);
  return answers.length === 0 ? undefined : answers;
}

/** The numbers of the secrets that answers show. */
export function shownIn(answers: readonly Heard[]): ReadonlySet<number> {
  return new Set(answers.flatMap(({ shows }) => shows.map(({ canary }) => canary)));
}
