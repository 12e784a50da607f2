import { fail, notApplicable, type Mistake, type Outcome, pass } from '../../src/contract/outcome.ts';
import { readRunEvent } from '../../src/host/run-event.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { eventsOf, named } from '../shared/compare-runs.ts';
import { type AnyRun, childRunsIn, runsIn } from '../shared/every-run.ts';
import { nodeOf } from '../shared/read-event.ts';
import { callNamesIn, partsOf } from './call-names.ts';
import { wrong } from './diagnoses.ts';
import { CHARGE, FIRST, type FixtureTool, SECOND, TWICE } from './fixtures.ts';
import { idempotencyKey, isKeyOf, mistakeIn } from './idempotency-key.ts';
import { attemptsOf, type InvocationEvent, invocationEvents, isWithoutKey } from './invocation-events.ts';

/** Scenarios in whose runs nobody dies, is held back or fails. */
const UNTOUCHED = /^(?:run|fork|replay|refusal|sequence|handoff)\.|^once\.(?:external-key|verification-\w+)$/u;
const FAILING = /^once\.failed-call$/u;

/** A call that a node made: one event of each step, at most. */
interface Call {
  readonly run: AnyRun;
  readonly nodeId: string;
  readonly started: InvocationEvent;
  readonly finished: InvocationEvent;
  readonly committed: InvocationEvent | undefined;
}

/** The runs that were seen to their end in these scenarios. */
function runsSeen(everything: Everything, isMeant: (scenario: string) => boolean): readonly AnyRun[] {
  const runs = [...runsIn(everything), ...childRunsIn(everything)];
  return runs.filter(({ problem, scenario }) => problem === null && isMeant(scenario));
}

/** The calls of nodes that called once, in runs that are no forks. A replay shows those of its source. */
function callsIn(everything: Everything, isMeant: (scenario: string) => boolean): readonly Call[] {
  return runsSeen(everything, isMeant)
    .filter(({ fork }) => fork === null)
    .flatMap(callsOf);
}

/** What a branch wrote itself. */
function ownPart(branch: AnyRun): AnyRun {
  const from = branch.fork?.fromSeq ?? 0;
  return { ...branch, events: branch.events.filter((event) => (readRunEvent(event)?.sequence ?? from) >= from) };
}

function callsOf(run: AnyRun): readonly Call[] {
  const steps = invocationEvents(eventsOf(run));
  return [...new Set(steps.map(({ nodeId }) => nodeId))].flatMap((nodeId) => {
    const of = (step: InvocationEvent['step']) => steps.filter((each) => each.nodeId === nodeId && each.step === step);
    const [[started, again], [finished, twice], [committed, more]] = [of('started'), of('finished'), of('committed')];
    if (nodeId === undefined || started === undefined || finished === undefined) return [];
    return (again ?? twice ?? more) ? [] : [{ run, nodeId, started, finished, committed }];
  });
}

const NONE = notApplicable('no other run shows the events of a tool call', []);

function judgeCalls(calls: readonly Call[], faultOf: (call: Call) => Mistake | undefined): Outcome {
  for (const call of calls) {
    const fault = faultOf(call);
    if (fault !== undefined) return fail(fault, [call.run]);
  }
  return calls.length === 0 ? NONE : pass([...new Set(calls.map(({ run }) => run))], `${calls.length} calls`);
}

/** sem §4.1 of whatever run shows a call. */
export function judgeEveryKey(everything: Everything): Outcome {
  const calls = callsIn(everything, (scenario) => isUntouched(scenario) || FAILING.test(scenario));
  // The document asks for no key in commits (sem §4.1): a host that shows that of the call there shows it there always.
  const showsIt = calls.some(({ started, committed }) => committed?.key !== undefined && committed.key === started.key);
  return judgeCalls(calls, (call) => wrongKey(call) ?? (showsIt ? otherInCommit(call) : undefined));
}

function otherInCommit(call: Call): Mistake | undefined {
  const { started, committed } = call;
  if (started.key === undefined || committed?.key === undefined || committed.key === started.key) return undefined;
  const { event } = committed;
  const expected = `idempotency_key ${started.key} in ${event.type} (${event.sequence}) of ${placeText(call)}, as commits of other calls hold theirs`;
  return { expected, actual: committed.key, diagnosis: wrong('key-changes') };
}

/** sem §3 step 4 of whatever run shows a call, and of those that a branch made itself. */
export function judgeEveryOrder(everything: Everything): Outcome {
  const branches = runsSeen(everything, isUntouched).filter(({ fork }) => fork?.mode === 'branch');
  const own = branches.flatMap((branch) => callsOf(ownPart(branch)));
  return judgeCalls([...callsIn(everything, isUntouched), ...own], wrongEnd);
}

