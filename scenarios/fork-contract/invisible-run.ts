import type { Observation } from '../../src/evidence/types.ts';
import type { Probe } from '../../src/host/probe.ts';
import { forkPath } from '../../src/protocol/paths.ts';
import { defineScenario, type JudgedCheck } from '../../src/runner/define-scenario.ts';
import type { ForkMode, Scenario } from '../../src/runner/scenario.ts';
import { leftWithoutControl } from '../shared/control.ts';
import { judgeInvisible } from '../shared/judge-invisible.ts';
import type { Recordings } from '../shared/of-type.ts';
import { FORKS, forkAsOwner } from '../shared/owner-fork.ts';
import { sendRequest } from '../shared/requested.ts';
import { isSeen } from '../shared/run-observation.ts';
import { unknownLike } from '../shared/unknown-id.ts';
import { forkUnderOneKey, judgeForeignKey } from './foreign-key.ts';
import { judgeInvisibleRefused, requestRefusedAlike } from './invisible-refused.ts';
import { envelopeCheck } from './judge-refusals.ts';

const ROW = 'fork.invisible-run';
const CONTROL = 'fork of its owner';
/** What the control was called before forks of both modes were driven. */
const FORMER_CONTROL = 'replay of its owner';

async function drive(probe: Probe, mode: ForkMode): Promise<readonly Observation[]> {
  const { source, control, body } = await forkAsOwner(probe, mode, CONTROL);
  const { otherTenant } = probe;
  if (!isSeen(source) || otherTenant === undefined) return [source, control];
  const { runId } = source;
  const send = (row: string, name: string) => sendRequest(otherTenant, forkPath(name), { row, name, body });
  const unknown = [1, 2].map((turn) => send('unknown', unknownLike(runId, turn)));
  const answers = await Promise.all([send('invisible', runId), ...unknown]);
  // Whether a key is one of its tenant is nothing of the mode, and neither is what is looked at first.
  if (mode === 'branch') return [source, control, ...answers];
  const underKey = await forkUnderOneKey(probe.host, otherTenant, { runId, body });
  return [source, control, ...answers, ...underKey, ...(await requestRefusedAlike(otherTenant, runId))];
}

/** The scenario of one mode, with further checks. */
function invisible(id: string, mode: ForkMode, more: readonly JudgedCheck<Recordings>[] = []): Scenario {
  return defineScenario({
    id,
    suite: 'fork-contract',
    title: `Another tenant's run cannot be told from one that there is not, by a ${mode}`,
    needs: [FORKS[mode], { kind: 'second-tenant' }],
    drive: (probe) => drive(probe, mode),
    see: (recorded) => leftWithoutControl(recorded, CONTROL, FORMER_CONTROL) ?? recorded,
    checks: [
      {
        id,
        title: `A ${mode} of another tenant's run is answered with 404, like one of a run that there is not`,
        judge: (recorded) => judgeInvisible(recorded, CONTROL, FORMER_CONTROL),
      },
      ...more,
    ],
  });
}

/** replay.md, Endpoint (404: doesn't exist or caller can't see it) and Privacy. */
export const invisibleRun = invisible(ROW, 'replay', [
  {
    id: `${ROW}.key`,
    title: "A replay of another tenant's run is not handed out under the Idempotency-Key of its owner's",
    judge: (recorded) => judgeForeignKey(recorded, ROW, CONTROL, FORMER_CONTROL),
  },
  {
    id: `${ROW}.refused`,
    title: "What is refused in any case is refused alike for another tenant's run and for one that there is not",
    judge: (recorded) => judgeInvisibleRefused(recorded, ROW, CONTROL, FORMER_CONTROL),
  },
  envelopeCheck('.invisible', "The refusal of another tenant's fork"),
]);

/** The same for the mode branch. */
export const invisibleBranch = invisible(`${ROW}.branch`, 'branch');
