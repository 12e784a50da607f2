import {
  isOutcome,
  notApplicable,
  type Outcome,
  rests,
  undecided,
  undecidedUntil,
} from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';
import { besideLoop } from './beside-loop.ts';
import { has } from './chain.ts';
import { driveHandoff, withHiddenEvents, handingOff, handingOffFirst, readChildren } from './suite.ts';
import {
  ECHO,
  HANDOFF_CHILD,
  isOfPublic,
  NESTED,
  OUTCOME,
  PUBLIC,
  RELAY,
  SHARED,
  SUB_WORKFLOW,
  TELLER,
  TELLER_OUTPUT,
  TWO_WORKERS,
} from './fixtures.ts';
import { type AllRecorded, asRun, type HandoffRun, namingItself, readHandoff, recordedAs } from './handoff-run.ts';
import { judgeChild } from './judge-child.ts';
import { judgeHarvest } from './judge-harvest.ts';
import { judgeLaterLinks, judgeLinks } from './judge-links.ts';
import { judgeLoop, judgePath } from './path.ts';
import { judgePayloads } from './judge-payloads.ts';
import { judgeWorkers } from './judge-workers.ts';
import { judgeMappedOutput, judgeMapping, judgeRelay, type Mapped } from './judge-mapping.ts';
import type { ChildObservation } from './observation.ts';
import { OWNERS } from './owners.ts';

function mappingOf({ mappedTo, variable }: Mapped): Readonly<Record<string, string>> {
  return { [mappedTo]: variable };
}

/** The nodes of every parent here. */
const NODES = ['supervisor', 'dispatch'];

/** The public fixture: one worker, whose outcome is harvested. */
export const happy = defineScenario({
  ...handingOff(PUBLIC),
  id: 'handoff.public-fixture',
  title: 'A supervisor hands off to one worker, and ends',
  checks: [
    {
      id: 'handoff.happy-path',
      title: 'dispatch.began, dispatch.succeeded, child.completed and output.harvested, once each, in this order',
      judge: (recorded) => besideLoop(recorded, (each) => judgePath(each, 1)),
    },
    {
      id: 'handoff.causation-chain',
      title: "Each transition's causationId is the eventId of the one before it; the first points at the decision",
      judge: (recorded) => besideLoop(recorded, (each) => judgeLinks(each, 1)),
    },
    {
      id: 'handoff.harvest-exactly-when',
      title: 'A completed child whose outputs are mapped is harvested, once',
      judge: (recorded) => besideLoop(recorded, judgeHarvest),
    },
    {
      id: 'handoff.output-mapping',
      title: "Mapped outputs are in the parent's variables before its next decision",
      judge: (recorded) => judgeMapping(recorded, OUTCOME),
    },
    {
      id: 'handoff.loop',
      title: 'Each turn emits one decision, and terminate ends the run',
      judge: (recorded) => judgeLoop(recorded, ['next-worker', 'terminate']),
    },
    {
      id: 'handoff.child-is-a-run',
      title: 'The dispatched child is a run of its own that can be read',
      judge: (recorded) => judgeChild(recorded, { workers: [HANDOFF_CHILD], nodes: NODES }),
    },
    {
      id: 'handoff.payloads',
      title: 'Decisions and transitions hold the declared members only, with the right values',
      judge: (recorded) => judgePayloads(recorded, mappingOf(OUTCOME)),
    },
  ],
});

const RELAYED = {
  value: TELLER_OUTPUT,
  takenAs: SHARED.variable,
  workflowId: ECHO,
  heardAs: 'heard',
  saidAs: 'echoed',
  // 0: what is taken for no value gets lost on one way or the other.
  also: 0,
  alsoTakenAs: 'rounds',
  alsoAs: 'turn',
  returnedAs: 'relayed',
};

/** What our own workflows with several handoffs map, of whatever worker. */
const PAIR_MAPPING = { shared: 'told', relayed: 'echoed' };
const RELAY_MAPPING = { ...PAIR_MAPPING, rounds: 'rounds' };

/** The workers of the workflow that was executed. */
function workersOf({ run }: HandoffRun): readonly string[] {
  return TWO_WORKERS.find(({ workflowId }) => workflowId === run.workflowId)?.children ?? [];
}

/** One decision that names two workers. */
export const pair = defineScenario({
  ...handingOffFirst(TWO_WORKERS, (chain) => has(chain, 'output.harvested')),
  id: 'handoff.two-workers',
  title: 'A decision names two workers',
  checks: [
    {
      id: 'handoff.happy-path.two-workers',
      title: 'Each of two workers of one decision goes the whole way, each transition once, in order',
      judge: (recorded) => besideLoop(recorded, judgeWorkers),
    },
    {
      id: 'handoff.causation-chain.two-workers',
      title: 'The chains of two workers of one decision are not mixed up',
      judge: (recorded) => besideLoop(recorded, (each) => judgeLinks(each, 2, OWNERS.paths)),
    },
    {
      id: 'handoff.payloads.two-workers',
      title: 'Transitions of two workers of one decision say each what is right of its own worker',
      judge: (recorded) => judgePayloads(recorded, isOfPublic(recorded.run, TWO_WORKERS) ? undefined : PAIR_MAPPING),
    },
    {
      id: 'handoff.child-is-a-run.two-workers',
      title: 'Both workers of one decision are runs of their own that can be read',
      judge: (recorded) => judgeChild(recorded, { workers: workersOf(recorded), nodes: NODES }),
    },
  ],
});