function isUntouched(scenario: string): boolean {
  return UNTOUCHED.test(scenario);
}

function placeText({ run, nodeId }: Call): string {
  return `node ${nodeId} of ${named(run)}${run.workflowId === undefined ? '' : `, ${run.workflowId}`}`;
}

function wrongKey(call: Call): Mistake | undefined {
  const { started, finished } = call;
  if (started.key === undefined) return undefined;
  const expected = `idempotency_key ${started.key} in ${finished.event.type} (${finished.event.sequence}) of ${placeText(call)}`;
  if (isWithoutKey(finished)) return { expected, actual: 'none', diagnosis: wrong('key-in-one-only') };
  if (finished.key !== undefined && finished.key !== started.key) {
    return { expected, actual: finished.key, diagnosis: wrong('key-changes') };
  }
  return otherThanFormula(call, started.key);
}

const VERIFIED = /^conformance-determinism-verify-/u;

/** Nodes of our fixtures whose definitions name neither tool nor arguments: the tool is that of the node's type. */
const UNNAMED = /^conformance-determinism-(?:handoff-tool-child call|side-effects call-tool|parallel branch-[abc])$/u;

/** The tools of our fixtures whose arguments their definitions say; of those that name no tool, what the log says of theirs. */
function toolOf({
  run: { workflowId = '' },
  nodeId,
  started,
}: Call): (FixtureTool & { readonly args: string }) | undefined {
  if (VERIFIED.test(workflowId) && nodeId === CHARGE.nodeId) return { ...CHARGE, args: '{}' };
  const isSaid = started.toolName !== undefined && started.args !== undefined;
  if (isSaid && UNNAMED.test(`${workflowId} ${nodeId}`)) {
    return { nodeId, toolName: 'core.tool.http', effect: nodeId, args: '{}' };
  }
  return workflowId === TWICE ? [FIRST, SECOND].find((each) => each.nodeId === nodeId) : undefined;
}

/** A key that is neither that of the arguments which its definition says, nor of those that its start shows. */
function otherThanFormula(call: Call, key: string): Mistake | undefined {
  const tool = toolOf(call);
  if (tool === undefined) return undefined;
  const { run, started, finished } = call;
  const steps = [started, finished];
  const partsWith = (args: string) => partsOf(steps, tool, { names: callNamesIn(run, tool), args });
  const parts = partsWith(tool.args);
  const shown = started.args === undefined ? [] : partsWith(JSON.stringify(started.args));
  if (isKeyOf(key, [...parts, ...shown])) return undefined;
  const expected = `SHA-256 of run NUL node NUL ${parts[0].toolName} NUL ${tool.args} for ${placeText(call)}: ${idempotencyKey(parts[0]) ?? 'none'}`;
  return { expected, actual: key, diagnosis: mistakeIn(key, parts, attemptsOf(steps)) };
}

function listed(steps: readonly InvocationEvent[]): string {
  return steps.map(({ event }) => `${event.type} (${event.sequence})`).join(', ');
}

/** Whether a commit of its run names the call's key, or no node: it may be that of the call. */
function committedAnywhere({ run, started: { key } }: Call): boolean {
  const commits = invocationEvents(eventsOf(run)).filter(({ step }) => step === 'committed');
  return commits.some((each) => each.nodeId === undefined || (key !== undefined && each.key === key));
}

function wrongEnd(call: Call): Mistake | undefined {
  const { run, nodeId, started, finished, committed } = call;
  const inOrder = [started, finished, ...(committed === undefined ? [] : [committed])];
  const seen = inOrder.toSorted((a, b) => a.index - b.index);
  if (listed(seen) !== listed(inOrder)) {
    const expected = `${inOrder.map(({ event }) => event.type).join(', ')} in this order for ${placeText(call)}`;
    return { expected, actual: listed(seen), diagnosis: wrong('wrong-order') };
  }
  const isDone = eventsOf(run).some((event) => event.type === 'node.completed' && nodeOf(event) === nodeId);
  if (!isDone || endOf(eventsOf(run)) !== 'completed') return undefined;
  if (committed === undefined) {
    const isFailure = finished.outcome === 'failure' || committedAnywhere(call);
    const expected = `command_committed behind ${listed([finished])} of ${placeText(call)}, which completed`;
    return isFailure ? undefined : { expected, actual: 'none', diagnosis: wrong('missing-event') };
  }
  if (finished.outcome !== 'failure') return undefined;
  const expected = `outcome "success" in ${listed([finished])} of ${placeText(call)}, which was committed and completed`;
  return { expected, actual: 'failure', diagnosis: wrong('outcome-not-success') };
}
