import { describe, expect, it } from 'vitest';
import type { Json } from '../../src/evidence/types.ts';
import type { WitnessCall, WitnessVisit } from '../../src/evidence/witness.ts';
import { createVisit } from '../../src/witness/visit.ts';
import { search } from './listen.ts';
import { makeErrorSecrets, makeInputSecrets, makeSecrets } from './secret-places.ts';

function visitWith(
  ...calls: readonly { readonly kind: WitnessCall['kind']; readonly body: Json; readonly answer: Json }[]
) {
  const visit = createVisit('http://witness');
  for (const { kind, body, answer } of calls) {
    const call = visit.arrive({ kind, name: 'secrets', method: 'POST', idempotencyKey: null });
    call.received(body, 10);
    call.answer(answer);
  }
  return visit satisfies WitnessVisit;
}

/** Which of the eight places are among these numbers. */
function places(...numbers: readonly number[]): readonly boolean[] {
  return [1, 2, 3, 4, 5, 6, 7, 8].map((each) => numbers.includes(each));
}

describe('the secrets of a run', () => {
  const secrets = makeSecrets();

  it('stand each where its place says', () => {
    const numbers = (value: Json) => search(secrets, JSON.stringify(value)).shows.map(({ canary }) => canary);
    expect(numbers(secrets.credentials)).toEqual([1, 2]);
    expect([...new Set(numbers(secrets.toolAnswer))]).toEqual([2, 3, 4, 5, 6]);
    expect(numbers(secrets.modelText)).toEqual([6, 7]);
    expect(numbers(secrets.resumeValue)).toEqual([8]);
    expect(search(secrets, JSON.stringify(secrets.toolAnswer)).marker).toBe(true);
  });

  it('say which of them stand beside the harmless text', () => {
    expect(secrets.planted(visitWith(), false).places.map(({ beside }) => beside)).toEqual(places(2, 3, 4, 5, 6));
  });

  it('have arrived where the witness had them', () => {
    const arrived = (visit: WitnessVisit, isAnswered: boolean) =>
      secrets.planted(visit, isAnswered).places.map((place) => place.arrived);
    const call = { kind: 'effect', body: { ...secrets.credentials }, answer: secrets.toolAnswer } as const;
    const chat = { kind: 'chat', body: null, answer: secrets.modelText } as const;
    expect(arrived(visitWith(call, chat), true)).toEqual(places(1, 2, 3, 4, 5, 6, 7, 8));
    expect(arrived(visitWith({ ...call, body: null }), false)).toEqual(places(3, 4, 5, 6));
    expect(arrived(visitWith(), false)).toEqual(places());
    expect(arrived(visitWith(), true)).toEqual(places(8));
  });
});

describe('the secrets of an error', () => {
  it('have arrived where the tool was answered', () => {
    const secrets = makeErrorSecrets();
    const answered = visitWith({ kind: 'effect', body: null, answer: secrets.toolAnswer });
    expect(secrets.planted(answered).places.map(({ arrived }) => arrived)).toEqual([true, true]);
    expect(secrets.planted(visitWith()).places.map(({ arrived }) => arrived)).toEqual([false, false]);
  });
});

describe('the secret of inputs alone', () => {
  const shows = [{ canary: 1, spelling: 'as it is' }];
  it.each<[string, Parameters<ReturnType<typeof makeInputSecrets>['hidden']>[0], boolean]>([
    ['counts where what stands beside it is shown', [{ shows: [], marker: true }], true],
    ['does not where nothing is', [{ shows: [], marker: false }], false],
    [
      'does not where it is shown anywhere',
      [
        { shows: [], marker: true },
        { shows, marker: false },
      ],
      false,
    ],
  ])('%s', (_, heard, arrived) => {
    const { places: hidden, request } = makeInputSecrets().hidden(heard);
    expect(hidden.map((each) => each.arrived)).toEqual([arrived, false]);
    expect(JSON.parse(request)).toHaveLength(1);
  });
});
