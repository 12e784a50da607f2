import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { isObject } from '../json.ts';
import { projecting, eachContent } from './shared/key-parts.ts';

function trimmed(content: unknown): unknown {
  if (typeof content === 'string') return content.trim();
  if (!Array.isArray(content)) return content;
  return content.map((block: unknown) =>
    isObject(block) && typeof block['text'] === 'string' ? { ...block, text: block['text'].trim() } : block,
  );
}

export const keyContentTrimmed: Mutant = {
  id: 'key-content-trimmed',
  breaks: 'White space at the ends of a message is not hashed.',
  kills: [...OFFLINE, 'cache-key.preserves-content-shape'],
  parts: projecting((projected) => eachContent(projected, trimmed)),
};
