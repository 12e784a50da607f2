import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, taken } from './shared/key-parts.ts';

export const keyRecipeNullForm: Mutant = {
  id: 'key-recipe-null-form',
  breaks: 'The object that RFC 0041 §A prints is hashed, with nulls for what is absent.',
  kills: [...OFFLINE, 'cache-key.omits-absent', 'cache-key.includes-recipe-fields'],
  parts: projecting((projected) => ({
    ...taken(projected, ['model', 'provider', 'messages']),
    tools: member(projected, 'tools') ?? [],
    temperature: member(projected, 'temperature') ?? null,
    responseSchema: member(member(projected, 'responseFormat'), 'schema') ?? null,
  })),
};
