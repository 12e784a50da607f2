import { diagnoseKey } from '../../src/cache-key/index.ts';
import { canonicalRecipe } from '../../src/contract/gates.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { after, before } from './invariance-asks.ts';
import { twin } from './judge-invariance.ts';
import { judgeRejection } from './judge-rejection.ts';
import { shownAnswer } from './observation.ts';
import { probe, requestText, withContent, withSchema } from './requests.ts';
import { seamRow } from './seam-row.ts';

const id = 'cache-key.rejects-non-json-values';
const title = 'A value without an RFC 8785 form, a lone surrogate or a number beyond a double, gets no key';

/** The same fields with values that do have a form: a host that hashes them must give them keys of their own. */
const siblings: readonly Ask[] = [
  { name: 'a name in a schema', part: 'control', request: withSchema('{"a":1}') },
  { name: 'another name in a schema', part: 'control', request: withSchema('{"b":2}') },
  { name: 'temperature 0.5', part: 'control', request: requestText({ temperature: '0.5' }) },
];

const asks = [
  ...before,
  ...siblings,
  probe('a lone high surrogate in content', withContent(String.raw`"a\ud800b"`)),
  probe('a lone low surrogate in content', withContent(String.raw`"\udc00"`)),
  probe('surrogates in the wrong order', withContent(String.raw`"\ude00\ud83d"`)),
  probe('a lone surrogate in a name', withSchema(String.raw`{"\ud800":1}`), 'a name in a schema'),
  probe('a lone surrogate in the model', requestText({ model: String.raw`"gpt\udfff"` }), twin),
  probe('1e400 as temperature', requestText({ temperature: '1e400' }), 'temperature 0.5'),
  probe('-1e400 in a schema', withSchema('{"const":-1e400}'), 'a name in a schema'),
  ...after,
];

/** replay.md §B.2, RFC 8785 §3.1 and §3.2.2: canonicalisation stops, so there is nothing to hash. */
export const rejectsNonJsonValues = seamRow({
  id,
  title,
  gate: canonicalRecipe,
  drive: (hostProbe) => askKeys(lineTo(hostProbe), asks),
  judge: (observations, { recipe }) =>
    judgeRejection(observations, {
      check: id,
      expected: 'no key, whatever the status',
      wrong: ({ answer }) => answer.kind === 'key' || (answer.kind === 'refused' && answer.key !== undefined),
      advise: ({ name, answer }) =>
        answer.kind === 'no-key' || (answer.kind === 'refused' && answer.status >= 500)
          ? `${name}: ${shownAnswer(answer)}, where a 4xx would be expected`
          : undefined,
      diagnose: ({ request, answer }) => {
        const [found] = (answer.kind === 'key' ? diagnoseKey(request, answer.key, recipe) : undefined) ?? [];
        return found && { code: found.codes.join('+'), message: found.message };
      },
    }),
});
