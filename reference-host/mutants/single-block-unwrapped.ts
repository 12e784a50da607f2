import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting, eachContent } from './shared/key-parts.ts';

function unwrapped(content: unknown): unknown {
  const only: unknown = Array.isArray(content) && content.length === 1 ? content[0] : undefined;
  return member(only, 'type') === 'text' ? member(only, 'text') : content;
}

export const singleBlockUnwrapped: Mutant = {
  id: 'single-block-unwrapped',
  breaks: 'A single text block is hashed like the string of the same text.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-content-shape'],
  parts: projecting((projected) => eachContent(projected, unwrapped)),
};
