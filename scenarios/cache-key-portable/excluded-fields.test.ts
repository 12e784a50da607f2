import { describe, expect, it } from 'vitest';
import { everyExcludedField, excludedFields } from './excluded-fields.ts';

const RECIPE_FIELDS = ['provider', 'model', 'messages', 'tools', 'temperature', 'topP', 'topK', 'responseFormat'];

describe('the fields outside a recipe', () => {
  it.each(['rfc-0041', 'rfc-0150'] as const)('hold other names of fields of %s, and none of its own', (recipe) => {
    const names = Object.keys(everyExcludedField(recipe));
    expect(names).toEqual(expect.arrayContaining(['top_p', 'top_k', 'response_format', 'tool_choice', 'system']));
    expect(names.filter((name) => RECIPE_FIELDS.includes(name))).toEqual([]);
  });

  it('hold what single APIs have, and for the first recipe what the later one takes in', () => {
    for (const recipe of ['rfc-0041', 'rfc-0150'] as const) {
      const names = Object.keys(everyExcludedField(recipe));
      expect(names).toEqual(expect.arrayContaining(['presence_penalty', 'logit_bias', 'store']));
      for (const name of ['safetySettings', 'thinking']) expect(names.includes(name)).toBe(recipe === 'rfc-0041');
    }
  });

  it.each(['rfc-0041', 'rfc-0150'] as const)(
    'hold trace context, tenant id and run id by several names, %s',
    (recipe) => {
      const ids = ['traceId', 'trace_id', 'spanId', 'correlationId', 'tenant_id', 'scopeId', 'workspaceId', 'run_id'];
      expect(Object.keys(excludedFields(recipe))).toEqual(expect.arrayContaining(ids));
    },
  );

  it('hold the limit of tokens by each of its names, but where the later recipe takes it in', () => {
    const limits = ['max_tokens', 'maxTokens', 'max_output_tokens', 'maxOutputTokens'];
    expect(Object.keys(excludedFields('rfc-0041'))).toEqual(expect.arrayContaining(limits));
    expect(Object.keys(excludedFields('rfc-0150')).filter((name) => limits.includes(name))).toEqual([]);
  });
});
