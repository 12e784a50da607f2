import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

function namesOf(request: unknown): readonly unknown[] {
  const tools = member(request, 'tools');
  return Array.isArray(tools) ? tools.map((tool) => member(tool, 'name')) : [];
}

export const keyToolsUnsorted: Mutant = {
  id: 'key-tools-unsorted',
  breaks: "Tools are hashed in the request's order.",
  kills: [...OFFLINE, 'cache-key.sorts-tools'],
  parts: projecting((projected, request) =>
    withList(projected, 'tools', (tools) => {
      const place = namesOf(request);
      return tools.toSorted((a, b) => place.indexOf(member(a, 'name')) - place.indexOf(member(b, 'name')));
    }),
  ),
};
