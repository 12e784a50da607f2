import { verificationMode } from '../../src/contract/gates.ts';
import { fail, notApplicable, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import { isBusy } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { Scenario } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { leftWithout, type RecordedRun, leftUndriven } from '../shared/need.ts';
import { openOf } from '../shared/settle.ts';
import { statusIn } from '../shared/snapshot.ts';
import { wrong } from './diagnoses.ts';
import { needsPerson } from './needs-person.ts';
import { isWaiting } from './settled-run.ts';
import {
  confirm,
  driveVerification,
  type Following,
  putRight,
  readCounter,
  ROLES,
  afterwards,
  confirmed,
} from './verification-drive.ts';
import { type Facts, type FailingReplay, type Fate, fateText, seeVerification } from './verification-facts.ts';

type Code = Parameters<typeof wrong>[0];

/** What a mode of sem §5 asks of a replay whose verification fails. */
interface Rule {
  readonly expected: string;
  isRight(replay: Fate): boolean;
  /** Why a replay that is not right is not wrong either; undefined where it is. */
  openIn(replay: Fate): string | undefined;
  /** What is wrong with a result that was injected, where that may not be; and with anything else. */
  readonly injected?: Code;
  readonly otherwise: Code;
}

const STRICT: Rule = {
  expected: 'the recorded result nowhere but in the events of its call, and the run failed',
  isRight: ({ isInjected, hasFailed }) => hasFailed && !isInjected,
  openIn: ({ run, isInjected, hasCompleted }) =>
    isInjected || hasCompleted || isWaiting(run) ? undefined : `${named(run)} ended neither failed nor completed`,
  injected: 'injected-over-failed-verification',
  otherwise: 'not-failed',
};

const WARN: Rule = {
  expected: 'the recorded result injected, and the run completed',
  isRight: (replay) => comesThrough(replay) && replay.otherwise === undefined,
  openIn: () => undefined,
  otherwise: 'not-injected',
};

function comesThrough({ isShown, hasCompleted }: Fate): boolean {
  return hasCompleted && isShown;
}

/** The row about the state of replays, where a variable alone is wrong, and was so in the right world already. */
function ownerOf(replay: Fate, control: Fate | undefined): string | undefined {
  return comesThrough(replay) && control?.otherwise !== undefined ? 'sequence.state-equal' : undefined;
}

const HUMAN: Rule = {
  expected: 'the recorded result nowhere but in the events of its call, and the run waiting for a person',
  isRight: ({ run, isInjected, hasCompleted, hasFailed }) =>
    !isInjected && !hasCompleted && (hasFailed ? needsPerson(eventsOf(run), run.snapshot) : isWaiting(run)),
  openIn: ({ run, isInjected, hasCompleted, hasFailed }) =>
    isInjected || hasCompleted || hasFailed
      ? undefined
      : `${named(run)} neither waits nor has ended: status ${statusIn(run.snapshot) ?? 'unknown'}`,
  injected: 'injected-without-confirmation',
  otherwise: 'not-parked',
};

/** What a replay in a wrong world came to against the rule of its mode; undefined where that is right. */
function judgeReplay(rule: Rule, replay: FailingReplay, { control, replays }: Facts): Outcome | undefined {
  const { run, calls, verifies, isInjected } = replay;
  if (rule.isRight(replay)) return undefined;
  const open = rule.openIn(replay);
  if (open !== undefined) return undecided(open, [run, calls]);
  const injected = rule.injected !== undefined && !verifies ? 'not-verified' : rule.injected;
  const diagnosis = wrong(isInjected ? (injected ?? rule.otherwise) : rule.otherwise);
  const restsOn = (rule === WARN ? ownerOf(replay, control) : undefined) ?? laterIn(run);
  const accepted = rule.injected === undefined ? [] : worldsOf(replays.filter((each) => each.isInjected));
  const actual = [fateText(replay), ...accepted].join('; injected in the ');
  const isAccepted = accepted.length === replays.filter((each) => !rule.isRight(each)).length;
  const owned = isAccepted ? acceptedIn(accepted) : OF_ITS_MODE;
  return fail({ expected: rule.expected, actual, diagnosis, restsOn, ...owned }, [run, calls]);
}

/** The worlds of replays, each in one word, by which rows about verification know those of each other. */
function worldsOf(replays: readonly FailingReplay[]): readonly string[] {
  return replays.map(({ run }) => run.role.replaceAll(' ', '-'));
}

/** What is wrong in worlds that are taken for right, whatever the mode: the row about strict tells where it names all of them. */
const acceptedIn = (worlds: readonly string[]) => ({ places: worlds.map((world) => `/${world}`) });

/** What is wrong about what a mode does when a verification fails. */
const OF_ITS_MODE = { apart: ['once.verification-strict'] };

/** once.verification-strict: a failed verification fails the run for good, and nothing is injected. */
export function judgeStrict(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  const [found] = replays.flatMap((replay) => judgeReplay(STRICT, replay, facts) ?? judgeAfterwards(replay) ?? []);
  const left = found ?? withoutControl ?? withoutReplays ?? withoutVerification;
  return left ?? leftWithout(replays.map(({ run, later }) => later?.run ?? afterwards(run.role))) ?? pass(evidence);
}

function judgeAfterwards({ run, later }: FailingReplay): Outcome | undefined {
  if (later === undefined || later.run.problem !== null) return undefined;
  if (later.hasFailed && !later.hasCompleted && !later.isInjected) return undefined;
  const expected = `${named(run)} stays failed when the world is right again`;
  return fail({ expected, actual: fateText(later), diagnosis: wrong('not-for-good') }, [later.run, run]);
}

/**
 * once.verification-warn: a failed verification is counted, and the recorded result is injected all the same. A host whose
 * replay does not come through in the right world either says nothing of a wrong one.
 */
function judgeWarn(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  if (withoutControl !== undefined) return withoutControl;
  // What a right world raises is no sign of a wrong one, so it is judged before what that raises.
  const found = replays.flatMap((replay) => judgeReplay(WARN, replay, facts) ?? [])[0] ?? countedInVain(facts);
  const left = found ?? judgeCount(replays.filter(isUncounted)) ?? withoutReplays;
  return left ?? replays.flatMap((replay) => uncounted(replay) ?? [])[0] ?? withoutVerification ?? pass(evidence);
}

function isUncounted({ counter, counterBefore }: FailingReplay): boolean {
  return (counter?.total ?? Infinity) <= (counterBefore?.total ?? 0);
}

/** A failed verification raises the counter, whether each run has its own or all runs share one. */
function judgeCount(replays: readonly FailingReplay[]): Outcome | undefined {
  const [first] = replays;
  if (first?.counter === undefined) return undefined;
  const { run, calls, verifies, counter, counterBefore } = first;
  const expected = `ConfirmationReplayWarnTotal of more than ${counterBefore?.total ?? 0} for ${named(run)}`;
  const diagnosis = wrong(verifies ? 'not-counted' : 'not-verified');
  const evidence = [counter, ...(counterBefore === undefined ? [] : [counterBefore]), run, calls];
  const worlds = worldsOf(replays);
  const actual = [`${counter.total}`, ...worlds].join('; not counted in the ');
  return fail({ expected, actual, diagnosis, restsOn: laterIn(run), ...acceptedIn(worlds) }, evidence);
}

/** The check about replays from later events that are no replays, as copies of a log are. */
function laterIn({ role }: RecordedRun): string | undefined {
  return role === ROLES.midway ? 'replay.divergence-is-reported.later' : undefined;
}

/** A counter that a replay in the recorded world raises; one that runs share is not raised by it either. */
function countedInVain({ control, counters: [before, after] }: Facts): Outcome | undefined {
  if (control === undefined || before === undefined || after === undefined) return undefined;
  if (before.total === null || after.total === null || after.total <= before.total) return undefined;
  const expected = `ConfirmationReplayWarnTotal of ${before.total} for ${named(control.run)}, where the world agrees`;
  const mismatch = { expected, actual: `${after.total}`, diagnosis: wrong('counted-in-vain'), ...OF_ITS_MODE };
  return fail(mismatch, [after, before, control.run]);
}

function uncounted({ run, counter }: FailingReplay): Outcome | undefined {
  if (counter !== undefined && counter.total !== null) return undefined;
  const why = counter?.problem ?? 'the counter was not read';
  return undecided(`the result is injected, but how often verifications failed is not known: ${why}`, [run]);
}

/** once.verification-human: a failed verification parks the run, and nothing is injected. */
function judgeParked(facts: Facts): Outcome {
  const { replays, withoutControl, withoutReplays, withoutVerification, evidence } = facts;
  const [found] = replays.flatMap((replay) => judgeReplay(HUMAN, replay, facts) ?? []);
  const left = found ?? withoutControl ?? withoutReplays ?? withoutVerification;
  const waits = replays.every(({ run }) => isWaiting(run));
  return left ?? pass(evidence, waits ? 'the run waits' : 'the run ends with an error that names it');
}

/** once.verification-human.resume: the run goes on when a person has confirmed. */
function judgeResumed({ replays, control, withoutControl, withoutReplays, evidence }: Facts): Outcome {
  const parked = replays.filter(({ run, isInjected }) => isWaiting(run) && !isInjected);
  if (parked.length > 0) {
    return (
      openOf(parked.map((replay) => judgeConfirmed(replay, control))) ??
      withoutControl ??
      withoutReplays ??
      pass(evidence)
    );
  }
  const isExplained = replays.every(
    ({ run, hasFailed, isInjected }) => hasFailed && !isInjected && needsPerson(eventsOf(run), run.snapshot),
  );
  if (replays.length > 0 && isExplained) {
    const reason = 'the host ends the run with an error that names the confirmation: nothing waits';
    return notApplicable(reason, evidence);
  }
  return withoutReplays ?? undecided('no replay was parked', evidence);
}

function judgeConfirmed({ run, confirmation, later }: FailingReplay, control: Fate | undefined): Outcome {
  const path = 'POST /v1/runs/{runId}/interrupts/charge';
  const answered = confirmation?.answered ?? null;
  if (confirmation === undefined || !isSuccess(answered)) {
    const reason = `${path} answered ${answered ?? 'nothing'} to ${named(run)}: let a person confirm there`;
    return undecided(reason, confirmation === undefined ? [run] : [confirmation, run]);
  }
  if (later === undefined) return leftUndriven(confirmed(run.role), [run]);
  const evidence = [later.run, confirmation, run];
  const accepted = `when ${path} was answered with ${answered ?? ''}`;
  const stuck = stuckAt(later.run);
  if (stuck !== undefined) {
    const expected = `an end of ${named(run)} in three time-outs ${accepted}; where the host needs longer, raise --timeout`;
    return fail({ expected, actual: `status ${stuck}`, diagnosis: wrong('in-flight-for-ever') }, evidence);
  }
  const left = leftWithout([later.run]);
  if (left !== undefined) return left;
  if (comesThrough(later) && later.otherwise === undefined) return pass(evidence);
  const expected = `${named(run)} completes with the recorded result ${accepted}`;
  const restsOn = ownerOf(later, control);
  return fail({ expected, actual: fateText(later), diagnosis: wrong('not-resumed'), restsOn }, evidence);
}

/** The status of a run that a person has confirmed and that is not over; undefined where it is, or nobody knows. */
function stuckAt(later: RecordedRun): string | undefined {
  const status = statusIn(later.snapshot);
  if (later.problem === null || status === undefined) return undefined;
  return isBusy(status) || isWaiting(later) ? status : undefined;
}

/** What sets one mode apart from the others. */
interface Mode {
  readonly mode: 'strict' | 'warn' | 'human';
  readonly where: string;
  readonly following: Following;
  readonly checks: readonly JudgedCheck<Facts>[];
}

function verification({ mode, where, following, checks }: Mode): Scenario {
  const workflowId = `conformance-determinism-verify-${mode}`;
  return defineScenario({
    id: `once.verification-${mode}`,
    suite: 'at-most-once',
    title: `Replays whose verification fails, where ${where}`,
    gate: verificationMode(mode === 'human' ? 'human-in-loop' : mode),
    needs: [
      { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
      { kind: 'witness' },
      { kind: 'fixture', workflowId },
    ],
    exclusive: [`workflow:${workflowId}`],
    patience: () => 60,
    drive: (probe) => driveVerification(probe, workflowId, following),
    see: seeVerification,
    checks,
  });
}

/** sem §5, strict. */
export const verificationStrict = verification({
  mode: 'strict',
  where: 'that is an error',
  following: { followUp: putRight },
  checks: [
    {
      id: 'once.verification-strict',
      title: 'The run fails for good, and the recorded result is not injected',
      judge: judgeStrict,
    },
  ],
});

/** sem §5, warn. */
export const verificationWarn = verification({
  mode: 'warn',
  where: 'that is only counted',
  following: { followUp: readCounter, count: readCounter },
  checks: [
    {
      id: 'once.verification-warn',
      title: 'The failure is counted, and the recorded result is injected',
      judge: judgeWarn,
    },
  ],
});

/** sem §5, human-in-loop. */
export const verificationHuman = verification({
  mode: 'human',
  where: 'a person decides',
  following: { followUp: confirm },
  checks: [
    {
      id: 'once.verification-human',
      title: 'The run is parked, and the recorded result is not injected before a person has confirmed it',
      judge: judgeParked,
    },
    {
      id: 'once.verification-human.resume',
      title: 'The run goes on with the recorded result when a person has confirmed it',
      judge: judgeResumed,
    },
  ],
});
