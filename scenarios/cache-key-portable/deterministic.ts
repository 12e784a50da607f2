import { phase4 } from '../../src/contract/gates.ts';
import { fail, pass, undecided, type Outcome } from '../../src/contract/outcome.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { Everything } from '../../src/runner/scenario.ts';
import { type Answers, gapIn, keyOf, looksLikeKey, OWNERS, undecidedBy } from './answers.ts';
import { catalogued } from './diagnoses.ts';
import { type RecordedKey, shownAnswer } from './observation.ts';
import { type KeyRequest, requestText } from './requests.ts';
import { SEAM_SCENARIO } from './seam-scenario.ts';
import { lineTo, send, withRepeats } from './send.ts';

const row = {
  id: 'cache-key.deterministic',
  title: 'The same request gets the same key whenever and however often it is sent',
};

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

function judge(answers: Answers, everything: Everything): Outcome {
  const { keys } = answers;
  for (const request of [FIRST, SECOND]) {
    const [one, ...others] = keys.filter((each) => each.request === request && each.answer.kind === 'key');
    const other = others.find((each) => keyOf(each) !== keyOf(one));
    if (one !== undefined && other !== undefined) return changed(one, other);
  }
  const elsewhere = changedAnywhere(everything);
  if (elsewhere !== undefined) return elsewhere;
  const gap = gapIn(answers, keys);
  if (gap !== undefined) return undecided(gap, keys);
  const odd = keys.find((each) => !looksLikeKey(keyOf(each) ?? ''));
  if (odd !== undefined) {
    const reason = `${shownAnswer(odd.answer)} does not look like a key`;
    return undecidedBy({ reason, owner: OWNERS.rightKeys }, keys);
  }
  if (new Set(keys.map(keyOf)).size === 2) return pass(keys);
  return undecidedBy({ reason: 'two different requests get the same key', owner: OWNERS.otherKeys }, keys);
}

/** The first request of the whole suite that got two keys, where nothing else about the sending was different. */
function changedAnywhere(everything: Everything): Outcome | undefined {
  const known = new Map<string, RecordedKey>();
  for (const each of everything) {
    if (!isPlainlySent(each)) continue;
    const earlier = known.get(each.request);
    if (earlier === undefined) known.set(each.request, each);
    else if (keyOf(earlier) !== keyOf(each)) return changed(earlier, each);
  }
  return undefined;
}

function isPlainlySent(observation: Everything[number]): observation is RecordedKey & Everything[number] {
  if (observation.type !== 'key' || !observation.scenario.startsWith('cache-key.')) return false;
  const { request, name, answer, variation, secondHost }: Readonly<Record<string, unknown>> = { ...observation };
  if (typeof request !== 'string' || typeof name !== 'string' || !isRecord(answer)) return false;
  const isKey = answer['kind'] === 'key' && typeof answer['key'] === 'string';
  return isKey && variation === undefined && secondHost === undefined;
}

function changed(one: RecordedKey, other: RecordedKey): Outcome {
  const mismatch = {
    expected: `${shownAnswer(one.answer)}, as "${one.name}"`,
    actual: `${shownAnswer(other.answer)}, "${other.name}"`,
    diagnosis: catalogued('salted'),
    steps: [one.id, other.id],
  };
  return fail(mismatch, [other, one]);
}

/** 0041 §E: one by one, many at once, after other requests, and on connections of their own. */
export const deterministic = defineScenario({
  ...SEAM_SCENARIO,
  ...row,
  gate: phase4,
  foundation: true,
  drive: async (probe, { recipe }) => {
    const line = lineTo(probe);
    const single = await send({ ...line, concurrency: 1 }, ONE_BY_ONE);
    const many = await send(line, AT_ONCE);
    return withRepeats(line, [...single, ...many, ...(await send(line, FRESH))], recipe);
  },
  checks: [{ ...row, judge: (answers, { everything }) => judge(answers, everything) }],
});
