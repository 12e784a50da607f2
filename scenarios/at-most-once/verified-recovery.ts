import { verificationMode } from '../../src/contract/gates.ts';
import { fail, type Outcome, pass, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded, Scenario } from '../../src/runner/scenario.ts';
import { endsRun } from '../../src/protocol/run-status.ts';
import { TOLD } from '../shared/compare-runs.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import { nodeOf } from '../shared/read-event.ts';
import { ofType, type Recordings } from '../shared/of-type.ts';
import { calledByReplay, judgeSafety } from './cell-defects.ts';
import { cellText, NOT_DEAD } from './cell.ts';
import { cutNeeds } from './crash-seams.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE } from './fixtures.ts';
import { invocationStep } from './invocation-events.ts';
import { controlOf } from './matrix.ts';
import { needsPerson } from './needs-person.ts';
import { type Cell, holdsAny, readCell, wasNodeEndShown } from './read-cell.ts';
import { driveRecovery, type RecoveryObservation } from './recovery-drive.ts';
import { leftUndriven } from '../shared/need.ts';

type Mode = 'strict' | 'warn' | 'human';

/** A run that died with its result recorded, and what its host made of it in one world. */
interface Recovered {
  readonly observation: Recorded<RecoveryObservation>;
  readonly cell: Cell;
  /** The ends of the node, which say that it went on with a result: what else holds one may have been written before. */
  readonly places: readonly string[];
  /** Whether the result stands anywhere but in the events of the call. */
  readonly isShown: boolean;
}

/** Both runs: in the world that the record tells of, and in another one. */
interface Facts {
  readonly right: Recovered;
  readonly other: Recovered;
}

function see(recorded: Recordings): Facts | Outcome {
  const runs = ofType<RecoveryObservation>(recorded, 'recovery').map(recoveredIn);
  const [right, other] = [true, false].map((agrees) => runs.find(({ observation }) => observation.agrees === agrees));
  if (right === undefined || other === undefined)
    return leftUndriven(`recovery in ${right === undefined ? 'the world that the record tells of' : 'another world'}`);
  return { right, other };
}

function recoveredIn(recorded: Recorded<RecoveryObservation>): Recovered {
  const cell = readCell({ ...recorded.cell, id: recorded.id });
  const { events } = cell;
  const nodeEnds = events.filter((event) => event.type === 'node.completed' && nodeOf(event) === CHARGE.nodeId);
  const others = events.filter(({ type }) => invocationStep(type) === undefined).map(({ payload }) => payload);
  return {
    observation: recorded,
    cell,
    places: nodeEnds.map(({ type, sequence }) => `${type} (${sequence})`),
    isShown: holdsAny([others, cell.cell.snapshot], [recorded.nonce]),
  };
}

const EXPOSE = "expose a failpoint behind the ledger's commit whose name says so, such as after-ledger-commit";

/** Why a recovery shows nothing of verification; undefined where it does. */
function openIn({ observation, cell }: Recovered): Outcome | undefined {
  const { cut, notDriven } = cell.cell;
  const evidence = [observation];
  if (cut === null) return undecidedUntil(EXPOSE, 'no death was seen behind the record of a call', evidence);
  if (notDriven !== null) return undecided(notDriven, evidence);
  if (!cell.reached) return undecided(`${cut.name}: ${NOT_DEAD}`, evidence);
  if (cell.callsThen === 0) {
    return undecidedUntil(EXPOSE, `at ${cut.name} the tool had not been called: nothing was recorded`, evidence);
  }
  if (wasNodeEndShown(cell)) return undecided(`at ${cut.name} the node had ended already`, evidence);
  const found = judgeSafety([cell], { ...controlOf(cell), restless: ownMembers(cell) });
  // Deaths as such are for the rows about them.
  return found === undefined ? undefined : undecided(`the recovery at ${cut.name} is not sound`, evidence);
}

