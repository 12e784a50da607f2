import {
  fail,
  isOutcome,
  notApplicable,
  pass,
  undecided,
  undecidedUntil,
  type Outcome,
} from '../../src/contract/outcome.ts';
import { notVisited } from '../../src/contract/remedy.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { need, runOf, leftUndriven } from '../shared/need.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { openOf } from '../shared/settle.ts';
import { wrong } from './diagnoses.ts';
import { ALIKE, heardOf, type Heard, type HeardObservation, type Shown, type Surface } from './listen.ts';
import { neededRun } from './needed.ts';
import { INPUT, type Place, type PlantedObservation } from './secret-places.ts';
import { alone } from '../shared/causes.ts';

/** What an answer of a fork shows and its source hides. */
interface Leak {
  readonly answer: Heard;
  readonly shown: Shown;
}

/** What a fork is held to. */
interface Measure {
  /** All answers about the source. */
  readonly source: readonly Heard[];
  /** Whether readings of the source show that the host redacts. */
  readonly isRedacting: boolean;
  /** Answers about the source that are held to its readings, too: comparisons with it, and what is said to whoever would fork it. */
  readonly held: readonly Heard[];
}

function measureOf({ places }: PlantedObservation, source: readonly Heard[], { surfaces }: Looking): Measure {
  const readings = source.filter(isReading);
  const isRedacting = places.some((place) => place.arrived && isRedacted(place, readings));
  const isHeld = (each: Heard): boolean => surfaces?.includes(each.surface) === true && isAboutForks(each);
  return { source, isRedacting, held: isRedacting ? source.filter(isHeld) : [] };
}

/** What an answer shows and the source hides: in the same place, where that shows the same of every run. */
function newIn(answer: Heard, measure: Measure): readonly Leak[] {
  const known = shownIn(alike(answer.surface, measure.source) ?? excusing(answer, measure));
  return answer.shows.filter(({ canary }) => !known.has(canary)).map((shown) => ({ answer, shown }));
}

/**
 * Answers about the source that may show what an answer of its own kind shows. Where the source redacts as it is read, what it shows in
 * one kind of answer excuses no other.
 */
function excusing({ surface }: Heard, { source, isRedacting, held }: Measure): readonly Heard[] {
  if (!isRedacting) return source;
  return source.filter((each) => isReading(each) || (each.surface === surface && !held.includes(each)));
}

/** Whether an answer is a comparison, or one to a request for a fork: it says nothing of how the run itself is shown. */
export function isAboutForks({ surface, request }: Heard): boolean {
  return surface === 'diff' || request.endsWith(':fork');
}

