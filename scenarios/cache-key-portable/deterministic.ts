import { phase4 } from '../../src/contract/gates.ts';
import { fail, pass, type Outcome } from '../../src/contract/outcome.ts';
import type { Judging } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { type Answers, keyOf, leftWithoutKeys, OWNERS, undecidedBy } from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { type KeyObservation, type RecordedKey, shownAnswer } from './observation.ts';
import { type KeyRequest, requestText } from './requests.ts';
import { lineTo, keyScenario, send, withRepeats } from './send.ts';

const FIRST = requestText();
const SECOND = requestText({
  tools: '[{"name":"b","parameters":{"y":1,"x":2}},{"name":"a","parameters":{}}]',
  temperature: '0.3',
});

function bothRequests(name: string, sent: Partial<KeyRequest> = {}): readonly KeyRequest[] {
  return [
    { name: `${name}, first request`, part: 'control', request: FIRST, ...sent },
    { name: `${name}, second request`, part: 'control', request: SECOND, ...sent },
  ];
}

const ONE_BY_ONE = ['first time', 'second time', 'third time'].flatMap((name) => bothRequests(name));
const AT_ONCE = Array.from({ length: 6 }, (_, index) => bothRequests(`at once ${index + 1}`)).flat();
const FRESH = bothRequests('on a fresh connection', {
  variation: 'a fresh connection',
  headers: { connection: 'close' },
});

function judge(answers: Answers, { everything }: Pick<Judging, 'everything'>): Outcome {
  const { keys } = answers;
  const changed =
    changedAmong(keys.filter((each) => keyOf(each) !== undefined)) ??
    changedAmong(everything.filter(isToThisHost), ({ request, variation = '' }) => `${variation} ${request}`);
  if (changed !== undefined) return changed;
  const left = leftWithoutKeys(answers);
  if (left !== undefined) return left;
  if (new Set(keys.map(keyOf)).size === 2) return pass(keys);
  return undecidedBy({ reason: 'two different requests get the same key', owner: OWNERS.otherKeys }, keys);
}

/** The failure of the first request that got two keys; `sameOf` tells which are the same. */
function changedAmong(
  keys: readonly RecordedKey[],
  sameOf = ({ request }: RecordedKey): string => request,
): Outcome | undefined {
  const known = new Map<string, RecordedKey>();
  for (const each of keys) {
    const earlier = known.get(sameOf(each));
    if (earlier === undefined) known.set(sameOf(each), each);
    else if (keyOf(earlier) !== keyOf(each)) {
      const mismatch = {
        expected: `${shownAnswer(earlier.answer)}, as "${earlier.name}"`,
        actual: `${shownAnswer(each.answer)}, "${each.name}"`,
        diagnosis: catalogued('salted'),
        steps: [earlier.id, each.id],
      };
      return fail(mismatch, [each, earlier]);
    }
  }
  return undefined;
}

/** Whether an answer of any scenario of the suite holds a key of the host under test. */
function isToThisHost(observation: Everything[number]): observation is RecordedKey & Everything[number] {
  if (observation.type !== 'key' || !observation.scenario.startsWith('cache-key.')) return false;
  const { answer, secondHost } = observation as typeof observation & KeyObservation;
  return answer.kind === 'key' && secondHost === undefined;
}

/** 0041 §E: one by one, many at once, after other requests, and on connections of their own. */
export const deterministic = keyScenario({
  id: 'cache-key.deterministic',
  title: 'The same request gets the same key whenever and however often it is sent',
  gate: phase4,
  foundation: true,
  drive: async (probe, { recipe }) => {
    const line = lineTo(probe);
    const single = await send({ ...line, concurrency: 1 }, ONE_BY_ONE);
    const many = await send(line, AT_ONCE);
    return withRepeats(line, [...single, ...many, ...(await send(line, FRESH))], recipe);
  },
  judge,
});