/** What a host adds to its events, beside what they tell, may be new in each reading: no second one is there to say so. */
function ownMembers({ shown }: Cell): ReadonlySet<string> {
  return new Set(shown.flatMap(({ raw }) => Object.keys(raw)).filter((name) => !TOLD.has(name)));
}

/** Whether a host that shows what its workers decided decided nothing after the death: the node may have ended, unseen. */
function mayHaveEnded({ found, allFound, cell: { decisions } }: Cell): boolean {
  return decisions !== null && found === null && allFound.length === decisions.length;
}

/** What every mode needs: a recovery that comes through in the recorded world, and one that was seen in another. */
function withoutTwo({ right, other }: Facts): Outcome | undefined {
  const open = openIn(right) ?? openIn(other);
  if (open !== undefined) return open;
  const { outcome, calls } = right.cell;
  if (outcome === 'completed' && calls === 1) return undefined;
  return undecided(`the recovery in the recorded world came out as ${outcome} after ${calls} calls`, [
    right.observation,
  ]);
}

const VERIFIER =
  'mount a verifier: it asks GET resources/receipt of the witness before a recorded result is injected (docs/fixtures.md)';

/** Judges a mode; a defect is one only where the node was still to be recovered. */
function judgeMode(mode: Mode, facts: Facts): Outcome {
  const { cell: source, observation: right } = facts.right;
  const called = calledByReplay({ ...source, cell: { ...source.cell, calledInReplay: right.calledInReplay ?? 0 } });
  if (called !== undefined) return called;
  const judged = withoutTwo(facts) ?? judgeRecovered(mode, facts);
  const { cell, observation } = facts.other;
  if (judged.kind === 'pass' || judged.kind === 'undecided' || !mayHaveEnded(cell)) return judged;
  const reason = `${cellText(cell.cell)}: no worker came to the call after the death, so the node may have ended before it`;
  return undecidedUntil(EXPOSE, reason, [observation]);
}

/** Judges what became of the run in the other world. */
function judgeRecovered(mode: Mode, facts: Facts): Outcome {
  const { right, other } = facts;
  const evidence = [other.observation, right.observation];
  const verdict = RULES[mode](other, right);
  if (verdict === 'right') return rightIn(mode, facts);
  if (verdict === 'open') return undecided(`the run came out as ${other.cell.outcome}`, evidence);
  const isRequested = right.observation.askedAfter + other.observation.askedAfter > 0;
  if (!isRequested && right.observation.askedInReplay === 0) {
    return undecidedUntil(VERIFIER, 'nobody asked whether the world agrees, neither a recovery nor a replay', evidence);
  }
  const expected = `after a death, where the world is not what the record says: ${EXPECTED[mode]}`;
  const ends = other.places.length === 0 ? 'no end of the node' : other.places.join(', ');
  const actual = `${ends}; the run ${other.cell.outcome}`;
  const code = isRequested ? verdict : 'not-verified';
  return fail({ expected, actual, diagnosis: wrong(code), restsOn: endsBySnapshotAlone(other) }, evidence);
}

/** That a run completed while its log waits is what its snapshot alone says: where that is so of any run, it is one defect. */
function endsBySnapshotAlone({ cell, places }: Recovered): string | undefined {
  const isOnlySaid = cell.outcome === 'completed' && places.length === 0 && !cell.events.some(endsRun);
  return isOnlySaid ? FOUNDATIONS.snapshots : undefined;
}

const EXPECTED: Readonly<Record<Mode, string>> = {
  strict: 'no end of the node with the recorded result, and the run failed',
  warn: 'the recorded result injected, and the run completed',
  human: 'no end of the node with the recorded result, and the run waiting for a person',
};

type Code = Parameters<typeof wrong>[0];

