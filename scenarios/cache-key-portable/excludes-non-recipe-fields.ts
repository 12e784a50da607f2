import { diagnoseAnswers } from '../../src/cache-key/index.ts';
import { phase4 } from '../../src/contract/gates.ts';
import type { Diagnosis } from '../../src/contract/verdict.ts';
import { defineScenario } from '../../src/runner/define-scenario.ts';
import type { RecipeName } from '../../src/runner/scenario.ts';
import { diagnosisBy, keyAnswers } from './answers.ts';
import { excludedFields } from './excluded-fields.ts';
import { judgeInvariance } from './judge-invariance.ts';
import type { RecordedKey } from './observation.ts';
import { after, before, either, type KeyRequest, probe, requestText } from './requests.ts';
import { SEAM_SCENARIO, sending } from './seam-scenario.ts';

const row = {
  id: 'cache-key.excludes-non-recipe-fields',
  title: 'No field outside the recipe influences the key, alone or together with others',
};

const CHOICES: readonly KeyRequest[] = [
  either(
    'an unknown member in a message',
    requestText({ messages: '[{"role":"user","content":"hello","id":"m1"}]' }),
    'plain',
  ),
  either('a tool', requestText({ tools: '[{"name":"t","parameters":{}}]' })),
  either(
    'an unknown member in a tool',
    requestText({ tools: '[{"name":"t","parameters":{},"strict":true}]' }),
    'a tool',
  ),
];

function requests(recipe: RecipeName): readonly KeyRequest[] {
  const fields = excludedFields(recipe);
  const alone = Object.entries(fields).map(([name, value]) => probe(name, requestText({ [name]: value })));
  return [...before, ...alone, probe('all of them together', requestText(fields)), ...CHOICES, ...after];
}

function diagnose(changed: readonly RecordedKey[], keys: readonly RecordedKey[], recipe: RecipeName): Diagnosis {
  const diagnosis = diagnoseAnswers(keyAnswers(keys.filter(({ part }) => part !== 'either')), recipe);
  if (diagnosis.kind === 'explained' && diagnosis.explained === diagnosis.total) {
    return diagnosisBy(diagnosis.explanation);
  }
  const names = changed.map(({ name }) => name).join(', ');
  return { code: 'extra-field-included', message: `fields outside the recipe enter the key: ${names}` };
}

/** replay.md §A: the set of fields is closed. */
export const excludesNonRecipeFields = defineScenario({
  ...SEAM_SCENARIO,
  ...row,
  gate: phase4,
  drive: sending(requests),
  checks: [
    {
      ...row,
      judge: (answers, { options: { recipe } }) =>
        judgeInvariance(answers, {
          expected: 'the key of the same request without the field',
          diagnose: (changed, keys) => diagnose(changed, keys, recipe),
        }),
    },
  ],
});
