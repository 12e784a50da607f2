import { phase4 } from '../../src/contract/gates.ts';
import { type Outcome, pass, rests } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { compareLogs, comparePrefixes, eventsOf, isAboutReplay, rawOf } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-states.ts';
import { type Compared, outcomeOf, ownedBy } from '../shared/compared.ts';
import { declaring, withoutVolatile } from '../shared/volatile.ts';
import { PUBLIC_FIXTURES, startFirst } from '../shared/first-run.ts';
import { SOURCE_OF } from '../shared/fixture-sources.ts';
import { FOUNDATIONS, SOURCE_UNTOUCHED } from '../shared/foundations.ts';
import { leftWithout, runsOf, type RecordedRun } from '../shared/need.ts';
import { asOfFirst } from '../shared/of-first.ts';
import type { Recordings } from '../shared/of-type.ts';
import { readAgain, type RunObservation, startFork } from '../shared/run-observation.ts';

/** Fixtures that observe something new in every run come first: they show which records a replay keeps. */
const FIXTURES = [
  'conformance-determinism-random',
  'conformance-determinism-memory-write',
  'conformance-determinism-clock',
  ...PUBLIC_FIXTURES,
];
const FORKS = 8;

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const { run: source, workflowId } = await startFirst(probe, FIXTURES, 'source');
  const named = { ...source, role: SOURCE_OF + workflowId };
  if (source.problem !== null) return [named];
  const events = eventsOf(source);
  const middle = middleOf(source, events.length) ?? 0;
  const atOnce = await Promise.all(
    Array.from({ length: FORKS }, (_, index) => {
      const fromSeq = index % 2 === 0 ? (events[0]?.sequence ?? 0) : middle;
      return startFork(probe, source, { mode: 'replay', fromSeq }, { role: `concurrent replay ${index + 1}` });
    }),
  );
  const [first, half] = atOnce;
  const second = await Promise.all([
    ...(first === undefined ? [] : [startFork(probe, first, { mode: 'replay' }, { role: 'replay of a replay' })]),
    ...(half === undefined
      ? []
      : [
          startFork(probe, half, { mode: 'replay' }, { role: 'replay of a replay from the middle' }),
          startFork(
            probe,
            half,
            { mode: 'replay', fromSeq: middleOf(half, events.length) ?? middle },
            { role: 'replay of a replay from the middle, from there' },
          ),
        ]),
  ]);
  const [whole] = second;
  const third = whole && (await startFork(probe, whole, { mode: 'replay' }, { role: 'replay of a replay, replayed' }));
  const after = await readAgain(probe, source, { role: 'source afterwards' });
  return [named, ...atOnce, ...second, ...(third === undefined ? [] : [third]), after];
}

/** The number that the middle one of so many events has in a log, which may hold others about its being a replay. */
function middleOf(run: RunObservation, length: number): number | undefined {
  return eventsOf(run).filter((event) => !isAboutReplay(event))[Math.floor(length / 2)]?.sequence;
}

interface Pair {
  readonly source: RecordedRun;
  readonly replay: RecordedRun;
}

/** The source is that of all others; `second` are the replays of its replays, and of those. */
interface Generations {
  readonly source: RecordedRun | undefined;
  readonly first: readonly RecordedRun[];
  readonly second: readonly RecordedRun[];
  readonly after: RecordedRun | undefined;
  /** The fixture in words. */
  readonly fixture: string;
}

/** How the roles of replays of replays begin, and that of the source that is read again. */
const [AGAIN, AFTER] = ['replay of a replay', 'source afterwards'] as const;

function see(recorded: Recordings): Generations {
  const runs = runsOf(recorded);
  const source = runs.find(({ fork, role }) => fork === null && role.startsWith(SOURCE_OF));
  const others = runs.filter((run) => run !== source);
  const inRole = (start: string): readonly RecordedRun[] => others.filter(({ role }) => role.startsWith(start));
  return {
    source,
    first: inRole('concurrent'),
    second: inRole(AGAIN),
    after: inRole(AFTER).at(0),
    fixture: source?.role.replace(SOURCE_OF, '') ?? 'nothing',
  };
}

const CONCURRENT = FOUNDATIONS.sameAgain;

/** Judges that a replay's replay is the source again, and the replay that it was made of. Where that one is not, it owns the cause. */
function judgeReplayOfReplay({ source, first, second, fixture }: Generations, volatile: readonly string[]): Outcome {
  const parentOf = ({ fork }: RecordedRun) =>
    [...first, ...second].find(({ runId }) => runId !== null && runId === fork?.sourceRunId);
  const needed = second.length === 0 ? [AGAIN] : [...second.map((each) => parentOf(each) ?? 'first replay'), ...second];
  const left = leftWithout([source ?? 'source', ...needed]);
  if (left !== undefined) return left;
  const pairs = second.flatMap((replay) => {
    const parent = parentOf(replay);
    if (source === undefined || parent === undefined) return [];
    return [
      { source, replay: asOfFirst({ source, first: parent, second: replay }) },
      { source: parent, replay },
    ];
  });
  const outcome = judgePairs(pairs, `replays of replays of ${fixture}`, volatile);
  const parents = pairsOf(
    [source],
    second.map(parentOf).filter((parent) => parent !== undefined && first.includes(parent)),
  );
  const isInherited = parents.some((pair) => comparePair(pair, volatile).kind === 'different');
  return isInherited ? owned(CONCURRENT, outcome) : outcome;
}

