import { noExecutionModel } from '../../src/contract/gates.ts';
import { fail, notApplicable, type Outcome, pass } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { runsOf, leftWithout, leftUndriven } from '../shared/need.ts';
import { CHAIN_EVENT } from '../shared/read-event.ts';
import { readChain } from './chain.ts';
import { startWhole, withHiddenEvents, COMMON } from './suite.ts';
import { HANDOFF } from './fixtures.ts';
import { type AllRecorded, nodesOfAnother } from './handoff-run.ts';
import { listed } from './transition.ts';

const [PLAIN, HANDED] = ['plain run', 'handoff run'];

/** A plain run, and one that would hand off. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const plain = startPublic(probe, PLAIN).then((run) => withHiddenEvents(probe, run));
  return Promise.all([plain, startWhole(probe, HANDOFF, HANDED)]);
}

/**
 * Rfc-0037, Compatibility: the events of the state machine are those of hosts that support it. What a host shows of its
 * supervisors and dispatchers otherwise (RFC 0006, RFC 0007) is left to it, a core.dispatch.failed too. Where no workflow
 * that hands off was executed, nothing could have been emitted.
 */
function judgeUnsupported(recorded: AllRecorded): Outcome {
  const runs = runsOf(recorded);
  const read = runs.flatMap((run) => {
    const chain = readChain(run);
    return run.problem === null && chain.end !== undefined ? [{ run, chain }] : [];
  });
  for (const { run, chain } of read) {
    const emitted = chain.transitions.filter(({ event }) => event.type === CHAIN_EVENT);
    if (emitted.length === 0) continue;
    const expected = `no handoff event in ${named(run)}: the host does not support the execution model`;
    // An advertisement that does not say whether the model is supported is the cause.
    const restsOn = 'discovery.execution-model';
    return fail({ expected, actual: listed(emitted), restsOn }, [run]);
  }
  if (read.length === 0) return leftWithout(runs) ?? leftUndriven(PLAIN, runs);
  const evidence = read.map(({ run }) => run);
  const isHanded = read.some(({ run: { role }, chain }) =>
    role === HANDED ? nodesOfAnother(chain).length === 0 : chain.decisions.length > 0,
  );
  return isHanded ? pass(evidence) : notApplicable(`the host does not execute ${HANDOFF}: no run hands off`, evidence);
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
