import { noExecutionModel } from '../../src/contract/gates.ts';
import { fail, pass, type Outcome } from '../../src/contract/outcome.ts';
import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { named } from '../shared/compare-runs.ts';
import { startPublic } from '../shared/first-run.ts';
import { runsOf, leftWithout, leftUndriven } from '../shared/need.ts';
import { readChain } from './chain.ts';
import { startWhole, withHiddenEvents, COMMON } from './suite.ts';
import { HANDOFF } from './fixtures.ts';
import type { AllRecorded } from './handoff-run.ts';
import { listed } from './transition.ts';

const [PLAIN, HANDED] = ['plain run', 'handoff run'];

/** A plain run, and one that would hand off. */
async function drive(probe: Probe): Promise<readonly Observation[]> {
  const plain = startPublic(probe, PLAIN).then((run) => withHiddenEvents(probe, run));
  return Promise.all([plain, startWhole(probe, HANDOFF, HANDED)]);
}

/**
 * Rfc-0037, Compatibility: the events of the state machine are those of hosts that support it. What a host shows of its
 * supervisors and dispatchers otherwise (RFC 0006, RFC 0007) is left to it.
 */
function judgeUnsupported(recorded: AllRecorded): Outcome {
  const runs = runsOf(recorded);
  const read = runs.flatMap((run) => {
    const chain = readChain(run);
    return run.problem === null && chain.end !== undefined ? [{ run, chain }] : [];
  });
  const emitting = read.find(({ chain }) => chain.transitions.length > 0);
  if (emitting !== undefined) {
    const expected = `no handoff event in ${named(emitting.run)}: the host does not support the execution model`;
    // An advertisement that does not say whether the model is supported is the cause.
    const restsOn = 'discovery.execution-model';
    return fail({ expected, actual: listed(emitting.chain.transitions), restsOn }, [emitting.run]);
  }
  if (read.length === 0) return leftWithout(runs) ?? leftUndriven(PLAIN, runs);
  const evidence = read.map(({ run }) => run);
  const isHanded = evidence.some(({ role }) => role === HANDED);
  return pass(evidence, isHanded ? undefined : 'the host does not run the handoff fixture: judged by a plain run');
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
