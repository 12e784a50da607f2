import { diagnoseAnswers } from '../../src/cache-key/index.ts';
import { phase4 } from '../../src/contract/gates.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { type RecipeName } from '../../src/runner/scenario.ts';
import { type Ask, askKeys, lineTo } from './ask.ts';
import { keyAnswers } from './answers.ts';
import { excludedFields } from './excluded-fields.ts';
import { after, before } from './invariance-asks.ts';
import { judgeInvariance } from './judge-invariance.ts';
import type { RecordedKey } from './observation.ts';
import { either, probe, requestText } from './requests.ts';
import { seamRow } from './seam-row.ts';

const id = 'cache-key.excludes-non-recipe-fields';
const title = 'No field outside the recipe influences the key, alone or together with others';

const eithers: readonly Ask[] = [
  either(
    'an unknown member in a message',
    requestText({ messages: '[{"role":"user","content":"hello","id":"m1"}]' }),
    'plain',
  ),
  { name: 'a tool', part: 'either', request: requestText({ tools: '[{"name":"t","parameters":{}}]' }) },
  either(
    'an unknown member in a tool',
    requestText({ tools: '[{"name":"t","parameters":{},"strict":true}]' }),
    'a tool',
  ),
];

function asks(recipe: RecipeName): readonly Ask[] {
  const fields = excludedFields(recipe);
  const alone = Object.entries(fields).map(([name, value]) => probe(name, requestText({ [name]: value })));
  return [...before, ...alone, probe('all of them together', requestText(fields)), ...eithers, ...after];
}

function diagnose(changed: readonly RecordedKey[], keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis {
  const diagnosis = diagnoseAnswers(keyAnswers(keys.filter(({ part }) => part !== 'either')), recipe);
  if (diagnosis.kind === 'explained' && diagnosis.explained === diagnosis.total) {
    const { codes, message } = diagnosis.explanation;
    return { code: codes.join('+'), message };
  }
  const names = changed.map(({ name }) => name).join(', ');
  return { code: 'extra-field-included', message: `fields outside the recipe enter the key: ${names}` };
}

/** replay.md §A: the set of fields is closed. */
export const excludesNonRecipeFields = seamRow({
  id,
  title,
  gate: phase4,
  drive: (hostProbe, { recipe }) => askKeys(lineTo(hostProbe), asks(recipe)),
  judge: (observations, { recipe }) =>
    judgeInvariance(observations, {
      check: id,
      expected: 'the key of the same request without the field',
      diagnose: (changed, keys) => diagnose(changed, keys, recipe),
    }),
});
