import { describe, expect, it } from 'vitest';
import { observed, verdictOf } from '../../test/recorded-runs.ts';
import { deletionDocumented } from './documented.ts';

const SAYS = { pointer: '/replay/retention/deletedData', text: 'replays are refused' };
const HINT = { pointer: '/documentation', kind: 'hint' };

function document(more: object = {}) {
  const nothing = { mentions: [], retention: [], deletion: [], problem: null };
  return observed('d', 'document', { name: 'the discovery document', ...nothing, ...more });
}

function judge(...documents: readonly ReturnType<typeof document>[]): string {
  return verdictOf(deletionDocumented, 'privacy.deletion-documented', documents);
}

describe('privacy.deletion-documented', () => {
  it('passes where a document says what a deletion means for forks', () => {
    expect(judge(document(), document({ deletion: [SAYS] }))).toBe('pass');
    expect(judge(document({ deletion: [SAYS] }), document({ problem: 'timeout' }))).toBe('pass');
  });

  it('fails where none does, or it is still to be said', () => {
    expect(judge(document(), document())).toBe('fail deletion-not-documented');
    const empty = { ...SAYS, text: 'still to be written' };
    expect(judge(document({ deletion: [empty] }))).toBe('fail deletion-not-documented');
    expect(judge(document({ deletion: [empty, SAYS] }))).toBe('pass');
  });

  it('is undecided where it may stand elsewhere', () => {
    expect(judge()).toBe('inconclusive');
    expect(judge(document({ mentions: [HINT] }))).toBe('inconclusive');
    const link = { pointer: '/replay/retention/documentation', text: 'https://host.example/retention' };
    expect(judge(document({ retention: [link] }))).toBe('inconclusive');
    expect(judge(document({ retention: [{ ...link, text: 'kept for a day' }] }))).toBe('fail deletion-not-documented');
    expect(judge(document({ deletion: [{ ...SAYS, text: link.text }] }))).toBe('inconclusive');
    expect(judge(document(), document({ problem: 'timeout' }))).toBe('inconclusive');
    expect(judge(document({ deletion: undefined }))).toBe('inconclusive');
  });
});
