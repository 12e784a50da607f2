import { phase4 } from '../../src/contract/gates.ts';
import type { Probe } from '../../src/host/probe.ts';
import { createSemaphore } from '../../src/host/semaphore.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { startSources } from '../shared/fixture-sources.ts';
import { mostForks, SHORT, SWEPT, SWEPT_ALONE } from '../shared/swept-fixtures.ts';
import { SWEEP } from '../shared/swept-runs.ts';
import { forkEverywhere, replayAgain, type SweepObservation } from './fork-everywhere.ts';
import { judgeEveryGeneration, judgeUnreported } from './judge-every-fixture.ts';
import { judgeEveryEnd, judgeEveryNumber } from './judge-logs.ts';
import { gatherSweep, judgePrefixes, judgeStates } from './judge-sweep.ts';
import { sweepLeft } from './left-forks.ts';
import { SWEEP_TIMEOUTS, sweepOthers, type SweptObservation } from './sweep-others.ts';

type Swept = SweepObservation | SweptObservation;

async function drive(probe: Probe, options: ScenarioOptions): Promise<readonly Swept[]> {
  const { forks } = options;
  const line = createSemaphore(probe.concurrency);
  const sweepFixtures = async (): Promise<readonly SweepObservation[]> => {
    const sources = await startSources({ probe, line, short: forks < SHORT }, SWEPT);
    const swept = sources.map(async (source) => {
      const driving = { probe, line, forks: mostForks(source.workflowId ?? '', forks) };
      const forked = await forkEverywhere(driving, source);
      return [...forked, ...(await replayAgain(driving, forked))];
    });
    return (await Promise.all(swept)).flat();
  };
  const swept = await Promise.all([sweepFixtures(), sweepOthers(probe, options)]);
  // What comes to no end of its own comes last: it is cancelled, and nothing else is.
  return [...swept.flat(), ...(await sweepLeft(probe))];
}

/** 0041 §C: the boundary of the claim, sequence by sequence, at every fork point of every fixture that is there. */
export const sweepForks = defineScenario<Swept>({
  id: SWEEP,
  suite: 'observable-sequence',
  title: 'A replay from every sequence number of whatever the host runs has the history and the states of its source',
  gate: phase4,
  needs: [{ kind: 'fork', mode: 'replay', absent: 'inconclusive' }],
  witnessHelps: true,
  sweeps: true,
  exclusive: SWEPT_ALONE,
  patience: ({ forks }) => 30 + SWEEP_TIMEOUTS + forks,
  drive,
  checks: [
    {
      id: 'sequence.prefix-equal',
      title: "The history below every fork point equals the source's",
      judge: (recorded, { options }) => judgePrefixes(gatherSweep(recorded), options.volatile),
    },
    {
      id: 'sequence.state-equal',
      title: 'Variables, channels and status agree at the fork point, on the way and at the end',
      judge: (recorded, { options }) => judgeStates(gatherSweep(recorded), options.volatile),
    },
    {
      id: 'sequence.state-equal.every-fixture',
      title: 'No replay of unchanged code differs from its source and reports it, whatever the workflow does',
      judge: (recorded, { options }) => judgeUnreported(recorded, options.volatile),
    },
    {
      id: 'sequence.replay-of-replay.every-fixture',
      title: 'Replaying a replay gives the same sequence again, whatever the workflow does',
      judge: (recorded, { options }) => judgeEveryGeneration(recorded, options.volatile),
    },
    {
      id: 'sequence.monotonic.every-log',
      title:
        'Sequence numbers are unique and strictly increasing in every log, of concurrent branches and of forks too',
      judge: judgeEveryNumber,
    },
    {
      id: 'sequence.single-terminal-event.every-log',
      title: 'Exactly one terminal event, and it is last, in every log, of concurrent branches and of forks too',
      judge: judgeEveryEnd,
    },
  ],
});
