import { describe, expect, it } from 'vitest';
import { answered, unanswered } from '../../test/answers.ts';
import { bodyOf, exchanged } from '../../test/records.ts';
import type { EvidenceRecord, ExchangeAnswerRecord } from '../evidence/types.ts';
import type { Exchange } from '../host/client.ts';
import { silenceIn } from './silence.ts';

const YES: ExchangeAnswerRecord = { kind: 'response', status: 200, headers: {}, body: bodyOf('') };
const NO: ExchangeAnswerRecord = { kind: 'failure', reason: 'refused', message: 'm' };
const LEFT: ExchangeAnswerRecord = { kind: 'failure', reason: 'aborted', message: 'm' };

function exchanges(answers: readonly ExchangeAnswerRecord[], baseUrl = 'http://h:1'): readonly EvidenceRecord[] {
  const request = { method: 'GET', url: `${baseUrl}/v1`, headers: {} };
  return answers.map((answer, index) =>
    exchanged({ id: `x${index}`, scenario: index % 2 === 0 ? 'a' : 'b', request, answer }),
  );
}

const gone: Exchange = { ...unanswered('refused'), id: 'x9' };
const alive = answered(500);

async function found(records: readonly EvidenceRecord[], answer: Exchange = gone) {
  let requests = 0;
  const ask = async (): Promise<Exchange> => ((requests += 1), answer);
  return { silence: await silenceIn(records, 'http://h:1', ask), requests };
}

describe('a host that stopped answering', () => {
  it('is one that answers nothing any more, the last question included', async () => {
    expect((await found(exchanges([YES, NO, YES, NO, NO, LEFT, NO]))).silence).toEqual({
      type: 'silence',
      answered: 2,
      scenarios: ['b', 'a'],
      exchanges: ['x9'],
    });
  });

  it('is not one that is still there, or where nobody knows', async () => {
    const records = exchanges([YES, NO, NO, NO]);
    expect(await found(records, alive)).toEqual({ silence: undefined, requests: 1 });
    expect((await found(records, { ...gone, reason: 'aborted' })).silence).toBeUndefined();
  });

  it.each([
    ['that answered the last request', exchanges([NO, NO, NO, YES])],
    ['that never answered', exchanges([NO, NO, NO])],
    ['with a request or two that failed', exchanges([YES, NO, NO])],
    ['whose requests were stopped by us', exchanges([YES, LEFT, LEFT, LEFT])],
    ['beside another one', [...exchanges([YES]), ...exchanges([NO, NO, NO], 'http://h:12')]],
  ])('is not asked for where it is one %s', async (_, records) => {
    expect(await found(records)).toEqual({ silence: undefined, requests: 0 });
  });
});
