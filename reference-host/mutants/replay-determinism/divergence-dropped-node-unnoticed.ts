import { divergedAs } from '../shared/replay-parts.ts';
import type { Mutant } from '../mutant.ts';

export const divergenceDroppedNodeUnnoticed: Mutant = {
  id: 'divergence-dropped-node-unnoticed',
  breaks: 'A replay does not report that it ends before its source.',
  kills: ['replay.divergence-is-reported.dropped-node'],
  parts: divergedAs((report) => (report.nodeId === undefined ? [] : [report])),
};
