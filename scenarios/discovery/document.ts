import { always } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import { defineJudgedScenario } from '../../src/runner/define-judged.ts';
import type { Recorded } from '../../src/runner/scenario.ts';
import { judgeExecutionModel } from './execution-model.ts';
import { observeDiscovery, type DiscoveryObservation } from './observation.ts';
import { judgeReachable } from './reachable.ts';
import { judgeRecipeIdentifier } from './recipe-identifier.ts';
import { judgeReplayDeterminism } from './replay-determinism.ts';
import { rowInput, type Row } from './row.ts';
import { judgeShape } from './shape.ts';
import { judgeVendorRecipeDocumented } from './vendor-recipe-documented.ts';
import { judgeVersionFourComplete } from './version-four-complete.ts';

const ROWS: readonly (readonly [id: string, title: string, row: Row])[] = [
  ['discovery.shape', 'The advertised blocks in scope match the bundled schema', judgeShape],
  ['discovery.execution-model', 'executionModel has boolean supported and integer version >= 1', judgeExecutionModel],
  ['discovery.replay-determinism', 'replayDeterminism is closed and has boolean supported', judgeReplayDeterminism],
  ['discovery.recipe-identifier', 'The cache-key recipe is named as the RFC says', judgeRecipeIdentifier],
  ['discovery.version-four-complete', 'Version 4 comes with everything it promises', judgeVersionFourComplete],
  ['discovery.vendor-recipe-documented', 'A vendor recipe is documented in the document', judgeVendorRecipeDocumented],
];

const REACHABLE = 'discovery.reachable';

function judge(observations: readonly Recorded<DiscoveryObservation>[]): readonly Judgement[] {
  const [observation] = observations;
  if (observation === undefined) return [];
  const evidence = [observation.id];
  const { answer } = observation;
  const reachable = { check: REACHABLE, evidence, ...judgeReachable(answer) };
  const document = answer.kind === 'document' && answer.status === 200 ? answer.document : undefined;
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    const reason = `there is no discovery document: ${reachable.reason ?? reachable.actual ?? ''}`;
    return [reachable, ...ROWS.map(([check]) => ({ check, verdict: 'inconclusive' as const, reason, evidence }))];
  }
  const input = rowInput(document as Readonly<Record<string, unknown>>, evidence);
  return [reachable, ...ROWS.map(([check, , row]) => ({ check, evidence, ...row(input) }))];
}

/** The discovery document, fetched once and judged row by row. */
export const document = defineJudgedScenario<DiscoveryObservation>({
  id: 'discovery.document',
  suite: 'discovery',
  title: 'The discovery document is public, well-formed and coherent',
  checks: [
    { id: REACHABLE, requirement: REACHABLE, title: 'GET /.well-known/openwop answers 200 with a JSON object' },
    ...ROWS.map(([id, title]) => ({ id, requirement: id, title })),
  ],
  gate: always,
  needs: [],
  exclusive: [],
  drive: async (probe) => [observeDiscovery(probe.discoveryExchange)],
  judge,
});
