import { describe, expect, it } from 'vitest';
import { diagnoseAnswers } from './diagnose-answers.ts';
import { diagnoseKey } from './search.ts';
import { parseJsonText } from './json-text.ts';
import { bounded, spend } from './work.ts';

const WRONG = '0'.repeat(64);

function request(messages: string, more = ''): string {
  return `{"provider":"p","model":"m","messages":[${messages}]${more}}`;
}

function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

/** Requests for which the search would take minutes or gigabytes. */
const HOSTILE: readonly (readonly [string, string])[] = [
  ['large', request(Array.from({ length: 3000 }, () => `{"role":"user","content":"${'x'.repeat(300)}"}`).join())],
  ['deep', request(Array.from({ length: 100 }, () => `{"role":"user","content":${nested(900)}}`).join())],
  ['many members', request('', Array.from({ length: 20_000 }, (_, at) => `,"k${at}":1`).join(''))],
  ['a name over and over', request(`{${Array.from({ length: 100_000 }, () => '"role":"user"').join()}}`)],
];

describe('the search for a wrong rule', () => {
  it.each(HOSTILE)('ends in a request that is %s, and says that it did not end by itself', (_, text) => {
    expect(diagnoseKey(text, WRONG, 'rfc-0041')).toBeUndefined();
  });

  it('of a host’s answers explains none where it has to end', () => {
    const answers = HOSTILE.slice(3).map(([name, text]) => ({ name, request: text, key: WRONG }));
    expect(diagnoseAnswers(answers, 'rfc-0041')).toMatchObject({ kind: 'unexplained' });
  });

  it('goes to its end in an ordinary request', () => {
    expect(diagnoseKey(request('{"role":"user","content":"hello"}'), WRONG, 'rfc-0041')).toEqual([]);
  });
});

describe('what a search keeps', () => {
  it('counts, as the nodes that it reads do', () => {
    expect(bounded(100_000, () => parseJsonText(nested(900)))).toBeUndefined();
    expect(bounded(300_000, () => parseJsonText(nested(900)))).toMatchObject({ ok: true });
  });
});

describe('bounded', () => {
  it('gives what is found within the bound, and counts inner work as outer', () => {
    const result = bounded(10, () => [bounded(5, () => spend(6)), bounded(5, () => (spend(4), 'found'))]);
    expect(result).toEqual([undefined, 'found']);
    expect(bounded(10, () => [bounded(20, () => spend(9)), spend(2)])).toBeUndefined();
    expect(() => spend(1e9)).not.toThrow();
  });

  it('hands on what is thrown otherwise', () => {
    expect(() => bounded(1, () => JSON.parse('{') as unknown)).toThrow(SyntaxError);
  });
});
