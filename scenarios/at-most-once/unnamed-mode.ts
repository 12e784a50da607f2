import { verificationMode } from '../../src/contract/gates.ts';
import { type Outcome, undecidedUntil } from '../../src/contract/outcome.ts';
import type { Probe } from '../../src/host/probe.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import { type RevisionObservation, revisionOf, withCodeChanges } from '../shared/code-change.ts';
import type { Recordings } from '../shared/of-type.ts';
import { driveVerification, putRight, type VerificationObservation } from './verification-drive.ts';
import { type Facts, seeVerification } from './verification-facts.ts';
import { judgeStrict } from './verification.ts';

const STRICT = 'conformance-determinism-verify-strict';

/** Its revision that names no mode. */
const UNNAMED = '2.0.0';

const SEAM = `let the seam workflow-revision make revision ${UNNAMED} of ${STRICT} the one that runs execute`;

type UnnamedObservation = VerificationObservation | RevisionObservation;

async function drive(probe: Probe): Promise<readonly UnnamedObservation[]> {
  const use = async (isChanged: boolean): Promise<readonly VerificationObservation[]> =>
    isChanged ? driveVerification(probe, STRICT, { followUp: putRight }) : [];
  return withCodeChanges<VerificationObservation>(probe, STRICT, [{ revision: UNNAMED, use }]);
}

function see(recorded: Recordings): Facts | Outcome {
  const revision = revisionOf(recorded);
  if (revision?.problem === null) return seeVerification(recorded);
  const evidence = revision === undefined ? [] : [revision];
  return undecidedUntil(SEAM, revision?.problem ?? 'the code was not changed', evidence);
}

/** sem §5: the mode that holds where none is named. */
export const unnamedMode = defineScenario<UnnamedObservation, Facts>({
  id: 'once.verified-recovery.unnamed-mode',
  suite: 'at-most-once',
  title: 'Replays whose verification fails, where no mode is named',
  gate: verificationMode('strict'),
  needs: [
    { kind: 'fork', mode: 'replay', absent: 'inconclusive' },
    { kind: 'witness' },
    { kind: 'fixture', workflowId: STRICT },
  ],
  exclusive: [`workflow:${STRICT}`],
  patience: () => 60,
  drive,
  see,
  checks: [
    {
      id: 'once.verified-recovery.unnamed-mode',
      title: 'Where no mode is named, a failed verification fails the run for good',
      judge: judgeStrict,
    },
  ],
});
