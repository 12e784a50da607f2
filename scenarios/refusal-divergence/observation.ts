import { rests, undecided, type Evidence, type Outcome, type Undecided } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { typeOf } from '../../src/host/log/shown.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { addedToSource, lostSource, type Change } from '../shared/lost-source.ts';
import { runOf, type RecordedRun } from '../shared/need.ts';
import { SOURCE_TWICE, type Twice } from '../shared/past-the-end.ts';
import type { ReadingObservation } from '../shared/reading.ts';
import type { RequestedObservation } from '../shared/requested.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';

/**
 * How a scenario controls what the host's model answers: the mock model's seam, for a structured call or for a node of another
 * kind, or a provider that the witness plays; the first and the last once more where a scenario drives both directions, of which each
 * has ways of its own.
 */
export type Way = 'mock' | 'witness' | 'chat' | 'tool-calling' | 'refused-mock' | 'refused-witness';

/** What is driven on one way, in the order of `Plan`. */
export type StepName =
  | 'source'
  | 'before'
  | 'cached'
  | 'fresh'
  | 'same'
  | 'other'
  | 'changed'
  | 'changed-whole'
  | 'changed-from-call'
  | 'changed-of-replay'
  | 'control'
  | 'after';

/** What one way of driving a scenario came to, beside its runs. */
export interface WayObservation extends Observation {
  readonly type: 'way';
  readonly way: Way;
  readonly workflowId: string;
  /** The node that calls the model. */
  readonly nodeId: string;
  readonly outputVariable: string;
  /** Why nothing, or nothing more, could be driven this way; null where everything was. */
  readonly problem: string | null;
  /** How many calls came to the witness during each run; empty where the model is the mock. */
  readonly asked: { readonly [step: string]: number };
  /** Whether a run behind a replay tells if that took an answer of the mock model: each of these is another one. */
  readonly counted?: boolean;
  /** The runs before which the host was made to forget a recorded response, or to see a changed provider. */
  readonly forgot: readonly string[];
  /** The answers to requests for runs that the host had put off before with 503. */
  readonly again?: readonly string[];
}

export type RefusalObservation = WayObservation | RunObservation | ReadingObservation | RequestedObservation;

const WAY_TEXT: Readonly<Record<Way, string>> = {
  mock: 'mock model',
  witness: 'provider at the witness',
  chat: 'mock model of a chat',
  'tool-calling': 'mock model of a tool-calling node',
  'refused-mock': 'mock model that refuses first',
  'refused-witness': 'provider at the witness that refuses first',
};
const STEP_TEXT: Readonly<Record<StepName, string>> = {
  source: 'source',
  before: 'source before its forks',
  cached: 'replay with nothing changed',
  fresh: 'later run',
  same: 'replay with the same answer',
  other: 'replay with other content',
  changed: 'replay with the other kind of answer',
  'changed-whole': 'whole log of the replay with the other kind of answer',
  'changed-from-call': "replay with the other kind of answer from the call's start",
  'changed-of-replay': 'replay with the other kind of answer of the replay with nothing changed',
  control: 'new run with the other kind of answer',
  after: 'source after its forks',
};

/** What a run is to its scenario, in words. */
export function roleOf(way: Way, step: StepName): string {
  return `${STEP_TEXT[step]} (${WAY_TEXT[way]})`;
}

/** The source of a way, as it is read before its replays and after them. */
export function twiceOn(way: Way): Twice {
  const [source, again] = [roleOf(way, 'source'), roleOf(way, 'after')];
  return { source, again, row: `${SOURCE_TWICE.row} (${WAY_TEXT[way]})` };
}

/** One way of driving a scenario, as a judge reads it. */
export interface Situation {
  readonly facts: Recorded<WayObservation>;
  readonly run: (step: StepName) => RecordedRun | undefined;
  /** The types of events in any reading of the replay with the other kind of answer. */
  readonly shownTypes: ReadonlySet<string | undefined>;
  /** What the source lost or got beside what is followed. */
  readonly change?: Change | undefined;
}

/** The ways that were tried, in their order. */
export function situationsOf(recorded: Recordings): readonly Situation[] {
  const found = new Map(ofType<WayObservation>(recorded, 'way').map((each) => [each.way, each]));
  return [...found].map(([way, facts]) => {
    const change = lostSource(recorded, twiceOn(way)) ?? addedToSource(recorded, twiceOn(way));
    const read = ofType<ReadingObservation>(recorded, 'reading').filter(({ run }) => run === roleOf(way, 'changed'));
    const shownTypes = new Set(read.flatMap(({ events }) => events.map(typeOf)));
    return { facts, run: (step) => runOf(recorded, roleOf(way, step)), shownTypes, change };
  });
}

/** The run of a way that was not seen to its end, for which nothing more was driven. */
export function hangingOn({ run }: Situation): RecordedRun | undefined {
  const steps = Object.keys(STEP_TEXT) as readonly StepName[];
  return steps.flatMap((step) => run(step) ?? []).find(({ problem }) => problem !== null);
}

/** A replay of the mock model that was driven beside the ways: nothing is known of it but what it shows, and which node calls. */
export function situationOf(
  called: Pick<WayObservation, 'workflowId' | 'nodeId' | 'outputVariable'>,
  { id, exchanges }: RecordedRun,
): Situation {
  const nothing = { problem: null, asked: {}, forgot: [] };
  const facts = { ...called, ...nothing, id, type: 'way', way: 'mock', exchanges } as const;
  return { facts, run: () => undefined, shownTypes: new Set() };
}

/** What could not be seen on a way, which is named. */
export function undecidedOn({ facts }: Situation, reason: string, evidence: Evidence = [facts]): Undecided {
  return undecided(`${WAY_TEXT[facts.way]}, ${facts.workflowId}: ${reason}`, evidence);
}

/** An outcome of one way among others, which is named where it leaves the check undecided. */
export function on(situation: Situation, outcome: Outcome): Outcome {
  if (outcome.kind === 'undecided') return undecidedOn(situation, outcome.reason, outcome.evidence);
  if (outcome.kind !== 'rests' || outcome.otherwise.kind !== 'undecided') return outcome;
  return rests(outcome.on, undecidedOn(situation, outcome.otherwise.reason, outcome.otherwise.evidence));
}
