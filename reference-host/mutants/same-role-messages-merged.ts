import type { Mutant } from './mutant.ts';
import { member } from '../json.ts';
import { projecting, withList } from './shared/key-parts.ts';

function merged(messages: readonly unknown[]): readonly unknown[] {
  const joined: unknown[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    if (last === undefined || member(last, 'role') !== member(message, 'role')) joined.push(message);
    else joined[joined.length - 1] = { role: member(last, 'role'), content: `${text(last)}\n${text(message)}` };
  }
  return joined;
}

function text(message: unknown): string {
  const content = member(message, 'content');
  return typeof content === 'string' ? content : JSON.stringify(content);
}

export const sameRoleMessagesMerged: Mutant = {
  id: 'same-role-messages-merged',
  breaks: 'Neighbouring messages of one role are joined to one.',
  kills: ['cache-key.reproducible-offline.generated', 'cache-key.preserves-message-order'],
  parts: projecting((projected) => withList(projected, 'messages', merged)),
};
