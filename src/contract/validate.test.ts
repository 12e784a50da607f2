import { describe, expect, it } from 'vitest';
import { faultsIn, validate } from './validate.ts';

describe('validate', () => {
  it('finds nothing wrong with a valid value', () => {
    expect(validate('discovery#replayDeterminism', { supported: true })).toEqual([]);
  });

  it('names the place and the demand of every violation', () => {
    expect(validate('discovery#executionModel', { supported: 'yes', version: 0 })).toEqual([
      { pointer: '/supported', message: 'must be boolean' },
      { pointer: '/version', message: 'must be >= 1' },
    ]);
  });

  it('names the stray member and the demanded constant', () => {
    expect(validate('discovery#replayDeterminism', { supported: true, stray: 1 })).toEqual([
      { pointer: '', message: 'must NOT have additional properties ("stray")' },
    ]);
    expect(validate('evidence#end', { kind: 'ende', durationMs: 1 })).toEqual([
      { pointer: '/kind', message: 'must be equal to constant ("end")' },
    ]);
  });

  it('takes an own __proto__ for a member like any other', () => {
    const value: unknown = JSON.parse('{"supported":true,"__proto__":{"a":1}}');
    expect(validate('discovery#replayDeterminism', value)).toHaveLength(1);
  });

  it.each([null, [], 'text', 7, undefined])('refuses %j where an object is asked for', (value) => {
    expect(validate('discovery#executionModel', value)).toEqual([{ pointer: '', message: 'must be object' }]);
  });

  it('gives one violation of a very large value, not millions', () => {
    const fixtures = Array.from({ length: 1_000_000 }, (_, index) => index);
    const violations = validate('discovery#families', {
      protocolVersion: '1.0',
      supportedEnvelopes: [],
      schemaVersions: {},
      limits: { clarificationRounds: 0, schemaRounds: 0, envelopesPerTurn: 0 },
      fixtures,
    });
    expect(violations).toEqual([{ pointer: '/fixtures/0', message: 'must be string' }]);
  });

  it('throws for a schema that does not ship: our own mistake', () => {
    expect(() => validate('no-such-schema', {})).toThrow(/ENOENT/u);
    expect(() => validate('discovery#nothing', {})).toThrow(/resolve|no schema/u);
  });
});

function versionFaults(version: unknown): readonly string[] {
  return faultsIn('discovery#executionModel', { supported: true, version }, 'sent').map(({ wrong }) => wrong);
}

describe('faultsIn', () => {
  it('shows what was sent, cut, and of what is no scalar its type', () => {
    expect([0, true, 'x', null, []].flatMap(versionFaults)).toEqual([
      'is 0 and must be >= 1',
      'is true, not integer',
      'is "x", not integer',
      'is null, not integer',
      'is array, not integer',
    ]);
    expect(versionFaults('x'.repeat(100))).toEqual([`is "${'x'.repeat(60)}"…, not integer`]);
  });

  it('shows nothing of what is read from a file, which may hold credentials', () => {
    expect(faultsIn('discovery#executionModel', { supported: 'secret', version: 0 }).map(({ wrong }) => wrong)).toEqual(
      ['is string, not boolean', 'must be >= 1'],
    );
  });
});
