import type { Judgement } from '../../src/contract/verdict.ts';
import type { Observation } from '../../src/evidence/types.ts';
import { isRecord, type RunEvent } from '../../src/host/run-event.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { compareLogs, eventsOf, rawOf } from '../shared/compare-runs.ts';
import { compareStates } from '../shared/compare-snapshots.ts';
import type { Compared } from '../shared/compared.ts';
import { declared } from '../shared/declared.ts';
import { runOf, unseen } from '../shared/judge-run.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';
import { callsOf, noncesIn, notCalled } from '../shared/witnessed-run.ts';
import { compareTold } from './compare-told.ts';
import { wrong } from './diagnoses.ts';
import type { SeenRun } from './swept-log.ts';

type Observations = readonly Recorded<Observation>[];

/** The node that calls the tool, and the one that copies its result. */
const TOOL = 'call-tool';
const COPY = 'after';

/** A source whose tool answered with a value that no other run has, with the replays of it. */
export interface ToolRuns {
  readonly source: SeenRun;
  readonly replays: readonly SeenRun[];
  readonly nonce: string;
  /** What the witness answered after the source run. */
  readonly later: readonly string[];
  readonly evidence: readonly string[];
}

/**
 * The runs of the tool, or the judgement that is left where they prove nothing: the witness was not called, the result is
 * nowhere in the log, or a fresh run shows the same.
 */
export function toolRuns(check: string, observations: Observations): ToolRuns | Judgement {
  const inconclusive = (reason: string, evidence: readonly string[]): Judgement => ({
    check,
    verdict: 'inconclusive',
    reason,
    evidence,
  });
  const [source, fresh] = [runOf(observations, 'source'), runOf(observations, 'fresh run')];
  const [calls, later] = [callsOf(observations, 'source'), callsOf(observations, 'replays')];
  if (calls !== undefined && calls.calls.length === 0) return inconclusive(notCalled(calls), [calls.id]);
  const replays = observations.filter((each): each is SeenRun => isReplay(each));
  const missing = unseen(check, [source, fresh, ...(replays.length === 0 ? [undefined] : replays)]);
  if (missing !== undefined) return missing;
  if (source === undefined || fresh === undefined || calls === undefined) return inconclusive('no run was driven', []);
  const nonce = noncesIn(calls).at(-1);
  const evidence = [...replays, source, fresh, calls].map(({ id }) => id);
  if (nonce === undefined || !says(source, nonce)) {
    return inconclusive(`the source's log shows nowhere what the tool answered (${nonce ?? 'nothing'})`, evidence);
  }
  if (says(fresh, nonce)) {
    return inconclusive('a fresh run shows the same result: the tool is not nondeterministic here', evidence);
  }
  const answered = later === undefined ? [] : noncesIn(later).slice(noncesIn(calls).length);
  return { source, replays, nonce, later: answered, evidence };
}

function isReplay(observation: Recorded<Observation>): boolean {
  return observation.type === 'run' && (observation as SeenRun).role.startsWith('replay from');
}

/** Whether a text occurs in a run's log. */
export function says({ events }: SeenRun, text: string): boolean {
  return JSON.stringify(events).includes(text);
}

/** Judges the result: what the tool returned, the variables, and what was computed from them (0041 §C.3). */
export function judgeResult(observations: Observations, volatile: readonly string[]): Judgement {
  const check = 'sequence.nondeterministic-tool';
  return judgeReplays({ check, observations, volatile }, ({ source, replays }) =>
    first(replays, (replay) => {
      const told = compareTold({ source, replay, wanted: isResult, volatile });
      return told.kind === 'same'
        ? compareStates(withVariables(source, volatile), withVariables(replay, volatile))
        : told;
    }),
  );
}

/** Judges everything that happened inside the tool's node, and the channels (0041 §C; replay.md, Phase 4 §C). */
export function judgeSideEffects(observations: Observations, volatile: readonly string[]): Judgement {
  const check = 'sequence.side-effects-cached';
  return judgeReplays({ check, observations, volatile }, ({ source, replays }) => {
    const made = insideTool(source).filter(({ type }) => !type.startsWith('node.'));
    if (made.length === 0) {
      return { kind: 'unreadable', reason: 'inside its tool node the source wrote no state and no event' };
    }
    return first(replays, (replay) => {
      const [a, b] = [source, replay].map((run) => ({ ...run, events: rawOf(insideTool(run)) }));
      const log = a === undefined || b === undefined ? undefined : compareLogs(a, b, volatile);
      return log?.kind === 'same'
        ? compareStates(withoutVolatile(source, volatile), withoutVolatile(replay, volatile))
        : (log ?? { kind: 'same' });
    });
  });
}

interface Judging {
  readonly check: string;
  readonly observations: Observations;
  readonly volatile: readonly string[];
}

function judgeReplays({ check, observations, volatile }: Judging, compare: (runs: ToolRuns) => Compared): Judgement {
  const runs = toolRuns(check, observations);
  if ('verdict' in runs) return runs;
  const { evidence, replays } = runs;
  const compared = compare(runs);
  if (compared.kind === 'unreadable') return { check, verdict: 'inconclusive', reason: compared.reason, evidence };
  if (compared.kind === 'same') {
    return declared({ check, verdict: 'pass', reason: `${replays.length} replays`, evidence }, volatile);
  }
  return { check, verdict: 'fail', ...compared.mismatch, ...diagnose(runs), evidence };
}

/** The first difference that one of the replays shows. */
function first(replays: readonly SeenRun[], compare: (replay: SeenRun) => Compared): Compared {
  return replays.map(compare).find(({ kind }) => kind !== 'same') ?? { kind: 'same' };
}

/** Names the cause where it shows: the tool was asked again, or only its return value was kept. */
export function diagnose({ replays, later, nonce }: ToolRuns): Pick<Judgement, 'diagnosis'> {
  if (replays.some((replay) => later.some((each) => says(replay, each)))) {
    const message = 'the replay shows what a second call of the tool answered';
    return { diagnosis: { code: 'second-call', message } };
  }
  if (replays.every((replay) => says(replay, nonce))) {
    return { diagnosis: wrong('return-value-only') };
  }
  return {};
}

function isResult({ type, nodeId }: RunEvent): boolean {
  if (type === 'variable.changed') return true;
  return type === 'node.completed' && (nodeId === TOOL || nodeId === COPY);
}

/** The run with the variables of its snapshot alone. */
function withVariables(run: SeenRun, volatile: readonly string[]): SeenRun {
  const { snapshot } = withoutVolatile(run, volatile);
  return isRecord(snapshot) ? { ...run, snapshot: { variables: snapshot['variables'] ?? null } } : run;
}

/** The events from the tool node's start to its end; those of the node alone where the log does not show both. */
function insideTool(run: SeenRun): readonly RunEvent[] {
  const events = eventsOf(run);
  const start = events.findIndex(({ type, nodeId }) => type === 'node.started' && nodeId === TOOL);
  const end = events.findIndex(({ type, nodeId }) => type === 'node.completed' && nodeId === TOOL);
  if (start === -1 || end < start) return events.filter(({ nodeId }) => nodeId === TOOL);
  return events.slice(start, end + 1);
}
