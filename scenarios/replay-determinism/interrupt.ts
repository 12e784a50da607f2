import { fail, isOutcome, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { member } from '../../src/contract/discovery.ts';
import { endOf, isParked } from '../../src/protocol/run-status.ts';
import { defineScenario, type Judging } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { OF_A_REPLAY } from '../shared/foundations.ts';
import { type AnswerObservation, answerRun, isAccepted, startAsking } from '../shared/answering.ts';
import { type AnyRun, runsIn, wholeRunsIn } from '../shared/every-run.ts';
import { SWEEP } from '../shared/swept-runs.ts';
import type { Tried } from '../shared/first-executed.ts';
import { isUnknown } from '../shared/first-run.ts';
import { isAsking } from '../shared/open-question.ts';
import { leftUndriven, leftUntil, leftWithout, runOf, runsOf, type RecordedRun } from '../shared/need.ts';
import { isDivergence, nodeOf } from '../shared/read-event.ts';
import { isOnlyOfOtherMode } from '../shared/other-mode.ts';
import {
  ASKING,
  type Asking,
  ASKS_AGAIN,
  hasEnded,
  PAST_ANSWERS,
  replayPastQuestion,
} from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import { isObserved, readAgain, type RunObservation } from '../shared/run-observation.ts';
import { settle } from '../shared/settle.ts';
import { compareValues, shownValues, type Watched } from '../shared/shown-values.ts';
import { wrong } from './diagnoses.ts';
import { answeredGate } from './several-questions.ts';
import { ofType } from '../shared/of-type.ts';
import { sharedCause } from '../shared/diagnoses.ts';

const [, OWN] = ASKING;
const WATCHED: Watched = { variables: ['approval', 'approvalCopy'], nodes: ['ask', 'after', 'gate'] };

const SOURCE = 'source';

const SEED = `seed ${ASKING.map(({ workflowId }) => workflowId).join(' or ')}`;

const unasked = 'replay.interrupt-short-circuits';

type InterruptObservation = RunObservation | AnswerObservation;

/** How the roles end of what is driven of our workflow, where the public one does not show its answer. */
const SHOWN = ` of ${OWN.workflowId}`;

async function drive(probe: Probe): Promise<readonly InterruptObservation[]> {
  const asked = await startAsking(probe, SOURCE);
  const seen = await driveAsked(probe, asked, '');
  const [source] = seen;
  const isDriven = source?.type === 'run' && source.problem === null && seen.length > 2;
  if (!isDriven || asked.candidate === OWN || shownValues(source, WATCHED).size > 0) return seen;
  const own = await startAsking(probe, SOURCE + SHOWN, [OWN]);
  return isObserved(own.run) ? [...seen, ...(await driveAsked(probe, own, SHOWN))] : seen;
}

/** Answers a run that asks, and replays it; the roles of all of that end alike. */
async function driveAsked(
  probe: Probe,
  { candidate: fixture, run: asking }: Tried<Asking>,
  of: string,
): Promise<readonly InterruptObservation[]> {
  if (asking.problem !== null || hasEnded(asking)) return [asking];
  const answer = await answerRun(probe, asking, fixture.nodeId, fixture.goesOn);
  if (!isAccepted(answer)) return [asking, answer];
  const source = await readAgain(probe, asking, { role: SOURCE + of });
  if (source.problem !== null) return [source, answer];
  const full = await replayAndAnswer(probe, { source, fixture }, `full replay${of}`);
  const fromSeq = afterQuestion(source);
  const later =
    fromSeq === undefined
      ? []
      : await replayAndAnswer(probe, { source, fixture }, `replay from ${fromSeq}${of}`, fromSeq);
  const [replay, ...answers] = full;
  // One that asked again says enough of those that are made of it.
  const isWhole = replay?.type === 'run' && isObserved(replay) && answers.length === 0;
  const again = isWhole ? await replayAndAnswer(probe, { source: replay, fixture }, `replay of the replay${of}`) : [];
  return [source, answer, ...full, ...later, ...again];
}

/** In the source's node, between the question and its answer. */
function afterQuestion(source: RunObservation): number | undefined {
  const events = eventsOf(source);
  return events[events.findIndex(isAsking) + 1]?.sequence;
}

/**
 * Replays the run. Where a question shows and the run does not go on by itself, it is answered, with another value: a host
 * that takes that has asked again.
 */
async function replayAndAnswer(
  probe: Probe,
  { source, fixture }: { readonly source: RunObservation; readonly fixture: Asking },
  role: string,
  fromSeq?: number,
): Promise<readonly InterruptObservation[]> {
  const { replay, waits, status } = await replayPastQuestion(probe, source, { role, fromSeq });
  if (!waits) return [replay];
  const answer = await answerRun(probe, replay, fixture.nodeId, fixture.goesOn);
  return [await readAgain(probe, replay, { role }), status === undefined ? answer : { ...answer, status }];
}

type Recording = readonly Recorded<InterruptObservation>[];

/** A source whose question was answered, its replays, and the answers that each was given. */
interface Answered {
  readonly source: RecordedRun;
  readonly replays: readonly RecordedRun[];
  readonly answersTo: (run: RecordedRun) => readonly Recorded<AnswerObservation>[];
}

/** What was seen of questions that somebody answered. */
interface Questions {
  /** The source that asked and was answered, or the outcome that is left. */
  readonly own: Answered | Outcome;
  /** Ours, which shows the answer, where that does not. */
  readonly shown: Answered | Outcome;
  /** Replays of whatever else a sweep ran and answered, each with its source. */
  readonly swept: readonly { readonly source: AnyRun; readonly replay: AnyRun }[];
  /** The failure of a replay, by whatever scenario, that shows an answer under another key than its source. */
  readonly otherKey: Outcome | undefined;
}

function see(recorded: Recording, { everything }: Judging): Questions {
  const all = runsIn(everything);
  const runs = all.filter(({ scenario }) => scenario === SWEEP);
  const sourceOf = ({ fork }: AnyRun): AnyRun | undefined =>
    fork === null ? undefined : runs.find(({ runId }) => runId !== null && runId === fork.sourceRunId);
  const swept = runs.flatMap((replay) => {
    const from = replay.role.startsWith(PAST_ANSWERS) ? sourceOf(replay) : undefined;
    const source = from && (sourceOf(from) ?? from);
    return source?.fork === null ? [{ source, replay }] : [];
  });
  const isOfShown = (each: Recording[number]): boolean => 'role' in each && each.role.endsWith(SHOWN);
  const own = answeredIn(recorded.filter((each) => !isOfShown(each)));
  const shown = answeredIn(recorded.filter(isOfShown), SOURCE + SHOWN);
  // Where nothing else asked, a gate that three people open shows it as well.
  const isUnasked = recorded.length > 0 && isOutcome(own) && swept.length === 0;
  return {
    own,
    shown,
    swept: isUnasked ? answeredGate(all) : swept,
    otherKey: otherKeyIn(wholeRunsIn(everything)),
  };
}

/** The nodes and keys of the answers in a log, from this number on. */
function keysIn(events: readonly RunEvent[], from = 0): ReadonlySet<string> {
  const answers = events.filter(({ type, sequence }) => type === 'interrupt.resolved' && sequence >= from);
  return new Set(
    answers.flatMap((event) => {
      const key = member(event.payload, 'key');
      return typeof key === 'string' ? [JSON.stringify([nodeOf(event) ?? null, key])] : [];
    }),
  );
}

/**
 * replay.md, Determinism 2: an answer that a replay takes is that of its key. A host may give each run keys of its own: those that another
 * run of the workflow has, too, are none. A run that had not ended when it was read may have been answered again since.
 */
function otherKeyIn(all: readonly AnyRun[]): Outcome | undefined {
  const seen = all.filter(isObserved);
  const plain = seen
    .filter((run) => run.fork === null && run.workflowId !== undefined && endOf(eventsOf(run)) !== undefined)
    .map((run) => ({ run, keys: keysIn(eventsOf(run)) }))
    .filter(({ keys }) => keys.size > 0);
  for (const replay of seen) {
    const source = plain.find(({ run }) => run.runId === replay.fork?.sourceRunId);
    if (source === undefined || replay.fork?.mode !== 'replay' || eventsOf(replay).some(isDivergence)) continue;
    const given = [...source.keys];
    const nodes = new Set(eventsOf(source.run).map(nodeOf));
    // A node that the source does not know is another history.
    const answers = eventsOf(replay).filter((event) => nodes.has(nodeOf(event)));
    const other = [...keysIn(answers, replay.fork.fromSeq ?? 0)].find((key) => !source.keys.has(key));
    if (other === undefined) continue;
    const twin = plain.find(
      ({ run, keys }) =>
        run.runId !== source.run.runId &&
        run.workflowId === source.run.workflowId &&
        given.every((key) => keys.has(key)),
    )?.run;
    if (twin === undefined) continue;
    const expected = `answers under the keys ${given.join(', ')}, as in ${named(source.run)} and ${named(twin)}; or replay.diverged`;
    const actual = `${other} in ${named(replay)}`;
    return fail({ diagnosis: wrong('silent-divergence'), expected, actual }, [replay, source.run, twin]);
  }
  return undefined;
}

function answeredIn(recorded: Recording, role = SOURCE): Answered | Outcome {
  const answersTo = (run: RecordedRun): readonly Recorded<AnswerObservation>[] =>
    ofType<AnswerObservation>(recorded, 'answer').filter((each) => each.role === run.role);
  const source = runOf(recorded, role);
  const left = leftWithout([source ?? role]);
  if (source === undefined || left !== undefined) {
    const why = left ?? leftUndriven(role);
    return source === undefined || isUnknown(source) ? leftUntil(SEED, 'no workflow that asks was seen', why) : why;
  }
  const [answer] = answersTo(source);
  if (answer === undefined) return undecided(`${named(source)} ended without a question`, [source]);
  if (!isAccepted(answer)) {
    const path = 'POST /v1/runs/{runId}/interrupts/{nodeId}';
    const why = `${path} answered ${answer.answered ?? 'nothing'} to the source's question`;
    return undecidedUntil(`take answers at ${path}`, why, [source, answer]);
  }
  const forks = runsOf(recorded).filter(({ fork }) => fork !== null);
  return forks.length === 0 ? undecided('no replay was driven', [source]) : { source, replays: forks, answersTo };
}

function judgeUnasked({ own, shown, swept, otherKey }: Questions): Outcome {
  const theirs = swept.flatMap(({ source, replay }) => judgeSwept(source, replay) ?? []);
  const ours = [own, ...(isOutcome(shown) ? [] : [shown])];
  const others = otherKey === undefined ? theirs : [...theirs, otherKey];
  return settle([...ours.map((each) => (isOutcome(each) ? each : judgeAnswered(each))), ...others]);
}

/** A replay that ends in another way, or that was not seen, is the business of other rows. */
function judgeSwept(source: AnyRun, replay: AnyRun): Outcome | undefined {
  if (replay.problem === ASKS_AGAIN) {
    const expected = `${named(replay)} goes on with the answer that ${named(source)} was given`;
    const actual = 'it asked again, and waited until it was cancelled';
    return fail({ expected, actual, diagnosis: sharedCause('asked-again') }, [replay, source]);
  }
  const isAlike = isObserved(replay) && endOf(eventsOf(replay)) === endOf(eventsOf(source));
  // Whoever asked nobody answered nothing that could be kept.
  return isAlike && eventsOf(source).some(isAsking) ? pass([replay, source]) : undefined;
}

function judgeAnswered({ source, replays: forks, answersTo }: Answered): Outcome {
  const asRequested = forks.filter((replay) => !isOnlyOfOtherMode(replay));
  for (const replay of asRequested) {
    const accepted = answersTo(replay).find(isAccepted);
    if (accepted === undefined) continue;
    const expected = `${named(replay)} takes the answer that ${named(source)} was given`;
    const evidence = [replay, accepted, source];
    if (!JSON.stringify([replay.events, replay.snapshot]).includes(accepted.mark)) {
      if (isParked(accepted.status)) {
        const actual = `it was ${accepted.status ?? ''}, and asked for one again, before it went on`;
        return fail({ expected, actual, diagnosis: sharedCause('asked-again') }, evidence);
      }
      const reason = `${named(replay)} accepted another answer and does not show it: raise --timeout, if the host is slow`;
      return undecided(reason, [replay, accepted]);
    }
    const actual = `it took another one, which was answered with ${accepted.answered ?? ''}`;
    return fail({ expected, actual, diagnosis: sharedCause('asked-again') }, evidence);
  }
  for (const replay of asRequested) {
    // Nobody can make it go on: that it waits at all is asking again.
    const refused = replay.problem === null ? undefined : answersTo(replay).find(({ status }) => isParked(status));
    if (refused === undefined) continue;
    const expected = `${named(replay)} goes on with the answer that ${named(source)} was given`;
    const actual = `it stayed ${refused.status ?? ''}, and another answer was answered with ${refused.answered ?? 'nothing'}`;
    return fail({ expected, actual, diagnosis: sharedCause('asked-again') }, [replay, refused, source]);
  }
  const left = leftWithout(forks);
  if (left !== undefined) return left;
  const cut = forks.find((replay) => !eventsOf(replay).some(({ type }) => type === 'run.completed'));
  return cut === undefined
    ? pass([...forks, source])
    : undecided(`${named(cut)} did not complete as ${named(source)} did`, [cut, source]);
}

function judgeValue({ own: first, shown }: Questions): Outcome {
  if (isOutcome(first)) return first;
  const own = isOutcome(shown) ? first : shown;
  const { source, replays: forks } = own;
  const left = leftWithout(forks);
  // A replay that stays at its question has asked again.
  const open = left?.kind === 'rests' ? left.otherwise : left;
  if (open?.kind === 'undecided' && judgeAnswered(own).kind === 'fail') return rests(unasked, open);
  if (left !== undefined) return left;
  if (shownValues(source, WATCHED).size === 0) {
    const where = 'hands it on in the variables approval and approvalCopy';
    return undecided(`the run does not show the answer: ${OWN.workflowId} ${where}`, [source]);
  }
  for (const replay of forks) {
    const compared = compareValues(source, replay, WATCHED);
    if (compared.kind === 'nothing') return undecided(`${named(replay)} shows no answer`, [replay, source]);
    if (compared.kind === 'other') {
      // What a replay of a replay puts out otherwise, whatever it is, the row about those says.
      const restsOn = replay.fork?.sourceRunId === source.runId ? undefined : OF_A_REPLAY;
      return fail({ ...compared.mismatch, diagnosis: wrong('other-resume-value'), restsOn }, [replay, source]);
    }
  }
  return pass([...forks, source]);
}

/** replay.md, Determinism 2: of the workflows of this project or the public ones, and of whatever a sweep answered. */
export const interrupt = defineScenario({
  id: unasked,
  suite: 'replay-determinism',
  title: 'A question that somebody answered',
  needs: [replays],
  foundation: true,
  drive,
  see,
  checks: [
    { id: unasked, title: 'An interrupt resolved in the source is not asked again', judge: judgeUnasked },
    {
      id: `${unasked}.recorded-value`,
      title: 'The replay goes on with the value that the source was given',
      judge: judgeValue,
    },
  ],
});
