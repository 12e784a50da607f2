import type { RecipeName } from '../../src/runner/scenario.ts';
import type { RequestParts } from './requests.ts';

/** Outside both recipes: transport, tenancy, tracing and bookkeeping. */
const alwaysExcluded: RequestParts = {
  stream: 'true',
  metadata: '{"a":1}',
  user: '"u"',
  requestId: '"r1"',
  request_id: '"r1"',
  'x-request-id': '"r1"',
  traceparent: '"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"',
  traceId: '"0af7651916cd43dd8448eb211c80319c"',
  trace_id: '"0af7651916cd43dd8448eb211c80319c"',
  spanId: '"b7ad6b7169203331"',
  correlationId: '"c1"',
  tenantId: '"t"',
  tenant_id: '"t"',
  tenant: '"t"',
  scopeId: '"s"',
  workspaceId: '"w"',
  runId: '"run-1"',
  run_id: '"run-1"',
  nodeId: '"node-1"',
  attempt: '2',
  workflowId: '"w1"',
  invocationId: '"i1"',
  idempotencyKey: '"k1"',
  cacheKey: '"k1"',
  apiKey: '"a1"',
  timestamp: '"2024-01-01T00:00:00Z"',
  timeoutMs: '5000',
  headers: '{"x-a":"b"}',
  hostVersion: '"1.2.3"',
  toolChoice: '"auto"',
  parallelToolCalls: 'true',
  presencePenalty: '0.5',
  frequencyPenalty: '0.5',
  logitBias: '{"50256":-100}',
  logprobs: 'true',
  serviceTier: '"default"',
  'x-vendor-option': '{"a":[1]}',
  unheardOf: '"by any host"',
};

/**
 * What APIs of providers call the recipe's own fields, or have beside their messages. Each has to be sent without the field
 * that it is another name of: where both are there, hosts that read either take the recipe's, and show nothing.
 */
const otherNames: RequestParts = {
  top_p: '0.9',
  top_k: '40',
  response_format: '{"type":"json","schema":{"type":"object"}}',
  tool_choice: '"auto"',
  system: '"be brief"',
  instructions: '"be brief"',
  functions: '[{"name":"t","parameters":{}}]',
};

/** Excluded by replay.md §A; RFC 0150 takes them in, under these or other names, or leaves them to providerOptions. */
const excludedByFirst: RequestParts = {
  max_tokens: '5',
  maxTokens: '5',
  max_output_tokens: '5',
  maxOutputTokens: '5',
  stop: '["x"]',
  seed: '7',
  n: '2',
};

/** What single APIs have beside these, each by its own spelling: asked for one by one, and not mixed into generated requests. */
const ofSingleApis: RequestParts = {
  parallel_tool_calls: 'true',
  presence_penalty: '0.5',
  frequency_penalty: '0.5',
  repetition_penalty: '1.1',
  min_p: '0.1',
  logit_bias: '{"50256":-100}',
  top_logprobs: '2',
  service_tier: '"default"',
  store: 'true',
  cache_control: '{"type":"ephemeral"}',
};

/** The same of what RFC 0150 takes in. */
const ofSingleApisInFirst: RequestParts = {
  max_completion_tokens: '5',
  reasoning: '{"effort":"high"}',
  reasoningEffort: '"high"',
  reasoning_effort: '"high"',
  thinking: '{"type":"enabled","budget_tokens":1024}',
  verbosity: '"low"',
  stopSequences: '["x"]',
  stop_sequences: '["x"]',
  safetySettings: '[{"category":"c","threshold":"t"}]',
  safety_settings: '[{"category":"c","threshold":"t"}]',
  providerOptions: '{"a":1}',
  apiVersion: '"2024-10-21"',
  baseUrl: '"https://models.invalid/v1"',
  sessionId: '"session-1"',
};

/** The fields outside a recipe that hosts are known to receive, each with a value as JSON text. */
export function excludedFields(recipe: RecipeName): RequestParts {
  const always = { ...alwaysExcluded, ...otherNames };
  return recipe === 'rfc-0041' ? { ...always, ...excludedByFirst } : always;
}

/** All of them, with those of single APIs. */
export function everyExcludedField(recipe: RecipeName): RequestParts {
  const more = recipe === 'rfc-0041' ? { ...ofSingleApis, ...ofSingleApisInFirst } : ofSingleApis;
  return { ...excludedFields(recipe), ...more };
}
