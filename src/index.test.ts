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

  it('of options, and of evidence that is not there', async () => {
    await expect(runConformance(any({}))).rejects.toThrow('target is missing');
    await expect(judgeEvidence('no-such-file')).rejects.toThrow('no such file');
  });
});
