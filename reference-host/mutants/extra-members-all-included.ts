import type { Mutant } from './mutant.ts';
import { isObject } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting } from './shared/key-parts.ts';

export const extraMembersAllIncluded: Mutant = {
  id: 'extra-members-all-included',
  breaks: 'Every member of the request enters the key.',
  kills: [...OFFLINE, 'cache-key.excludes-non-recipe-fields'],
  parts: projecting((projected, request) => ({ ...(isObject(request) ? request : {}), ...projected })),
};
