import { noExecutionModel } from '../../src/contract/gates.ts';
import { fail, notApplicable, type Outcome, pass } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { type RecordedRun, runsOf, leftWithout, leftUndriven } from '../shared/need.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';
import { replayOf } from '../shared/replays.ts';
import { notExecuted, offersMode, type RunObservation } from '../shared/run-observation.ts';
import { readChain } from './chain.ts';
import { readChildren, startWhole, withHiddenEvents, COMMON } from './suite.ts';
import { HANDOFF, MISSING, NESTED } from './fixtures.ts';
import { type AllRecorded, asRun, type HandoffRun, nodesOfAnother, recordedAs } from './handoff-run.ts';
import { listed } from './transition.ts';
import { wrong } from './diagnoses.ts';

const [PLAIN, HANDED] = ['plain run', 'handoff run'];

/** A plain run, one that would hand off and its replay, one whose child would, and one whose worker is missing. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const plain = startPublic(probe, PLAIN).then((run) => withHiddenEvents(probe, run));
  const handed = startWhole(probe, HANDOFF, HANDED);
  const nested = startWhole(probe, NESTED, 'nested run');
  const replay = handed.then((run) => replayed(probe, run));
  const children = nested.then((run) => childrenOf(probe, run));
  const missing = startWhole(probe, MISSING, 'run without its worker');
  return [...(await Promise.all([plain, handed, nested, missing])), ...(await children), ...(await replay)];
}

async function childrenOf(probe: Probe, run: RunObservation): Promise<readonly Observation[]> {
  const children = await readChildren(probe, run);
  return Promise.all(children.map((child) => withHiddenEvents(probe, child)));
}

async function replayed(probe: Probe, source: RunObservation): Promise<readonly Observation[]> {
  if (source.problem !== null || !offersMode(probe.discovery, 'replay')) return [];
  return [await withHiddenEvents(probe, await replayOf(probe, source, undefined))];
}

/**
 * Rfc-0037, Compatibility: the events of the state machine are those of hosts that support it. What a host shows of its
 * supervisors and dispatchers otherwise (RFC 0006, RFC 0007) is left to it, a core.dispatch.failed too. Where no workflow
 * that hands off was executed, nothing could have been emitted.
 */
function judgeUnsupported(recorded: AllRecorded): Outcome {
  const runs = runsOf(recorded).filter(({ fork }) => fork === null);
  const forks = runsOf(recorded).filter(({ fork }) => fork !== null);
  const children = recordedAs(recorded, 'child').map((child) => asRun(child, `child of the ${child.parent}`));
  const read = [...runs, ...forks, ...children].flatMap((run) => {
    const chain = readChain(run);
    return run.problem === null && chain.end !== undefined ? [{ run, chain }] : [];
  });
  for (const { run, chain } of read) {
    const emitted = chain.transitions.filter(({ event }) => event.type === CHAIN_EVENT);
    if (emitted.length === 0) continue;
    const expected = `no handoff event in ${named(run)}: the host does not support the execution model`;
    // An advertisement that does not say whether the model is supported is the cause.
    const restsOn = 'discovery.execution-model';
    return fail({ diagnosis: wrong('unsupported-shown'), expected, actual: listed(emitted), restsOn }, [run]);
  }
  if (read.length === 0) return leftWithout(runs) ?? leftUndriven(PLAIN, runs);
  const evidence = read.map(({ run }) => run);
  if (read.some(handsOff)) return pass(evidence);
  const unseen = runs.find((run) => run.role === HANDED && isUnseen(run));
  const left = unseen && leftWithout([unseen]);
  return left ?? notApplicable(`the host does not execute ${HANDOFF}: no run hands off`, evidence);
}

/** Whether a run came as far as a handoff: the fixture to its end, any run to a decision or a dispatch. */
function handsOff({ run, chain }: Pick<HandoffRun, 'run' | 'chain'>): boolean {
  if (chain.decisions.length > 0 || chain.transitions.length > 0 || chain.children.length > 0) return true;
  return run.role === HANDED && chain.end === 'completed' && nodesOfAnother(chain).length === 0;
}

/** Whether a run was started, and executed as far as is known, and not seen to its end. */
function isUnseen({ runId, problem, events }: RecordedRun): boolean {
  return runId !== null && problem !== null && notExecuted(events) === undefined;
}

/** Hosts without the model. */
export const unsupported = defineScenario({
  ...COMMON,
  id: 'handoff.unsupported',
  title: 'A host that does not support the execution model',
  gate: noExecutionModel,
  drive,
  checks: [
    {
      id: 'handoff.not-unless-supported',
      title: 'A host that does not support the model emits no handoff events',
      judge: judgeUnsupported,
    },
  ],
});