const RELAYED_OUTPUT = 'handoff.output-mapping.relay';

/** rfc-0037 §B, of a second turn: that it dispatches a worker shows by what that is given. */
function judgeTurns(recorded: HandoffRun): Outcome {
  const { run, chain, evidence } = recorded;
  if (chain.handoffs.length < 2) return rests(RELAYED_OUTPUT, undecided(`no second worker in ${named(run)}`, evidence));
  return besideLoop(recorded, (each) => judgePath(each, 2));
}

/** Two turns with a worker each: the second is given what the first returned. */
export const relay = defineScenario({
  ...handingOff([RELAY, TELLER, ECHO]),
  id: 'handoff.relay',
  title: 'A worker is given what the worker of the turn before returned',
  checks: [
    {
      id: 'handoff.happy-path.turns',
      title: 'The worker of each of several turns goes the whole way, each transition once, in order',
      judge: judgeTurns,
    },
    {
      id: RELAYED_OUTPUT,
      title: 'The next worker is given what the one before it returned',
      judge: (recorded) => judgeRelay(recorded, RELAYED),
    },
    {
      id: 'handoff.causation-chain.turns',
      title: 'The chain of each turn starts with the decision of that turn',
      judge: (recorded) => besideLoop(recorded, (each) => judgeLinks(each, 2, OWNERS.turns)),
    },
    {
      id: 'handoff.loop.turns',
      title: 'Each of several turns emits one decision',
      judge: (recorded) => judgeLoop(recorded, ['next-worker', 'next-worker', 'terminate']),
    },
    {
      id: 'handoff.child-is-a-run.turns',
      title: 'The worker of each of several turns is a run of its own that can be read',
      judge: (recorded) => judgeChild(recorded, { workers: [TELLER, ECHO], nodes: NODES }),
    },
    {
      id: 'handoff.payloads.turns',
      title: 'Decisions and transitions of several turns hold the declared members only, with the right values',
      judge: (recorded) => judgePayloads(recorded, RELAY_MAPPING),
    },
  ],
});

const [OUTER, INNER] = ['outer handoff', 'inner handoff'] as const;

/** A worker that hands off itself is read with its own worker. */
async function driveNested(probe: Probe): ReturnType<typeof driveHandoff> {
  const driven = await driveHandoff(probe, NESTED, OUTER);
  const whole = driven.map(async (each) => {
    if (each.type !== 'child') return [each];
    const child = await withHiddenEvents(probe, each);
    return [child, ...(await readChildren(probe, { ...child, role: INNER }))];
  });
  return (await Promise.all(whole)).flat();
}

interface NestedRun extends HandoffRun {
  /** The handoff of its worker, or the outcome that is left without it. */
  readonly inner: HandoffRun | Outcome;
}

function seeNested(recorded: AllRecorded): NestedRun | Outcome {
  const outer = readHandoff(recorded, OUTER);
  if (isOutcome(outer)) return outer;
  const [child] = outer.children;
  const unnamed = 'no event of the outer handoff names its child: give childRunId';
  const inner =
    child === undefined
      ? (namingItself(outer) ?? undecided(unnamed, [outer.run]))
      : (leftUnshown(child) ?? readHandoff([asRun(child, INNER), ...recordedAs(recorded, 'child')], INNER));
  return { ...outer, inner };
}

/** What is left of a worker whose snapshot is not given: its log was not asked for. */
function leftUnshown(child: Recorded<ChildObservation>): Outcome | undefined {
  const { answered } = child;
  if (answered === null || answered === 200) return undefined;
  const reason = `the ${INNER} was not read: GET /v1/runs/{childRunId} answered ${answered} for ${child.runId}, and has to show it`;
  return rests(OWNERS.child, undecided(reason, [child]));
}

/** What each of both logs shows of a handoff of its own. */
function judgeBoth(outer: NestedRun, judge: (run: HandoffRun) => Outcome): Outcome {
  const outcome = besideLoop(outer, judge);
  if (outcome.kind !== 'pass') return outcome;
  return isOutcome(outer.inner) ? outer.inner : besideLoop(outer.inner, judge);
}

/** What the outer handoff maps: what its worker has of its own. */
const OUTER_OUTCOME = { ...OUTCOME, mappedTo: 'result', variable: OUTCOME.mappedTo };

