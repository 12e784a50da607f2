import type { Suite } from '../../src/runner/scenario.ts';
import { accessChecks, branchAccessChecks, scopeChecks } from './access-checks.ts';
import { accessOfNobody } from './access-of-nobody.ts';
import { annotationLive } from './annotation-live.ts';
import { annotationForks, annotationLog } from './annotations.ts';
import { audit, branchAudit } from './audit.ts';
import { deepLinks } from './deep-links.ts';
import { deletedBranch, deletedData } from './deleted-data.ts';
import { deletionDocumented, documented } from './documented.ts';
import { diagnoses } from './diagnoses.ts';
import { expiredBranch, expiredRange } from './expired-range.ts';
import { layerTwoLookup } from './layer-two-lookup.ts';
import { layerTwoRetry } from './layer-two-retry.ts';
import { layerTwo } from './layer-two.ts';
import { branchRedaction, errorRedaction, redaction } from './redaction.ts';
import { region } from './region.ts';
import { replaySpan } from './replay-span.ts';
import { score } from './score.ts';
import { spanRedaction } from './span-redaction.ts';

/** replay-governance: what is kept, what is hidden, what is deleted and who may see it, for forks as for their sources. */
export const replayGovernance: Suite = {
  id: 'replay-governance',
  scenarios: [
    documented,
    expiredRange,
    expiredBranch,
    redaction,
    branchRedaction,
    errorRedaction,
    spanRedaction,
    replaySpan,
    deletedData,
    deletedBranch,
    deletionDocumented,
    accessChecks,
    branchAccessChecks,
    scopeChecks,
    accessOfNobody,
    audit,
    branchAudit,
    score,
    region,
    annotationForks,
    annotationLog,
    annotationLive,
    deepLinks,
    layerTwo,
    layerTwoRetry,
    layerTwoLookup,
  ],
  diagnoses,
};
