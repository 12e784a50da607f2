import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, eachContent } from './shared/key-parts.ts';

function coalesced(content: unknown): unknown {
  if (!Array.isArray(content)) return content;
  const texts = content.map((block) => (member(block, 'type') === 'text' ? member(block, 'text') : undefined));
  return texts.every((text) => typeof text === 'string') ? texts.join('') : content;
}

export const keyContentCoalesced: Mutant = {
  id: 'key-content-coalesced',
  breaks: 'Text blocks are joined to one string before they are hashed.',
  kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
  parts: projecting((projected) => eachContent(projected, coalesced)),
};
