import type { Mutant } from './mutant.ts';
import { projecting, taken, eachContent } from './shared/key-parts.ts';

export const blockMembersDropped: Mutant = {
  id: 'block-members-dropped',
  breaks: 'Only type and text of a content block are hashed.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
  parts: projecting((projected) =>
    eachContent(projected, (content) =>
      Array.isArray(content) ? content.map((block) => taken(block, ['type', 'text'])) : content,
    ),
  ),
};
