import { describe, expect, it } from 'vitest';
import { UsageError } from '../contract/usage-error.ts';
import { checkOptions } from './check-options.ts';

const target = { baseUrl: 'http://127.0.0.1:1', apiKey: 'x' };

function refused(asked: unknown): string {
  try {
    checkOptions(asked);
    return 'fine';
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

describe('options of a program', () => {
  it('are fine as their types say, and where they are undefined', () => {
    const second = { baseUrl: 'http://127.0.0.1:2', fetch: () => new Response() };
    expect(refused({ target: { ...target, second }, suites: ['discovery'], seed: undefined, sweep: 'all' })).toBe(
      'fine',
    );
    expect(refused({ target: { ...target, close: () => undefined } })).toBe('fine');
    expect(refused({ target, signal: AbortSignal.abort(), witness: { port: 0 }, level: 'should' })).toBe('fine');
  });

  it.each<[asked: unknown, says: string]>([
    [undefined, 'what is asked for has to be an object'],
    [[], 'what is asked for has to be an object'],
    [{}, 'target is missing'],
    [{ target: 'http://127.0.0.1:1' }, 'target has to be an object'],
    [{ target: {} }, 'target.baseUrl is missing'],
    [{ target: { ...target, apikey: 'x' } }, 'no option is called "target.apikey"; did you mean target.apiKey?'],
    [{ target: { ...target, second: { baseURL: 'x' } } }, 'did you mean target.second.baseUrl?'],
    [{ target, suite: ['discovery'] }, 'no option is called "suite"; did you mean suites?'],
    [{ target, suites: 'discovery' }, 'suites has to be a list of texts'],
    [{ target, level: 'may' }, 'level has to be must or should'],
    [{ target, recipe: 'rfc-41' }, 'recipe has to be rfc-0041 or rfc-0150'],
    [{ target, allowInconclusive: 'no' }, 'allowInconclusive has to be true or false'],
    [{ target, witness: { port: '80' } }, 'witness.port has to be a number'],
    [{ target, signal: {} }, 'signal has to be an AbortSignal'],
    [{ target, __proto__: null, constructor: 1 }, 'no option is called "constructor"'],
  ])('%j are refused', (asked, says) => {
    expect(refused(asked)).toContain(says);
  });
});
