import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

export const keyModelCaseFolded: Mutant = {
  id: 'key-model-case-folded',
  breaks: "The model's id is hashed in lower case.",
  kills: [...OFFLINE, 'cache-key.model-verbatim'],
  parts: projecting((projected) => ({ ...projected, model: String(member(projected, 'model')).toLowerCase() })),
};
