import { describe, expect, it } from 'vitest';
import { cellOf, cutNamed } from '../../test/crash-cells.ts';
import { createHungRuns } from './crash-drive.ts';

function hung(cut: string) {
  return cellOf({ cut, more: { stopped: 'patience' } });
}

describe('createHungRuns', () => {
  it('refuses what looks like two runs that hung, and nothing else', () => {
    const runs = createHungRuns();
    runs.note(hung('after-execute'));
    runs.note(cellOf({ cut: 'before-put-effect' }));
    expect(runs.refuse({ cut: cutNamed('before-put-effect'), second: null })).toBeUndefined();
    runs.note(hung('before-put-effect'));
    expect(runs.refuse({ cut: cutNamed('after-append-started'), second: null })).toMatch(/^2 runs like it/u);
    expect(runs.refuse({ cut: cutNamed('after-put-effect'), second: null })).toBeUndefined();
    expect(runs.refuse({ cut: cutNamed('after-execute'), second: cutNamed('before-put-effect') })).toBeUndefined();
  });

  it('refuses everything after six', () => {
    const runs = createHungRuns();
    for (const cut of ['before-acquire', 'after-execute', 'after-put-effect', 'before-ledger-commit', 'fp-1', 'fp-2']) {
      runs.note(hung(cut));
    }
    expect(runs.refuse({ cut: cutNamed('after-ledger-commit'), second: null })).toMatch(/^6 runs before it/u);
  });
});
