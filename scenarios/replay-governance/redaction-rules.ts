import { ALIKE, type Heard, type Shown, type Surface } from './listen.ts';
import type { Place } from './secret-places.ts';

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
  if (shownIn(on(surface, fork)).has(canary)) return false;
  return source.some((each) => isRedacted(place, on(each.surface, source)));
}

/** Whether one surface shows what stands beside a secret, and not the secret. */
function isRedacted({ canary, beside }: Place, answers: readonly Heard[]): boolean {
  return beside && answers.some(({ marker }) => marker) && !shownIn(answers).has(canary);
}

/** The source's answers on a surface that shows the same of every run; undefined where there are none. */
function alike(surface: Surface, source: readonly Heard[]): readonly Heard[] | undefined {
  if (!ALIKE.some((each) => each === surface)) return undefined;
  const answers = on(surface, source);
  return answers.length === 0 ? undefined : answers;
}

function on(surface: Surface, answers: readonly Heard[]): readonly Heard[] {
  return answers.filter((each) => each.surface === surface);
}

/** The numbers of the secrets that answers show. */
export function shownIn(answers: readonly Heard[]): ReadonlySet<number> {
  return new Set(answers.flatMap(({ shows }) => shows.map(({ canary }) => canary)));
}
