import { describe, expect, it } from 'vitest';
import { cacheKey, compareLogs, judgeEvidence, runConformance } from './index.ts';

/** What a program without types may give. */
const any = (value: unknown): never => value as never;

describe('the library says what is wrong with what it is given', () => {
  it('of a request that is no text', () => {
    for (const request of [42, undefined, { provider: 'openai' }]) {
      expect(() => cacheKey(any(request))).toThrow(
        new TypeError('the request is no text: give the JSON text that was sent'),
      );
    }
  });

  it('of logs that are no lists', () => {
    expect(() => compareLogs(any('[]'), [])).toThrow(new TypeError('source: no list of events'));
    expect(() => compareLogs([], any({}))).toThrow(new TypeError('replay: no list of events'));
    expect(() => compareLogs([{}], [{}])).toThrow('source: event 1: the event has no eventId');
  });

  it('of a recipe that there is none of, and of options of a comparison', () => {
    const recipe = new TypeError('recipe has to be rfc-0041 or rfc-0150');
    expect(() => cacheKey('{}', any('x'))).toThrow(recipe);
    expect(() => cacheKey('{}', any(null))).toThrow(recipe);
    expect(() => compareLogs([], [], any({ volatle: [] }))).toThrow(
      'no option is called "volatle"; did you mean volatile?',
    );
    expect(() => compareLogs([], [], any(null))).toThrow('what is asked for has to be an object');
    expect(() => compareLogs([], [], any({ volatile: '/payload' }))).toThrow('volatile has to be a list of texts');
  });

  it('of options, and of evidence that is not there', async () => {
    await expect(runConformance(any({}))).rejects.toThrow('target is missing');
    await expect(judgeEvidence('no-such-file', any({ levle: 'must' }))).rejects.toThrow('did you mean level?');
    await expect(judgeEvidence('no-such-file', any({ level: 'may' }))).rejects.toThrow(
      'level has to be must or should',
    );
    await expect(judgeEvidence('no-such-file', any(null))).rejects.toThrow('what is asked for has to be an object');
    await expect(judgeEvidence('no-such-file')).rejects.toThrow('no such file');
  });
});
