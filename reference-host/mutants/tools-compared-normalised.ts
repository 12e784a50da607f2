import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { withList, projecting } from './shared/key-parts.ts';

const composed = (tool: unknown): string => String(member(tool, 'name')).normalize('NFC');

export const toolsComparedNormalised: Mutant = {
  id: 'tools-compared-normalised',
  breaks: 'Tools are sorted by their names in Unicode normalisation form C.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.sorts-tools', 'cache-key.cross-host-parity'],
  parts: projecting((projected) =>
    withList(projected, 'tools', (tools) =>
      tools.toSorted((a, b) => (composed(a) < composed(b) ? -1 : composed(a) > composed(b) ? 1 : 0)),
    ),
  ),
};