/** Judges forks that were made at once, and their source, which was read again after them. */
function judgeConcurrent({ source, first, after, fixture }: Generations, volatile: readonly string[]): Outcome {
  const left = leftWithout([
    source ?? 'source',
    ...(first.length === 0 ? ['concurrent replay'] : first),
    after ?? AFTER,
  ]);
  if (left !== undefined) return left;
  const forks = judgePairs(pairsOf([source], first), `${first.length} forks of ${fixture} at once`, volatile);
  if (forks.kind !== 'pass') return forks;
  const again = judgePairs(pairsOf([source], [after]), '', volatile);
  if (again.kind !== 'pass') return owned(SOURCE_UNTOUCHED, again);
  return { ...forks, evidence: [...new Set([...forks.evidence, ...again.evidence])] };
}

/** A failure as one of the check that owns its cause, whichever other one it was taken for by what differs. */
function owned(check: string, outcome: Outcome): Outcome {
  const found = outcome.kind === 'rests' ? outcome.otherwise : outcome;
  return found.kind === 'fail' ? rests(check, found) : outcome;
}

type Runs = readonly (RecordedRun | undefined)[];

function pairsOf(sources: Runs, forks: Runs): readonly Pair[] {
  const replays = forks.filter((each) => each !== undefined);
  return replays.flatMap((replay) => sources.flatMap((source) => (source === undefined ? [] : [{ source, replay }])));
}

function judgePairs(pairs: readonly Pair[], title: string, volatile: readonly string[]): Outcome {
  let open: Outcome | undefined;
  for (const pair of pairs) {
    const compared = comparePair(pair, volatile);
    if (compared.kind === 'same') continue;
    const outcome = outcomeOf(compared, [pair.replay, pair.source]);
    // What no other row owns goes before what one does.
    if (outcome.kind === 'fail') return outcome;
    open ??= outcome;
  }
  if (open !== undefined) return open;
  return declaring(
    pass(
      pairs.flatMap(({ source, replay }) => [replay, source]),
      title,
    ),
    volatile,
  );
}

function comparePair({ source, replay }: Pair, volatile: readonly string[]): Compared {
  const fromSeq = replay.fork?.fromSeq ?? 0;
  const prefix = comparePrefixes(source, replay, fromSeq, volatile);
  if (prefix.kind !== 'same') {
    const behind = compareBehind({ source, replay }, fromSeq, volatile);
    return behind?.kind === 'different' ? behind : ownedBy(FOUNDATIONS.histories, prefix);
  }
  const log = compareLogs(source, replay, volatile);
  if (log.kind !== 'same') return log;
  return compareStates(withoutVolatile(source, volatile), withoutVolatile(replay, volatile));
}

/** Compares what two runs show from a number on, where up to it the replay has no event that the source has not at its number. */
function compareBehind({ source, replay }: Pair, fromSeq: number, volatile: readonly string[]): Compared | undefined {
  const types = new Map(eventsOf(source).map(({ sequence, type }) => [sequence, type]));
  const events = eventsOf(replay);
  const upTo = events.filter(({ sequence }) => sequence <= fromSeq);
  const isAligned =
    upTo.at(-1)?.sequence === fromSeq && upTo.every(({ sequence, type }) => types.get(sequence) === type);
  if (!isAligned) return undefined;
  const [ours, theirs] = [eventsOf(source), events].map((log) => log.filter(({ sequence }) => sequence >= fromSeq));
  return compareLogs({ ...source, events: rawOf(ours ?? []) }, { ...replay, events: rawOf(theirs ?? []) }, volatile);
}

/** 0041 §C: a replay is a run like any other, so it can be replayed; forks do not know of each other. */
export const generations = defineScenario({
  id: 'sequence.generations',
  suite: 'observable-sequence',
  title: 'Replays of a replay, and replays made at once, give the same sequence again',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  drive,
  see,
  checks: [
    {
      id: 'sequence.replay-of-replay',
      title: 'Replaying a replay gives the same sequence again',
      judge: (runs, { options }) => judgeReplayOfReplay(runs, options.volatile),
    },
    {
      id: CONCURRENT,
      title: 'Replays, also those made at once, show what their source shows, which stays as it was',
      judge: (runs, { options }) => judgeConcurrent(runs, options.volatile),
    },
  ],
});
