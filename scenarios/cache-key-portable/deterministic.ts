import { phase4 } from '../../src/contract/gates.ts';
import type { Judgement } from '../../src/contract/verdict.ts';
import type { Everything, Recorded } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { isRecord } from '../../src/host/run-event.ts';
import { looksLikeKey } from './judge-invariance.ts';
import { type CacheKeyObservation, cutShort, keysOf, type RecordedKey, shownAnswer } from './observation.ts';
import { requestText } from './requests.ts';
import { seamRow } from './seam-row.ts';
import { catalogued } from './diagnoses.ts';

const id = 'cache-key.deterministic';
const title = 'The same request gets the same key whenever and however often it is asked';

const first = requestText();
const second = requestText({
  tools: '[{"name":"b","parameters":{"y":1,"x":2}},{"name":"a","parameters":{}}]',
  temperature: '0.3',
});

function asked(name: string, sent: Partial<Ask> = {}): readonly Ask[] {
  return [
    { name: `${name}, first request`, part: 'control', request: first, ...sent },
    { name: `${name}, second request`, part: 'control', request: second, ...sent },
  ];
}

const atOnce = Array.from({ length: 6 }, (_, index) => asked(`at once ${index + 1}`)).flat();
const oneByOne = [...asked('first time'), ...asked('second time'), ...asked('third time')];
const fresh = asked('on a fresh connection', { variation: 'a fresh connection', headers: { connection: 'close' } });

function judge(observations: readonly Recorded<CacheKeyObservation>[], everything: Everything): Judgement {
  const keys = keysOf(observations);
  const evidence = keys.map(({ id: observation }) => observation);
  const done = (verdict: 'pass' | 'inconclusive', reason?: string): Judgement => ({
    check: id,
    verdict,
    ...(reason === undefined ? {} : { reason }),
    evidence,
  });
  for (const request of [first, second]) {
    const [one, ...others] = keys.filter((each) => each.request === request && each.answer.kind === 'key');
    const differing = others.find(({ answer }) => shownAnswer(answer) !== (one && shownAnswer(one.answer)));
    if (one !== undefined && differing !== undefined) return failure(one, differing);
  }
  const changed = changedAnywhere(everything);
  if (changed !== undefined) return changed;
  const without = keys.find(({ answer }) => answer.kind !== 'key');
  if (without !== undefined)
    return done('inconclusive', `"${without.name}" got no key: ${shownAnswer(without.answer)}`);
  const missing = cutShort(observations);
  if (missing !== undefined) return done('inconclusive', missing);
  const odd = keys.find(({ answer }) => answer.kind === 'key' && !looksLikeKey(answer.key));
  if (odd !== undefined) return done('inconclusive', `${shownAnswer(odd.answer)} does not look like a key`);
  const different = new Set(keys.map(({ answer }) => shownAnswer(answer))).size;
  return different === 2 ? done('pass') : done('inconclusive', 'two different requests get the same key');
}

/** The first request of the whole suite that got two keys, where nothing else about the sending was different. */
function changedAnywhere(everything: Everything): Judgement | undefined {
  const known = new Map<string, RecordedKey>();
  for (const each of everything) {
    if (!isPlainlyAsked(each)) continue;
    const before = known.get(each.request);
    if (before === undefined) known.set(each.request, each);
    else if (shownAnswer(before.answer) !== shownAnswer(each.answer)) return failure(before, each);
  }
  return undefined;
}

function isPlainlyAsked(observation: Everything[number]): observation is RecordedKey & Everything[number] {
  if (observation.type !== 'key' || !observation.scenario.startsWith('cache-key.')) return false;
  const { request, name, answer, variation, secondHost }: Readonly<Record<string, unknown>> = { ...observation };
  if (typeof request !== 'string' || typeof name !== 'string' || !isRecord(answer)) return false;
  const isKey = answer['kind'] === 'key' && typeof answer['key'] === 'string';
  return isKey && variation === undefined && secondHost === undefined;
}

function failure(one: RecordedKey, other: RecordedKey): Judgement {
  return {
    check: id,
    verdict: 'fail',
    expected: `${shownAnswer(one.answer)}, as "${one.name}"`,
    actual: `${shownAnswer(other.answer)}, "${other.name}"`,
    diagnosis: catalogued('salted'),
    evidence: [other.id, one.id],
  };
}

/** 0041 §E: one by one, many at once, after other requests, and on connections of their own. */
export const deterministic = seamRow({
  id,
  title,
  gate: phase4,
  drive: async (probe) => {
    const line = lineTo(probe);
    const single = await askKeys({ ...line, concurrency: 1 }, oneByOne);
    const many = await askKeys(line, atOnce);
    return [...single, ...many, ...(await askKeys(line, fresh))];
  },
  foundation: true,
  judge: (observations, _, everything = []) => judge(observations, everything),
});
