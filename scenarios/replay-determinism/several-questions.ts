import { member } from '../../src/contract/discovery.ts';
import { fail, isOutcome, type Outcome, pass, rests, undecided, undecidedUntil } from '../../src/contract/outcome.ts';
import { diffValues } from '../../src/event-log/index.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { startAnswered } from '../shared/answered-run.ts';
import { eventsOf, named, shown } from '../shared/compare-runs.ts';
import type { AnyRun } from '../shared/every-run.ts';
import { need, runOf, type RecordedRun } from '../shared/need.ts';
import { isDivergence, nodeOf } from '../shared/read-event.ts';
import { isAsking } from '../shared/open-question.ts';
import type { Recordings } from '../shared/of-type.ts';
import { ASKS_AGAIN, hasEnded, replayAnswered } from '../shared/past-question.ts';
import { replays } from '../shared/replays.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { wrong } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';
import { alone } from '../shared/causes.ts';

/** A gate that three people open: hosts ask them one after the other under keys of their own, or all under one. */
const WORKFLOW = 'conformance-interrupt-quorum';
const ANSWERS = 3;
const FULL = 'full replay';
const UNASKED = 'replay.interrupt-short-circuits';
const id = `${UNASKED}.own-keys`;

/** The gate's run, and its replay, among all runs; nothing where it was not seen so far. */
export function answeredGate(all: readonly AnyRun[]): readonly { readonly source: AnyRun; readonly replay: AnyRun }[] {
  const own = all.filter(({ scenario }) => scenario === id);
  const source = own.find(({ role }) => role === 'source');
  const replay = own.find(({ role }) => role === FULL);
  return source === undefined || replay === undefined ? [] : [{ source, replay }];
}

async function drive(probe: Probe): Promise<readonly RunObservation[]> {
  const how = { role: 'source', ms: probe.timeoutMs * ANSWERS, marked: true };
  const source = await startAnswered(probe, { workflowId: WORKFLOW, inputs: {} }, how);
  if (source.problem !== null || !hasEnded(source)) return [source];
  return [source, await replayAnswered(probe, source, FULL)];
}

/** An answered question of a node, under its key. */
interface Answered {
  readonly nodeId: string;
  readonly key: string;
  readonly value: unknown;
}

/**
 * The answers that a log shows: in interrupt.resolved, or in node.resumed where a host has no such event; the key may stand in
 * node.suspended alone then.
 */
function answeredIn(run: RecordedRun): readonly Answered[] {
  const events = eventsOf(run);
  const answers = answerTypeOf(run);
  const requested = new Map<string, string>();
  return events.flatMap((event) => {
    const [nodeId, given, value] = [nodeOf(event), member(event.payload, 'key'), member(event.payload, 'resumeValue')];
    if (nodeId === undefined) return [];
    const key = typeof given === 'string' ? given : event.type === answers ? requested.get(nodeId) : undefined;
    if (key !== undefined && isAsking(event)) requested.set(nodeId, key);
    return event.type === answers && key !== undefined && value !== undefined ? [{ nodeId, key, value }] : [];
  });
}

function answerTypeOf(run: RecordedRun): string {
  return eventsOf(run).some(({ type }) => type === 'interrupt.resolved') ? 'interrupt.resolved' : 'node.resumed';
}

/** The answers of a node that was answered under several keys, under each once, and not always alike. */
function severalIn(run: RecordedRun): readonly Answered[] {
  const all = answeredIn(run);
  return [...new Set(all.map(({ nodeId }) => nodeId))].flatMap((node) => {
    const own = all.filter(({ nodeId }) => nodeId === node);
    const single = own.filter(({ key }) => own.filter((each) => each.key === key).length === 1);
    return new Set(single.map(({ value }) => JSON.stringify(value))).size > 1 ? single : [];
  });
}

const ONE_KEY_EACH = 'give each question of a node a key of its own';

/** replay.md, Determinism 2: an interrupt with key K goes on with the value that was given under K. */
function judge(recorded: Recordings): Outcome {
  const again = runOf(recorded, FULL);
  if (again?.problem === ASKS_AGAIN) {
    const expected = `${named(again)} goes on with the answers that its source was given`;
    const actual = 'it asked again, and waited until it was cancelled';
    return fail({ expected, actual, diagnosis: sharedCause('asked-again'), restsOn: UNASKED }, [again]);
  }
  const runs = need(recorded, 'source', FULL);
  if (isOutcome(runs)) return runs;
  const { source, [FULL]: replay } = runs;
  const evidence = [replay, source];
  const given = severalIn(source);
  if (given.length === 0) {
    const why = `${named(source)} shows no node that was answered under several keys, each with another value`;
    const shared = answeredIn(source);
    const isShared = shared.length > new Set(shared.map(({ nodeId, key }) => JSON.stringify([nodeId, key]))).size;
    const step = isShared ? ONE_KEY_EACH : 'give key and resumeValue in interrupt.resolved or node.resumed';
    return undecidedUntil(step, why, [source]);
  }
  const taken = answeredIn(replay);
  const ids = { pointer: '', sourceRunId: source.runId ?? '', replayRunId: replay.runId ?? '' };
  let compared = 0;
  for (const { nodeId, key, value } of given) {
    const same = taken.filter((each) => each.nodeId === nodeId && each.key === key);
    compared += same.length > 0 ? 1 : 0;
    const differs = ({ value: here }: Answered): boolean => diffValues(value, here, ids).length > 0;
    const [other] = same.every(differs) ? same : [];
    if (other === undefined) continue;
    const expected = `node ${nodeId} goes on with ${shown(value)} under the key ${shown(key)}, as in ${named(source)}`;
    const actual = `${shown(other.value)} in ${named(replay)}`;
    return fail(
      { expected, actual, diagnosis: wrong('other-resume-value'), restsOn: `${UNASKED}.recorded-value` },
      evidence,
    );
  }
  if (compared === given.length) return pass(evidence);
  const [asked, kept] = [source, replay].map(
    (run) => eventsOf(run).filter(({ type }) => type === answerTypeOf(run)).length,
  );
  // One that shows none of them may take them without a word.
  if (compared > 0 && Number(kept) < Number(asked) && !eventsOf(replay).some(isDivergence)) {
    const expected = `${given.length} answers under their keys, as in ${named(source)}; or replay.diverged`;
    return fail(
      { diagnosis: alone(wrong('other-resume-value')), expected, actual: `${compared} of them in ${named(replay)}` },
      evidence,
    );
  }
  const open = `${named(replay)} shows ${compared} of the ${given.length} answers of ${named(source)} under their keys`;
  return rests(UNASKED, undecided(open, evidence));
}

const title = 'A node that asks under several keys goes on with the value that was given under each';

/** replay.md, Determinism 2, where one node asks more than once. */
export const severalQuestions = defineScenario({
  id,
  suite: 'replay-determinism',
  title,
  needs: [replays, { kind: 'fixture', workflowId: WORKFLOW }],
  drive,
  checks: [{ id, title, judge }],
});
