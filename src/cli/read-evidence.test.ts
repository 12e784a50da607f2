import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { withTemporaryDirectory } from '../../test/cli.ts';
import { bodyOf, exchanged, RUN as BARE } from '../../test/records.ts';
import { readEvidence } from './read-evidence.ts';

const SECRET = 'the-credential-of-1-run';
const RUN = {
  ...BARE,
  options: { credentialVariables: { apiKey: 'VENDOR_KEY' } },
  scenarios: ['s', 'd'],
};
const TEXT = `{"a":"${SECRET.toUpperCase()}"}`;
const EXCHANGE = exchanged({
  request: { method: 'GET', url: `http://h/${SECRET}`, headers: { authorization: 'Bearer other' } },
  answer: { kind: 'response', status: 200, headers: { 'set-cookie': 'session=1' }, body: bodyOf(TEXT) },
});
const OBSERVATION = {
  kind: 'observation',
  id: 'o1',
  scenario: 's',
  observation: { type: 't', exchanges: ['x1'], text: SECRET },
};

const PLAN = { kind: 'plan', scenario: 's', status: 'not-applicable', reason: 'r' };
const DRIVEN = { kind: 'driven', scenario: 's', outcome: 'completed', durationMs: 1 };

function read(...lines: readonly object[]): ReturnType<typeof readEvidence> {
  return withTemporaryDirectory(async (directory) => {
    const file = join(directory, 'e');
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return readEvidence(file);
  });
}

afterEach(() => vi.unstubAllEnvs());

describe('recorded evidence', () => {
  it.each(['OPENWOP_API_KEY', 'VENDOR_KEY'])('loses what %s holds, and credential headers', async (name) => {
    vi.stubEnv(name, SECRET);
    const { records } = await read(RUN, EXCHANGE, OBSERVATION);
    expect(JSON.stringify(records).toLowerCase()).not.toContain(SECRET.slice(0, 8));
    expect(JSON.stringify(records)).not.toMatch(/other|session=1/u);
  });

  it('keeps what no variable of a credential holds', async () => {
    const { records } = await read(RUN, EXCHANGE, OBSERVATION);
    expect(records[2]).toEqual(OBSERVATION);
  });

  it('may hold a plan of what was driven, and requests of the plan itself', async () => {
    const { records } = await read(
      RUN,
      PLAN,
      { ...EXCHANGE, scenario: 'plan' },
      { ...PLAN, scenario: 'd', status: 'applicable' },
      { ...DRIVEN, scenario: 'd' },
    );
    expect(records).toHaveLength(5);
  });

  it.each([
    ['an id twice', [RUN, EXCHANGE, EXCHANGE], ':3: x1 stands in line 2'],
    ['an exchange that nobody recorded', [RUN, OBSERVATION], ':2: it rests on x1'],
    ['two runs', [RUN, RUN], 'line 2'],
    ['no run', [EXCHANGE], 'no run line'],
    [
      'a result of what was not to be driven',
      [RUN, EXCHANGE, OBSERVATION, { ...PLAN, scenario: 'd' }, PLAN],
      ':2: the evidence contradicts itself',
    ],
    ['a drive of what was not to be', [RUN, DRIVEN, PLAN], ':2: the evidence contradicts itself: line 3 plans s'],
    [
      'a drive of what could not be',
      [RUN, { ...PLAN, status: 'inconclusive' }, DRIVEN],
      'line 2 plans s as inconclusive, and here it was driven',
    ],
    ['another shape', [RUN, { ...EXCHANGE, id: 7 }], ':2: /id'],
    [
      'a line that is gone',
      [RUN, EXCHANGE, { ...EXCHANGE, id: 'x3' }],
      ':3: the evidence contradicts itself: x3 stands',
    ],
  ])('with %s is refused with its line', async (_, lines, message) => {
    await expect(read(...lines)).rejects.toThrow(message);
  });
});
