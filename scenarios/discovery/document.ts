import { readDiscovery } from '../../src/contract/discovery.ts';
import { isOutcome, rests, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { defineScenario, judgementOf } from '../../src/runner/define-scenario.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { FOUNDATIONS } from '../shared/foundations.ts';
import type { Advertised } from './advertised.ts';
import { judgeExecutionModel, judgeFamilies, judgeReplayDeterminism, judgeShape } from './blocks.ts';
import { observeDiscovery, type DiscoveryObservation } from './observation.ts';
import { judgeReachable } from './reachable.ts';
import { judgeRecipeIdentifier, judgeVendorRecipeDocumented, judgeVersionFourComplete } from './recipe.ts';

/** The judges of what the document advertises. */
const ROWS: readonly (readonly [id: string, title: string, judge: (advertised: Advertised) => Outcome])[] = [
  ['discovery.shape', 'The advertised blocks in scope match the bundled schema', judgeShape],
  ['discovery.execution-model', 'executionModel has boolean supported and integer version >= 1', judgeExecutionModel],
  ['discovery.replay-determinism', 'replayDeterminism is closed and has boolean supported', judgeReplayDeterminism],
  ['discovery.recipe-identifier', 'The cache-key recipe is named as the RFC says', judgeRecipeIdentifier],
  ['discovery.version-four-complete', 'Version 4 comes with everything it promises', judgeVersionFourComplete],
  ['discovery.vendor-recipe-documented', 'A vendor recipe is documented in the document', judgeVendorRecipeDocumented],
  ['schema.discovery', 'Further families that the suites read fit their schema', judgeFamilies],
];

interface ReadDocument {
  readonly reachable: Outcome;
  /** What the document says, or the outcome that is left to the rows about it. */
  readonly advertised: Advertised | Outcome;
}

function see([observation]: readonly Recorded<DiscoveryObservation>[]): ReadDocument | Outcome {
  if (observation === undefined) return undecided('the discovery document was not requested', []);
  const { answer } = observation;
  const evidence = [observation];
  const reachable = judgeReachable(answer, evidence);
  const document = answer.kind === 'document' && answer.status === 200 ? answer.document : undefined;
  if (isRecord(document)) return { reachable, advertised: { document, discovery: readDiscovery(document), evidence } };
  const { reason, actual } = judgementOf(FOUNDATIONS.discovery, reachable);
  const left = undecided(`there is no discovery document: ${reason ?? actual ?? ''}`, evidence);
  return { reachable, advertised: rests(FOUNDATIONS.discovery, left) };
}

/** The discovery document, fetched once and judged row by row. */
export const document = defineScenario<DiscoveryObservation, ReadDocument>({
  id: 'discovery.document',
  suite: 'discovery',
  title: 'The discovery document is public, well-formed and coherent',
  documentOnly: true,
  drive: async (probe) => [observeDiscovery(probe.discoveryExchange)],
  see,
  checks: [
    {
      id: FOUNDATIONS.discovery,
      title: 'GET /.well-known/openwop answers 200 with a JSON object',
      judge: ({ reachable }) => reachable,
    },
    ...ROWS.map(([id, title, judge]) => ({
      id,
      title,
      judge: ({ advertised }: ReadDocument) => (isOutcome(advertised) ? advertised : judge(advertised)),
    })),
  ],
});