/** What is to become of a run: right, a defect, or nothing that can be told. */
const RULES: Readonly<Record<Mode, (other: Recovered, right: Recovered) => Code | 'right' | 'open'>> = {
  strict: ({ cell: { outcome }, places }) => {
    if (places.length > 0 || outcome === 'completed') return 'injected-over-failed-verification';
    if (outcome === 'parked') return 'not-failed';
    return outcome === 'failed' ? 'right' : 'open';
  },
  warn: ({ cell: { outcome }, isShown }, right) => {
    if (outcome === 'completed' && isShown === right.isShown) return 'right';
    return outcome === 'unknown' ? 'open' : 'not-injected';
  },
  human: ({ cell, places }) => {
    const { outcome } = cell;
    if (places.length > 0 || outcome === 'completed') return 'injected-without-confirmation';
    if (outcome === 'parked' || (outcome === 'failed' && needsPerson(cell.events, cell.cell.snapshot))) return 'right';
    return outcome === 'failed' ? 'not-parked' : 'open';
  },
};

/** What is left to be said where the run came out as it has to. */
function rightIn(mode: Mode, { right, other }: Facts): Outcome {
  const evidence = [other.observation, right.observation];
  const { answered, afterNo } = other.observation;
  if (mode === 'warn') return judgeWarned(right, other);
  if (mode === 'strict') return pass(evidence);
  if (other.cell.outcome === 'failed') return pass(evidence, 'the run ends with an error that names a person');
  const no = answered === null ? 'nobody could answer' : `the answer false came back with ${answered}`;
  return pass(evidence, `the run waits; ${no}${afterNo === null ? '' : `, and the run was ${afterNo} then`}`);
}

/** What is left of a result that was injected over a failed verification: that it was verified, and counted. */
function judgeWarned(right: Recovered, other: Recovered): Outcome {
  const evidence = [other.observation, right.observation];
  const { askedAfter, warned, warnedBefore = 0 } = other.observation;
  if (askedAfter === 0 && right.observation.askedInReplay > 0) {
    const expected = 'GET resources/receipt by the recovery in another world, as by a replay';
    const actual = `none, and ConfirmationReplayWarnTotal ${warned ?? 'unknown'}`;
    return fail({ expected, actual, diagnosis: wrong('not-verified') }, evidence);
  }
  if (warned === null) {
    const reason =
      'the result is injected, but how often verifications failed is not known: expose the seam verification';
    return undecided(reason, evidence);
  }
  if (warned === 0) {
    if (askedAfter === 0) return undecidedUntil(VERIFIER, 'nobody asked whether the world agrees', evidence);
    const expected = 'ConfirmationReplayWarnTotal of at least 1 for a run that was recovered in another world';
    return fail({ expected, actual: '0', diagnosis: wrong('not-counted') }, evidence);
  }
  // One that all runs share may be kept, or begin anew with the process, and come to the same figure.
  if (warned === warnedBefore) {
    const reason = `ConfirmationReplayWarnTotal is ${warned} for the run, as it was before the run: count for each run`;
    return undecided(reason, evidence);
  }
  return pass(evidence, `counted ${warned} times`);
}

function verifiedRecovery(mode: Mode, title: string): Scenario {
  const id = `once.verified-recovery.${mode}`;
  const workflowId = `conformance-determinism-verify-${mode}`;
  return defineScenario<RecoveryObservation, Facts>({
    id,
    suite: 'at-most-once',
    title: `A crash between the record of a call and the end of its node, in another world: ${mode}`,
    gate: verificationMode(mode === 'human' ? 'human-in-loop' : mode),
    needs: cutNeeds(workflowId),
    exclusive: [`workflow:${workflowId}`],
    patience: () => 40,
    drive: (probe) => driveRecovery(probe, workflowId),
    see,
    checks: [{ id, title, judge: (facts) => judgeMode(mode, facts) }],
  });
}

/** sem §5 where a crash is recovered, one scenario for each mode. */
export const recoveredStrict = verifiedRecovery(
  'strict',
  'A recovery in a world that changed fails the run, and injects nothing',
);
export const recoveredWarn = verifiedRecovery(
  'warn',
  'A recovery in a world that changed is counted, and injects the recorded result',
);
export const recoveredHuman = verifiedRecovery(
  'human',
  'A recovery in a world that changed waits for a person, and injects nothing',
);
