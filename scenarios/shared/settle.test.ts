import { describe, expect, it } from 'vitest';
import { fail, notApplicable, pass, rests, undecided } from '../../src/contract/outcome.ts';
import { settle } from './settle.ts';

const open = undecided('no such node', ['o1']);
const left = undecided('its source was not seen', ['o2']);

describe('one outcome from several', () => {
  it('passes where one does, and says what was not seen', () => {
    expect(settle([open, pass(['o3'], 'two runs'), rests('run.created', left)])).toEqual(
      pass(['o1', 'o3', 'o2'], 'two runs; not seen: no such node; not seen: its source was not seen'),
    );
  });

  it('fails where one does, by a cause of its own first', () => {
    const diagnosis = { code: 'code', message: 'why' };
    const own = fail({ expected: 'a', actual: 'b', diagnosis }, ['o4']);
    const others = fail({ expected: 'a', actual: 'c', diagnosis, restsOn: 'fork.created' }, ['o5']);
    expect(settle([pass(['o3']), others, own])).toBe(own);
    expect(settle([pass(['o3']), others])).toBe(others);
  });

  it('is open where none decides, for the sake of whoever keeps one open', () => {
    const both = undecided('no such node; its source was not seen', ['o1', 'o2']);
    expect(settle([open, rests('run.created', left)])).toEqual(rests('run.created', both));
    expect(settle([open, left])).toEqual(both);
  });

  it('says once what outcomes have in common that were settled before', () => {
    const [a, b] = [undecided('no model', []), undecided('no seam', [])];
    expect(settle([settle([a, b]), b])).toMatchObject({ kind: 'undecided', reason: 'no model; no seam' });
  });

  it('counts what asks nothing of the host where there is nothing else', () => {
    const nothing = notApplicable('no branch is offered', []);
    expect(settle([nothing, open])).toBe(open);
    expect(settle([nothing, nothing])).toBe(nothing);
  });
});
