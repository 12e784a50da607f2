import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceAddedNodeUnnoticed: Mutant = {
  id: 'divergence-added-node-unnoticed',
  breaks: 'A replay does not report events of nodes that the source does not have.',
  kills: ['replay.divergence-is-reported.added-node'],
  parts: divergedAs((report) => (report.nodeId === 'inserted' ? [] : [report])),
};
