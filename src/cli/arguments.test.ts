import { describe, expect, it } from 'vitest';
import { reportersOf } from './arguments.ts';

describe('reporters', () => {
  it.each([
    ['json=a,b.json', ['json=a,b.json']],
    ['terminal,json=a,b.json', ['terminal', 'json=a,b.json']],
    ['json,junit=x.xml,tap', ['json', 'junit=x.xml', 'tap']],
    ['html=out,1/a.html', ['html=out,1/a.html']],
    ['json=a,tapes', ['json=a,tapes']],
  ])('of %s are told apart by their names', (value, expected) => expect(reportersOf(value)).toEqual(expected));

  it.each(['', ',json', 'json,'])('are none in %j', (value) => {
    expect(() => reportersOf(value)).toThrow('--reporter names nothing');
  });
});
