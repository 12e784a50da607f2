import { fail, pass, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { comparePrefixes, prefixesOf } from '../shared/compare-runs.ts';
import { compareFullStates } from '../shared/compare-states.ts';
import type { Compared } from '../shared/compared.ts';
import { declaring } from '../shared/declared.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import { leftWithout, refusedWrongly, runsOf, type Forked, type SeenRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { foundationBrokenBy } from '../shared/unfollowed.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';

/** What of a sweep can be judged, and why the rest cannot. */
interface Swept {
  /** The sources, each with its forks, seen or not. */
  readonly logs: readonly Forked[];
  /** Sources without forks, each with the reason. */
  readonly leftOut: readonly string[];
  /** The check that owns why a source could not be followed, where one does. */
  readonly cause: string | undefined;
}

/** Gathers the sources of a sweep, each with its forks. */
export function gatherSweep(recorded: Recordings): Swept {
  const runs = runsOf(recorded);
  const swept = runs
    .filter(({ fork }) => fork === null)
    .map((source) => ({
      source,
      replays: runs.filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId),
    }));
  const leftOut = swept.filter((log) => !isJudged(log));
  return {
    logs: swept.filter(isJudged),
    leftOut: leftOut.map(({ source }) => `${fixtureOf(source)} (${source.problem ?? 'no fork was made'})`),
    cause: leftOut.map(({ source }) => foundationBrokenBy(source)).find((owner) => owner !== undefined),
  };
}

function isJudged({ source, replays }: Forked): boolean {
  return source.problem === null && replays.length > 0;
}

interface Rule {
  readonly compare: (source: SeenRun, fork: SeenRun, fromSeq: number) => Compared;
  /** The clause says "for every fromSeq": a fork that was refused beside others breaks it as well (readings, Causes). */
  readonly everyFork?: true;
  /** Whether a fork puts the rule to the test. */
  readonly tests: (source: SeenRun, fork: SeenRun, fromSeq: number) => boolean;
}

/** Judges the fixed history of every fork (0041 §C.1). */
export function judgePrefixes(swept: Swept, volatile: readonly string[]): Outcome {
  const outcome = judgeForks(swept, {
    everyFork: true,
    compare: (source, fork, fromSeq) => comparePrefixes(source, fork, fromSeq, volatile),
    tests: (source, fork, fromSeq) => prefixesOf(source, fork, fromSeq).below.length > 0,
  });
  return declaring(outcome, volatile);
}

/** Judges the states of every fork: at its fork point, on the way and at the end (0041 §C.2). */
export function judgeStates(swept: Swept, volatile: readonly string[]): Outcome {
  const outcome = judgeForks(swept, {
    compare: (source, fork, fromSeq) =>
      compareFullStates(withoutVolatile(source, volatile), withoutVolatile(fork, volatile), fromSeq),
    tests: () => true,
  });
  return declaring(outcome, volatile);
}

/** What was seen to differ comes first: it is outranked by nothing that could not be made. */
function judgeForks(swept: Swept, rule: Rule): Outcome {
  const pairs = swept.logs.flatMap(({ source, replays }) => replays.map((fork) => ({ source, fork })));
  let open: Outcome | undefined;
  let tested = 0;
  for (const { source, fork } of pairs) {
    const left = leftWithout([fork]);
    open ??= left;
    if (left !== undefined) continue;
    const fromSeq = fork.fork?.fromSeq ?? 0;
    const compared = rule.compare(source, fork, fromSeq);
    if (compared.kind === 'different') return fail(compared.mismatch, [source, fork]);
    if (compared.kind === 'unreadable') open ??= undecided(compared.reason, [source, fork]);
    else if (rule.tests(source, fork, fromSeq)) tested += 1;
  }
  const forks = pairs.map(({ fork }) => fork);
  const refused = leftWithout(forks.filter(refusedWrongly));
  if (refused !== undefined) {
    const isAlone = rule.everyFork === true && forks.some(({ runId }) => runId !== null);
    return isAlone && refused.kind === 'rests' ? refused.otherwise : refused;
  }
  if (open !== undefined) return open;
  if (tested === 0) {
    const seed = 'seed conformance-noop, or better all of fixtures/';
    const none = undecided(`no fixture could be swept: ${seed}; ${swept.leftOut.join('; ')}`, []);
    return swept.cause === undefined ? none : rests(swept.cause, none);
  }
  return pass(
    pairs.flatMap(({ source, fork }) => [fork, source]),
    reasonOf(swept, tested),
  );
}

function reasonOf({ logs, leftOut }: Swept, tested: number): string {
  const swept = logs.map(({ source, replays }) => `${fixtureOf(source)} (${replays.length})`).join(', ');
  const rest = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`;
  return `${tested} forks of ${swept}${rest}`;
}
