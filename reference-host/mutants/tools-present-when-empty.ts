import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting } from './shared/key-parts.ts';

export const toolsPresentWhenEmpty: Mutant = {
  id: 'tools-present-when-empty',
  breaks: 'An empty list of tools is hashed as present, unlike on the second host.',
  kills: ['cache-key.cross-host-parity'],
  parts: projecting((projected, request) => {
    const tools = member(request, 'tools');
    return Array.isArray(tools) && tools.length === 0 ? { ...projected, tools } : projected;
  }),
};