/** Whether an answer shows the run itself. */
export function isReading({ surface }: Heard): boolean {
  return ALIKE.some((each) => each === surface);
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
function redacts({ place, surface, source, fork }: Held): boolean {
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
function shownIn(answers: readonly Heard[]): ReadonlySet<number> {
  return new Set(answers.flatMap(({ shows }) => shows.map(({ canary }) => canary)));
}

/** What one check looks at. */
export interface Looking {
  /** The role of the fork's run. */
  readonly fork: string;
  /** Where it is looked, all surfaces where nothing is said. */
  readonly surfaces?: readonly Surface[];
  /** Whether the spans of both are looked at, and nothing else. */
  readonly spans?: boolean;
}

/**
 * Judges that a fork shows no secret that its source does not show in the same place (replay.md, Privacy: the same
 * redaction rules). What the source itself shows is no failure of the fork. Comparisons with the source and
 * answers to whoever would fork it are held to its readings where they are looked at.
 */
export function judgeRedaction(recorded: Recordings, looking: Looking): Outcome {
  const found = gather(recorded, looking);
  if (isOutcome(found)) return found;
  const { planted, measure, fork, forkRole } = found;
  const [own] = measure.held.flatMap((answer) => newIn(answer, measure));
  if (own !== undefined) {
    const { request, surface } = own.answer;
    const where = surface === 'diff' ? 'comparison' : 'answer to a request for a fork';
    const expected = `secret ${own.shown.canary} (${placeOf(planted, own.shown)}) is in no ${where}: no reading of the source shows it`;
    return fail(
      { diagnosis: alone(wrong('shown-by-fork')), expected, actual: `${request} shows it (${own.shown.spelling})` },
      found.evidence,
    );
  }
  const leak = fork.answers.flatMap((answer) => newIn(answer, measure)).at(0);
  if (leak === undefined) return withoutLeak(found);
  const { surface, request } = leak.answer;
  return fail(
    {
      expected: `secret ${leak.shown.canary} (${placeOf(planted, leak.shown)}) is not in this ${surface}: the source does not show it there`,
      actual: `${request} shows it (${leak.shown.spelling}) in the ${surface} of ${forkRole}`,
      diagnosis: wrong('shown-by-fork'),
    },
    found.evidence,
  );
}

/** The same of a fork, and of others where they were made and showed something: that they do is for other rows to say. */
export function judgeForks(
  recorded: Recordings,
  [first, ...others]: readonly [string, ...string[]],
  more: Omit<Looking, 'fork'> = {},
): Outcome {
  const isShown = (role: string): boolean => {
    const heard = heardOf(recorded, more.spans === true ? spansOf(role) : role);
    return (runOf(recorded, role)?.runId ?? null) !== null && (heard?.answers.length ?? 0) > 0;
  };
  const judge = (fork: string): Outcome => judgeRedaction(recorded, { ...more, fork });
  const own = judge(first);
  return openOf([own, ...others.filter(isShown).map(judge)]) ?? own;
}

interface Gathered {
  readonly planted: Recorded<PlantedObservation>;
  readonly measure: Measure;
  readonly fork: Recorded<HeardObservation>;
  readonly forkRole: string;
  readonly evidence: readonly { readonly id: string }[];
}

function gather(recorded: Recordings, looking: Looking): Gathered | Outcome {
  const { fork: role, surfaces, spans = false } = looking;
  const sources = need(recorded, 'source');
  if (isOutcome(sources)) return sources;
  const [planted] = ofType<PlantedObservation>(recorded, 'planted');
  if (planted === undefined || !planted.places.some(({ arrived }) => arrived)) {
    if (planted?.places.some(({ place }) => place === INPUT) === true) {
      const why = `the source does not hide its ${INPUT}, or shows nothing beside it, so there is no rule to hold a fork to`;
      return undecidedUntil('seed conformance-determinism-secrets, let the host call the witness', why, [planted]);
    }
    const why = notVisited('no secret arrived anywhere: the host did not call the witness');
    return undecided(why, planted === undefined ? [] : [planted]);
  }
  const [own, heard] = [heardOf(recorded, 'source'), heardOf(recorded, spans ? spansOf(role) : role)];
  const isLookedAt = ({ surface }: Heard): boolean => surfaces === undefined || surfaces.includes(surface);
  const answers = heard?.answers.filter(isLookedAt) ?? [];
  // A refusal may show what it should not, too.
  const told = own === undefined ? undefined : measureOf(planted, own.answers, looking);
  const isTelling = told !== undefined && answers.some((answer) => newIn(answer, told).length > 0);
  const fork = isTelling ? runOf(recorded, role) : neededRun(recorded, role);
  if (fork === undefined) return leftUndriven(role);
  if (isOutcome(fork)) return fork;
  if (heard === undefined || own === undefined) return undecided('nothing was read of the runs', [fork]);
  const ownSpans = spans ? heardOf(recorded, spansOf('source')) : undefined;
  if (spans && (heard.answers.length === 0 || (ownSpans?.answers.length ?? 0) === 0)) {
    return undecidedUntil(
      'export one for each run, with openwop.run_id',
      'no span openwop.run came of the source, or of its fork',
      [fork],
    );
  }
  if (!own.answers.some(({ marker }) => marker)) {
    return undecidedUntil(
      "record a tool's result, redacted, in the log or the snapshot",
      'the host shows nothing at all of what the tool answered',
      [own],
    );
  }
  if (answers.length === 0) {
    const left = own.answers.some(isLookedAt) ? undecided : notApplicable;
    return left(`nothing was read there of ${named(fork)}`, [fork]);
  }
  const source = ownSpans === undefined ? [own] : [own, ownSpans];
  return {
    planted,
    measure: measureOf(
      planted,
      source.flatMap((each) => each.answers),
      looking,
    ),
    fork: { ...heard, answers },
    forkRole: named(fork),
    evidence: [heard, ...source, planted],
  };
}

/** The role under which spans are heard. */
export function spansOf(role: string): string {
  return `spans of the ${role}`;
}

/** A source that redacts nothing there gives no measure; one that hides some of it does, for what it hides. */
function withoutLeak({ planted, measure: { source }, fork, evidence }: Gathered): Outcome {
  const arrived = planted.places.filter((place) => place.arrived);
  const shown = arrived.flatMap((place) => whereShown(place, source));
  const looked = [...new Set(fork.answers.map(({ surface }) => surface))];
  const isHeld = looked.some((surface) =>
    arrived.some((place) => redacts({ place, surface, source, fork: fork.answers })),
  );
  if (!isHeld) {
    const reason = `the source redacts none of the planted places as far as they show in the ${looked.join(', ')}, so there is no rule to hold a fork to; it shows: ${shown.join('; ')}`;
    return undecided(reason, evidence);
  }
  const missing = planted.places.filter((place) => !place.arrived).map(({ place }) => place);
  const notes = [
    ...(shown.length === 0 ? [] : [`the source itself shows: ${shown.join('; ')}`]),
    ...(missing.length === 0 ? [] : [`never arrived: ${missing.join('; ')}`]),
  ];
  return pass(evidence, notes.length === 0 ? undefined : notes.join('. '));
}

function whereShown({ canary, place }: Place, answers: readonly Heard[]): readonly string[] {
  const surfaces = answers.filter((answer) => shownIn([answer]).has(canary)).map(({ surface }) => surface);
  return surfaces.length === 0 ? [] : [`${place} (${[...new Set(surfaces)].join(', ')})`];
}

function placeOf({ places }: PlantedObservation, { canary }: Shown): string {
  return places.find((each) => each.canary === canary)?.place ?? 'unknown place';
}
