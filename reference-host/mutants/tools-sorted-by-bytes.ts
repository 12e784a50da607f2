import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { withList, projecting } from './shared/key-parts.ts';

const bytesOf = (tool: unknown): Buffer => Buffer.from(String(member(tool, 'name')));

export const toolsSortedByBytes: Mutant = {
  id: 'tools-sorted-by-bytes',
  breaks: 'Tools are sorted by the UTF-8 bytes of their names instead of by UTF-16 code unit.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.sorts-tools', 'cache-key.cross-host-parity'],
  parts: projecting((projected) =>
    withList(projected, 'tools', (tools) => tools.toSorted((a, b) => Buffer.compare(bytesOf(a), bytesOf(b)))),
  ),
};
