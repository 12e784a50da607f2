import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting, without } from './shared/key-parts.ts';

export const textFormatOmitted: Mutant = {
  id: 'text-format-omitted',
  breaks: 'A response format of plain text counts as absent.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.omits-absent'],
  parts: projecting((projected) =>
    member(member(projected, 'responseFormat'), 'type') === 'text' ? without(projected, 'responseFormat') : projected,
  ),
};
