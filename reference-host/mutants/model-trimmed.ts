import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting } from './shared/key-parts.ts';

export const modelTrimmed: Mutant = {
  id: 'model-trimmed',
  breaks: "The model's id loses white space at its ends.",
  kills: ['cache-key.model-verbatim'],
  parts: projecting((projected) => ({ ...projected, model: String(member(projected, 'model')).trim() })),
};