function nestedOutcome(each: HandoffRun, outer: HandoffRun): typeof OUTCOME | typeof OUTER_OUTCOME {
  return each.run.runId === outer.run.runId ? OUTER_OUTCOME : OUTCOME;
}

function judgeNestedOutput(each: HandoffRun, outer: HandoffRun): Outcome {
  const outcome = judgeMapping(each, nestedOutcome(each, outer));
  return outcome.kind === 'fail' ? rests(OWNERS.mapping, outcome) : outcome;
}

/** A worker that hands off itself. */
export const nested = defineScenario({
  ...handingOff([NESTED, ...PUBLIC], OUTER),
  id: 'handoff.nested',
  title: 'A worker hands off to a worker of its own',
  drive: driveNested,
  see: seeNested,
  checks: [
    {
      id: 'handoff.happy-path.nested',
      title: 'A handoff and the handoff of its worker both go the whole way, each in the log of its own run',
      judge: (recorded) => judgeBoth(recorded, (each) => judgePath(each, 1)),
    },
    {
      id: 'handoff.causation-chain.nested',
      title: 'The chains of a handoff and of the handoff of its worker are not mixed up',
      judge: (recorded) => judgeBoth(recorded, (each) => judgeLinks(each, 1, OWNERS.nested)),
    },
    {
      id: 'handoff.payloads.nested',
      title: 'Transitions of a handoff and of the handoff of its worker name each the run that hands off as the parent',
      judge: (recorded) => judgeBoth(recorded, (each) => judgePayloads(each, mappingOf(nestedOutcome(each, recorded)))),
    },
    {
      id: 'handoff.output-mapping.nested',
      title: "The outputs of a worker's worker come through both handoffs",
      judge: (recorded) => judgeBoth(recorded, (each) => judgeNestedOutput(each, recorded)),
    },
    {
      id: 'handoff.loop.nested',
      title: 'A worker that hands off itself emits one decision for each turn of its own, and terminates',
      judge: ({ inner }) => (isOutcome(inner) ? inner : judgeLoop(inner, ['next-worker', 'terminate'])),
    },
    {
      id: 'handoff.child-is-a-run.nested',
      title: 'The worker of a worker is a run of its own that can be read',
      judge: ({ inner }) => (isOutcome(inner) ? inner : judgeChild(inner, { workers: [HANDOFF_CHILD], nodes: NODES })),
    },
  ],
});

/** rfc-0037 §A, §B: handoffs are what a decision asks for, so that a host may tell of those alone. What it tells of others has to be right. */
function judgeSubWorkflow(recorded: HandoffRun, judge: (observed: HandoffRun) => Outcome): Outcome {
  const { run, chain } = recorded;
  if (chain.transitions.length > 0) return judge(recorded);
  const why = `${named(run)} has no transition, and no decision that asks for one`;
  // What is no transition as it stands is not nothing.
  const isSilent = chain.events.every(({ type }) => type !== CHAIN_EVENT);
  if (chain.end === 'completed' && isSilent) return notApplicable(why, [run]);
  return undecidedUntil('tell the transitions of core.subWorkflow', why, [run]);
}

/** What the two workflows map of their child. */
const PUBLIC_OUTPUT = { mappedTo: 'childOutcome', variable: 'childResult', value: 'child-completed' };
const OWN_OUTPUT = { mappedTo: 'shared', variable: 'told', value: TELLER_OUTPUT };

function outputOf({ run }: HandoffRun): Mapped {
  return isOfPublic(run, SUB_WORKFLOW) ? PUBLIC_OUTPUT : OWN_OUTPUT;
}

/** A child without a decision. */
export const subWorkflow = defineScenario({
  ...handingOffFirst(SUB_WORKFLOW, ({ transitions }) => transitions.length > 0, 'sub-workflow'),
  id: 'handoff.sub-workflow',
  title: 'A node delegates to a sub-workflow',
  checks: [
    {
      id: 'handoff.happy-path.sub-workflow',
      title: 'A sub-workflow goes the whole way too, each transition once, in order',
      judge: (recorded) => judgeSubWorkflow(recorded, (each) => judgePath(each, 1)),
    },
    {
      id: 'handoff.causation-chain.sub-workflow',
      title: 'The transitions of a sub-workflow behind the first one follow each the one before',
      judge: (recorded) => judgeSubWorkflow(recorded, judgeLaterLinks),
    },
    {
      id: 'handoff.output-mapping.sub-workflow',
      title: "The mapped output of a sub-workflow is in the parent's variables",
      judge: (recorded) => judgeMappedOutput(recorded, outputOf(recorded)),
    },
    {
      id: 'handoff.payloads.sub-workflow',
      title: 'The transitions of a sub-workflow hold the declared members only, with the right values',
      judge: (recorded) => judgeSubWorkflow(recorded, (each) => judgePayloads(each, mappingOf(outputOf(each)))),
    },
  ],
});
