import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { leftAsItWas, type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import { eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import { need, runOf, type RecordedRun } from '../shared/need.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { Recordings } from '../shared/of-type.ts';
import { replays } from '../shared/replays.ts';
import { type RunObservation, startFork, startRun } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';

const ROW = 'fork.from-seq-anew';
const WORKFLOW = 'conformance-determinism-constant';
/** The values of the constant in the two revisions. */
const [FIRST, SECOND] = ['"first"', '"second"'];
const ROLES = ['source', 'fresh run', 'replay from the write'] as const;

/** The event that holds what the code writes, before any other that does. */
function writeOf(run: RunObservation, value: string): RunEvent | undefined {
  return eventsOf(run).find((event) => nodeOf(event) === 'constant' && holds(event, value));
}

function holds({ payload }: RunEvent, value: string): boolean {
  return (JSON.stringify(payload) ?? '').includes(value);
}

/** A run, and, by changed code, another one and a replay of the first from the very event that the change is about. */
async function drive(probe: Probe): Promise<readonly (RunObservation | RevisionObservation)[]> {
  const [SOURCE, FRESH, REPLAY] = ROLES;
  const source = await startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: SOURCE });
  const fromSeq = writeOf(source, FIRST)?.sequence;
  if (fromSeq === undefined) return [source];
  const use = async (isChanged: boolean): Promise<readonly RunObservation[]> =>
    isChanged
      ? Promise.all([
          startRun(probe, { workflowId: WORKFLOW, inputs: {} }, { role: FRESH }),
          startFork(probe, source, { mode: 'replay', fromSeq }, { role: REPLAY }),
        ])
      : [];
  return [source, ...(await withCodeChanges<RunObservation>(probe, WORKFLOW, [{ revision: '2.0.0', use }]))];
}

/** replay.md, Endpoint: events below fromSeq are history, those at and above it are executed. */
export function judgeAnew(recorded: Recordings): Outcome {
  if (runOf(recorded, 'replay from the write') === undefined) {
    const isUnseen = revisionOf(recorded) === undefined && runOf(recorded, 'source')?.problem === null;
    return isUnseen ? undecided('no event holds what it writes', []) : leftAsItWas(recorded, WORKFLOW);
  }
  const runs = need(recorded, ...ROLES);
  if (isOutcome(runs)) return runs;
  const { source, 'fresh run': fresh, 'replay from the write': replay } = runs;
  const evidence = [replay, source, fresh];
  const write = writeOf(source, FIRST);
  if (write === undefined || writeOf(fresh, SECOND) === undefined) {
    const why = `the two revisions of ${WORKFLOW} do not show different values`;
    return undecidedUntil('let the seam workflow-revision change what new runs execute', why, evidence);
  }
  const behind = eventsOf(replay).filter(({ sequence }) => sequence >= write.sequence);
  const at = behind.find(({ sequence }) => sequence === write.sequence);
  const isTakenOver = at !== undefined && holds(at, FIRST);
  const reports = behind.filter(isAboutReplay);
  const isChanged = behind.some((event) => holds(event, SECOND));
  if (!isTakenOver) {
    const isSeen = reports.length > 0 || isChanged;
    return isSeen ? pass(evidence) : undecided(shownAt(replay, write), evidence);
  }
  // A replay that reports may go on with what is recorded, unless it does not, and what it reports is what came later.
  const isOfLater = isChanged && reports.every((report) => isAboutLater(report, write, source));
  if (reports.length > 0 && !isOfLater) return undecided(reportedAt(replay, at), evidence);
  return fail(
    {
      expected: `sequence ${write.sequence} of ${named(replay)}, from where it was replayed, by the current code: ${SECOND}`,
      actual: `${at.type} with ${FIRST}, as in ${named(source)}`,
      diagnosis: wrong('inherits-from-seq'),
    },
    evidence,
  );
}

/** Whether what a report names of the source stands behind an event of it. */
function isAboutLater({ payload }: RunEvent, { sequence }: RunEvent, source: RecordedRun): boolean {
  const original = member(payload, 'originalEventId');
  return eventsOf(source).some((event) => event.eventId === original && event.sequence > sequence);
}

function reportedAt(replay: RecordedRun, { sequence, type }: RunEvent): string {
  return `${type} at sequence ${sequence} of ${named(replay)} holds what is recorded, ${FIRST}, and a divergence is reported behind it: whether that is about this event was not seen`;
}

function shownAt(replay: RecordedRun, { sequence }: RunEvent): string {
  return `${named(replay)} does not show what was executed from sequence ${sequence} on`;
}

/** The closed interval of 0041 §C.1 reads otherwise, so that this is advice. */
export const fromSeqAnew = defineScenario({
  id: ROW,
  suite: 'fork-contract',
  title: 'A replay by changed code starts at the event that the change is about',
  needs: [replays, { kind: 'fixture', workflowId: WORKFLOW }],
  exclusive: [`workflow:${WORKFLOW}`],
  drive,
  checks: [{ id: ROW, title: 'The event at fromSeq is executed, not taken over', judge: judgeAnew }],
});
