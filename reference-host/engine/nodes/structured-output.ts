import { createRequire } from 'node:module';
import type * as Schemas from 'ajv/dist/2020.js';
import { member, parseJson, type JsonObject } from '../../json.ts';
import { llmNode, schemaOf, type LlmOutput } from './llm.ts';
import { sample } from './sample.ts';

/** `core.ai.structuredOutput`: an object that fits `config.outputSchema`. */
export const structuredOutput = llmNode({
  requestMembers: (config) => ({ responseFormat: { type: 'json', schema: outputSchema(config) } }),
  unstaged: (config) => sample(outputSchema(config)),
  cutOff: 'The answer of the provider was cut off.',
  read,
});

function read(content: unknown, config: JsonObject): LlmOutput {
  const reading = typeof content === 'string' ? parseJson(content) : { ok: true as const, value: content };
  if (!reading.ok) return { ok: false, why: 'The provider did not answer with JSON.' };
  if (!fits(outputSchema(config), reading.value)) {
    return { ok: false, why: 'The answer does not fit the output schema of the node.' };
  }
  return { ok: true, output: reading.value };
}

/** Compiling takes longer than everything else that a run does; definitions are loaded once and keep their objects. */
const compiled = new WeakMap<JsonObject, (value: unknown) => unknown>();

let ajv: Schemas.Ajv2020 | undefined;

/** Loaded when the first schema has to be compiled: a host that starts again should answer soon. */
function compiler(): Schemas.Ajv2020 {
  if (ajv === undefined) {
    const { Ajv2020 } = createRequire(import.meta.url)('ajv/dist/2020.js') as typeof Schemas;
    ajv = new Ajv2020({ strict: false });
  }
  return ajv;
}

function fits(schema: JsonObject, value: unknown): boolean {
  const validate = compiled.get(schema) ?? compiler().compile(schema);
  compiled.set(schema, validate);
  return validate(value) === true;
}

function outputSchema(config: JsonObject): JsonObject {
  return schemaOf(member(config, 'outputSchema'));
}
