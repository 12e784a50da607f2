import { describe, expect, it } from 'vitest';
import { toldCell, toldCut } from '../../test/told-matrix.ts';
import { createHungRuns } from './crash-drive.ts';

function hung(cut: string) {
  return toldCell({ cut, more: { stopped: 'patience' } });
}

describe('createHungRuns', () => {
  it('refuses what looks like two runs that hung, and nothing else', () => {
    const runs = createHungRuns();
    runs.note(hung('after-execute'));
    runs.note(toldCell({ cut: 'before-put-effect' }));
    expect(runs.refuse({ cut: toldCut('before-put-effect'), second: null })).toBeUndefined();
    runs.note(hung('before-put-effect'));
    expect(runs.refuse({ cut: toldCut('after-append-started'), second: null })).toMatch(/^2 runs like it/u);
    expect(runs.refuse({ cut: toldCut('after-put-effect'), second: null })).toBeUndefined();
    expect(runs.refuse({ cut: toldCut('after-execute'), second: toldCut('before-put-effect') })).toBeUndefined();
  });

  it('refuses everything after six', () => {
    const runs = createHungRuns();
    for (const cut of ['before-acquire', 'after-execute', 'after-put-effect', 'before-ledger-commit', 'fp-1', 'fp-2']) {
      runs.note(hung(cut));
    }
    expect(runs.refuse({ cut: toldCut('after-ledger-commit'), second: null })).toMatch(/^6 runs before it/u);
  });
});
