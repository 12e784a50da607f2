import { digestRow } from './digest-row.ts';
import { either, probe, requestText } from './requests.ts';

const model = (id: string): string => requestText({ model: JSON.stringify(id) });

/** replay.md §A: the model's id is not normalised. */
export const modelVerbatim = digestRow({
  id: 'cache-key.model-verbatim',
  title: "The model's id is hashed as the request gives it",
  asks: [
    probe('upper case', model('GPT-4')),
    probe('mixed case', model('Gpt-4')),
    probe('space after', model('gpt-4 ')),
    probe('space before', model(' gpt-4')),
    probe('a date', model('gpt-4-2024-08-06')),
    probe('a short date', model('gpt-4-0613')),
    probe('an alias', model('gpt-4-latest')),
    probe('a path', model('openai/gpt-4')),
    either('the provider in upper case', requestText({ provider: '"OpenAI"' }), 'plain'),
  ],
});
