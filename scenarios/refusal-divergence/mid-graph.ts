import type { Observation } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded, ScenarioOptions } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { startFork, startRun, type RunObservation } from '../shared/run-observation.ts';
import { stage } from '../shared/seams.ts';
import { always, programEntry, refusalAnswer, validAnswer } from './answers.ts';
import { PHASE_4_REPLAY } from './direction.ts';
import { compareHistories } from './history.ts';
import { RAISED, statusOf } from './met.ts';
import { isWithin, spanOf, startOf, textMember } from './node-span.ts';
import type { SeenRun } from './observation.ts';
import { settle, type Outcome } from './outcome.ts';
import { nodeOf } from '../shared/node-of.ts';

const id = 'refusal.mid-graph';
const workflowId = 'conformance-determinism-llm-chain';
const [FIRST, DIVERGING, LAST] = ['first-call', 'second-call', 'third-call'] as const;
const REPLAYS = ['replay', "replay from the second call's start"] as const;

/** Why the models of the chain could not be staged; null where they were. */
interface StagingObservation extends Observation {
  readonly type: 'staging';
  readonly problem: string | null;
}

type ChainObservation = StagingObservation | RunObservation;

/** Every call has one answer left that its source did not get, so that a call too many shows. */
const PROGRAMS = [FIRST, DIVERGING, LAST].map((nodeId) => ({
  nodeId,
  program: [validAnswer(true), ...always(validAnswer(false))].map(programEntry),
}));

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly ChainObservation[]> {
  const exchanges: string[] = [];
  const staging = (problem: string | null): StagingObservation => ({ type: 'staging', problem, exchanges });
  const staged = await Promise.all(PROGRAMS.map(({ nodeId, program }) => stage(probe.host, nodeId, program)));
  exchanges.push(...staged.map(({ exchange }) => exchange));
  const problem = staged.map((answer) => answer.problem).find((each) => each !== null);
  if (problem !== undefined) return [staging(problem)];
  const source = await startRun(probe, { workflowId, inputs: {} }, { role: 'source' });
  const changed = await stage(probe.host, DIVERGING, always(refusalAnswer(options)).map(programEntry));
  exchanges.push(changed.exchange);
  if (changed.problem !== null) return [staging(changed.problem), source];
  const fromSeq = startOf(source, DIVERGING);
  const from: readonly object[] = fromSeq === undefined ? [{}] : [{}, { fromSeq }];
  const replays: RunObservation[] = [];
  for (const [at, start] of from.entries()) {
    replays.push(await startFork(probe, source, { mode: 'replay', ...start }, { role: REPLAYS[at] ?? '' }));
  }
  // A refusal that stays staged would meet later runs of other scenarios.
  exchanges.push((await stage(probe.host, DIVERGING, [programEntry(validAnswer(true))])).exchange);
  return [staging(null), source, ...replays];
}

function judge(observations: readonly Recorded<ChainObservation>[], volatile: readonly string[]): readonly Outcome[] {
  const open = (reason: string): readonly Outcome[] => [
    { kind: 'open', reason, evidence: observations.map((each) => each.id) },
  ];
  const problem = observations
    .map((each) => (each.type === 'staging' ? each.problem : null))
    .find((each) => each !== null);
  if (problem !== undefined && problem !== null) return open(problem);
  const source = runOf(observations, 'source');
  const hidden = unseen(id, [source]);
  if (source === undefined || hidden !== undefined) return open(hidden?.reason ?? 'no source was driven');
  if (statusOf(source) !== 'completed') return open('the source did not complete with the valid answers of its models');
  const replays = REPLAYS.map((role) => runOf(observations, role)).filter((run) => run !== undefined);
  return replays.map((replay) => judgeReplay(source, replay, volatile));
}

function judgeReplay(source: SeenRun, replay: SeenRun, volatile: readonly string[]): Outcome {
  const evidence = [replay.id, source.id];
  const hidden = unseen(id, [replay]);
  if (hidden?.verdict === 'fail') {
    const { check: _, verdict: __, ...failure } = hidden;
    return { kind: 'fail', ...failure, expected: failure.expected ?? '', actual: failure.actual ?? '' };
  }
  if (hidden !== undefined) return { kind: 'open', evidence, reason: hidden.reason ?? '' };
  const events = eventsOf(replay);
  const raised = events.filter(({ type }) => type === RAISED);
  if (raised.length === 0) return { kind: 'open', evidence, reason: `${named(replay)} has no ${RAISED} to look at` };
  const isRight = namesTheCall(source, replay);
  const wrong = raised.find((event) => !isRight(event));
  if (wrong !== undefined) {
    const names = [wrong.nodeId, textMember(wrong.payload, 'nodeId')].map((name) => name ?? 'no node');
    return {
      kind: 'fail',
      expected: `${RAISED} for ${DIVERGING} alone: the other calls have their recorded answers`,
      actual: `one for ${[...new Set(names)].join(' and ')} at sequence ${wrong.sequence} of ${named(replay)}`,
      evidence,
    };
  }
  const later = events.find((event) => event.type === 'node.started' && nodeOf(event) === LAST);
  if (later !== undefined) {
    const actual = `node.started at sequence ${later.sequence} of ${named(replay)}`;
    return { kind: 'fail', expected: `${LAST} does not start after ${DIVERGING} diverged`, actual, evidence };
  }
  const compared = compareHistories({ source, nodeId: DIVERGING, volatile }, replay);
  if (compared.kind === 'different') return { kind: 'fail', ...compared.mismatch, evidence };
  if (compared.kind === 'unreadable') return { kind: 'open', reason: compared.reason, evidence };
  const note = volatile.length === 0 ? undefined : `declared volatile and not compared: ${volatile.join(', ')}`;
  return { kind: 'pass', evidence, note };
}

/** Tells whether an event names the diverging call alone: by its node, and by its place in one of the two logs. */
function namesTheCall(source: SeenRun, replay: SeenRun): (event: RunEvent) => boolean {
  const [own, ...others] = [spanOf(replay, DIVERGING), spanOf(source, FIRST), spanOf(source, LAST)];
  return (event) => {
    const payload = isRecord(event.payload) ? event.payload : {};
    const at = Object.hasOwn(payload, 'atSequence') ? payload['atSequence'] : undefined;
    const isElsewhere = typeof at === 'number' && !isWithin(own, at) && others.some((span) => isWithin(span, at));
    const names = [event.nodeId, textMember(payload, 'nodeId')].filter((name) => name !== undefined);
    return !isElsewhere && names.every((name) => name === DIVERGING);
  };
}

/** RFC 0041 §B in a longer graph: what stands before the diverging call stands in the replay as well. */
export const midGraph = defineJudgedScenario<ChainObservation>({
  ...PHASE_4_REPLAY,
  id,
  title: 'With several calls in a row, only the one that diverged is named and the history before it stands',
  checks: [{ id, requirement: id, title: 'Only the diverging call is named, and the history before it stands' }],
  needs: [...PHASE_4_REPLAY.needs.slice(0, 1), { kind: 'fixture', workflowId }],
  exclusive: ['mock-ai:llm-chain'],
  drive,
  judge: (observations, { volatile }) => [settle(id, judge(observations, volatile))],
});
