import { describe, expect, it } from 'vitest';
import { judgementOf } from '../../src/runner/define-scenario.ts';
import { recorded } from '../../test/fork-observations.ts';
import { judgeDocumented } from './documented.ts';

function document(name: string, mentions: readonly object[], problem: string | null = null) {
  return { type: 'document', name, mentions, problem, exchanges: ['x1'] };
}

const SAYS = { pointer: '/replay/retention', kind: 'documented' };
const HINT = { pointer: '/documentation', kind: 'hint' };

function judge(...documents: readonly object[]) {
  const observations = recorded(...(documents as ReturnType<typeof document>[]));
  return judgementOf('c', judgeDocumented(observations as Parameters<typeof judgeDocumented>[0]));
}

describe('judgeDocumented', () => {
  it.each([
    ['pass', [document('a', [HINT, SAYS]), document('b', [])]],
    ['pass', [document('a', []), document('b', [SAYS])]],
    ['pass', [document('a', [SAYS]), document('b', [], 'timeout')]],
    ['inconclusive', [document('a', []), document('b', [HINT])]],
    ['inconclusive', [document('a', []), document('b', [], 'timeout')]],
    ['inconclusive', []],
    ['fail', [document('a', []), document('b', [])]],
  ])('%s', (expected, documents) => expect(judge(...documents).verdict).toBe(expected));

  it('says where it stands, and what to do', () => {
    expect(judge(document('the discovery document', [SAYS])).reason).toBe('the discovery document, /replay/retention');
    expect(judge(document('a', [HINT])).reason).toContain('name it in replay/retention');
  });
});
