import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { OFFLINE } from './shared/checks.ts';
import { projecting, withList } from './shared/key-parts.ts';

const ENGLISH = new Intl.Collator('en');

export const keyToolsLocaleSorted: Mutant = {
  id: 'key-tools-locale-sorted',
  breaks: "Tools are sorted by a language's rules instead of by code unit.",
  kills: [...OFFLINE, 'cache-key.sorts-tools'],
  parts: projecting((projected) =>
    withList(projected, 'tools', (tools) =>
      tools.toSorted((a, b) => ENGLISH.compare(String(member(a, 'name')), String(member(b, 'name')))),
    ),
  ),
};
