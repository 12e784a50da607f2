import { phase4 } from '../../src/contract/gates.ts';
import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftAsItWas, type RevisionObservation, withCodeChanges } from '../shared/code-change.ts';
import { compareLogs, comparePrefixes, eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import { outcomeOf } from '../shared/compared.ts';
import { declaring } from '../shared/volatile.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { need, runOf, type RecordedRun } from '../shared/need.ts';
import type { Recordings } from '../shared/of-type.ts';
import { type RunObservation, startFork, startRun } from '../shared/run-observation.ts';

const title = 'Changed code makes the replay diverge visibly: a host that copies the log does not pass';
const WORKFLOW = 'conformance-determinism-constant';
/** A fixture that reads the machine's clock behind the engine's back. */
const WALL_CLOCK = 'conformance-determinism-wall-clock';
/** The values of the constant in the two revisions. */
const [FIRST, SECOND] = ['"first"', '"second"'];

const UNCHANGED_REPLAY = 'unchanged replay';

type ChangeObservation = RunObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly ChangeObservation[]> {
  const source = await startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: 'source' });
  const use = (isChanged: boolean) => (isChanged ? replayRevised(probe, source) : Promise.resolve([]));
  const changes = [{ revision: '2.0.0', use }];
  // The code that runs after a change is the changed one also where the run was replayed before.
  const revised =
    source.problem === null
      ? [
          await startFork(probe, source, { mode: 'replay' }, { role: UNCHANGED_REPLAY }),
          ...(await withCodeChanges<RunObservation>(probe, WORKFLOW, changes)),
        ]
      : [];
  if (revised.some((each) => each.type === 'run' && each.role !== UNCHANGED_REPLAY)) return [source, ...revised];
  const clock = await startRun(probe, { workflowId: WALL_CLOCK, inputs: {} }, { role: 'wall-clock source' });
  if (clock.problem !== null) return [source, ...revised, clock];
  const replay = await startFork(probe, clock, { mode: 'replay' }, { role: 'wall-clock replay' });
  return [source, ...revised, clock, replay];
}

/** Replays by the other revision, and a fresh run that shows what the other revision does. */
function replayRevised(probe: Probe, source: RunObservation): Promise<readonly RunObservation[]> {
  const after = eventsOf(source).find(({ type, nodeId }) => type === 'node.started' && nodeId === 'after');
  const fromAfter = after === undefined ? [] : [{ mode: 'replay', fromSeq: after.sequence } as const];
  return Promise.all([
    startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: 'fresh run' }),
    startFork(probe, source, { mode: 'replay' }, { role: 'revised replay' }),
    ...fromAfter.map((body) => startFork(probe, source, body, { role: 'revised replay of the rest' })),
  ]);
}

/** Judges by the changed workflow where the host let it be changed, else by the clock that nobody records. */
function judgeNotACopy(recorded: Recordings, volatile: readonly string[]): Outcome {
  const roles = ['source', 'fresh run', 'revised replay'] as const;
  if (roles.some((role) => runOf(recorded, role) === undefined)) return judgeWallClock(recorded, volatile);
  const runs = need(recorded, ...roles);
  if (isOutcome(runs)) return runs;
  const { source, 'fresh run': fresh, 'revised replay': revised } = runs;
  const evidence = [revised, source, fresh];
  if (!showChange(source, fresh)) return undecidedUntil(CHANGE, UNCHANGED, evidence);
  const whole = compareLogs(source, revised, volatile);
  if (whole.kind === 'unreadable') return undecided(whole.reason, evidence);
  // Logs whose events show no values are equal whatever ran: the snapshot says it then.
  const isShownElsewhere = !holds(source.events, FIRST) && shows(revised, SECOND);
  if (whole.kind === 'same' && !isShownElsewhere) {
    const expected = `a replay by the current code, which gives the constant ${SECOND}`;
    const actual = `${named(revised)} holds the events of ${named(source)} with the constant ${FIRST}`;
    return fail({ expected, actual, diagnosis: sharedCause('copied-log') }, evidence);
  }
  return shows(revised, SECOND) || eventsOf(revised).some(isAboutReplay)
    ? pass(evidence, 'seen by a changed workflow')
    : undecidedUntil(
        'show what the new code writes in the log or the snapshot',
        'the replay by changed code differs from its source, but shows nothing of the new code',
        evidence,
      );
}

