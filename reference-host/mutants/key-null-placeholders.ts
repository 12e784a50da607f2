import type { Mutant } from './mutant.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

const NULLS = { tools: null, temperature: null, topP: null, topK: null, responseFormat: null };

export const keyNullPlaceholders: Mutant = {
  id: 'key-null-placeholders',
  breaks: 'Absent optional fields are hashed as null.',
  kills: [...OFFLINE, 'cache-key.omits-absent'],
  parts: projecting((projected) => ({ ...NULLS, ...projected })),
};