const CHANGE = 'let the seam workflow-revision change what new runs execute';
const UNCHANGED = `the two revisions of ${WORKFLOW} do not show different values`;

/** Whether a run that was made anew shows that the code was changed after its source. */
function showChange(source: RecordedRun, fresh: RecordedRun): boolean {
  return shows(source, FIRST) && !shows(source, SECOND) && shows(fresh, SECOND);
}

function shows({ events, snapshot }: RecordedRun, value: string): boolean {
  return holds([events, snapshot], value);
}

function holds(recorded: unknown, value: string): boolean {
  return JSON.stringify(recorded).includes(value);
}

function judgeWallClock(recorded: Recordings, volatile: readonly string[]): Outcome {
  if (runOf(recorded, 'wall-clock source')?.problem !== null) {
    return leftAsItWas(recorded, WORKFLOW, `, or seed ${WALL_CLOCK}`);
  }
  const runs = need(recorded, 'wall-clock source', 'wall-clock replay');
  if (isOutcome(runs)) return runs;
  const { 'wall-clock source': source, 'wall-clock replay': replay } = runs;
  const compared = compareLogs(source, replay, volatile);
  if (compared.kind === 'different') return pass([replay, source], 'seen by a clock that the engine does not read');
  if (compared.kind === 'unreadable') return undecided(compared.reason, [replay, source]);
  if (eventsOf(source).every(({ payload }) => payload === null)) {
    const why = `no event of ${named(source)} has a payload to compare`;
    return undecidedUntil('show the payloads of events', why, [replay, source]);
  }
  const expected = `another time in ${named(replay)}: its node reads the machine's clock, to the nanosecond, each time it runs`;
  const actual = `the log of ${named(source)}, event for event`;
  return fail({ expected, actual, diagnosis: sharedCause('copied-log') }, [replay, source]);
}

/** Judges that what stands before the fork point is the source's, whatever the code is by now (replay.md, Two modes). */
function judgeHistory(recorded: Recordings, volatile: readonly string[]): Outcome {
  const roles = ['source', 'revised replay of the rest'] as const;
  if (roles.some((role) => runOf(recorded, role) === undefined)) {
    return leftAsItWas(recorded, WORKFLOW);
  }
  const runs = need(recorded, ...roles);
  if (isOutcome(runs)) return runs;
  const { source, 'revised replay of the rest': rest } = runs;
  const outcome = outcomeOf(comparePrefixes(source, rest, rest.fork?.fromSeq ?? 0, volatile), [rest, source]);
  if (outcome.kind !== 'pass') return outcome;
  // A history that nothing could have changed is no history that stood.
  const changed = need(recorded, 'fresh run');
  if (isOutcome(changed)) return changed;
  const fresh = changed['fresh run'];
  if (!showChange(source, fresh)) return undecidedUntil(CHANGE, UNCHANGED, [rest, source, fresh]);
  return declaring(pass([rest, source, fresh]), volatile);
}

/** replay.md, Two modes: at and after fromSeq the current code runs; only the events before it are the source's. */
export const notACopy = defineScenario<ChangeObservation>({
  id: 'sequence.not-a-copy',
  suite: 'observable-sequence',
  title,
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  exclusive: [`workflow:${WORKFLOW}`],
  drive,
  checks: [
    {
      id: 'sequence.not-a-copy',
      title,
      judge: (recorded, { options }) => judgeNotACopy(recorded, options.volatile),
    },
    {
      id: 'sequence.prefix-equal.changed-code',
      title: "The history below the fork point stays the source's when the code has changed",
      judge: (recorded, { options }) => judgeHistory(recorded, options.volatile),
    },
  ],
});
