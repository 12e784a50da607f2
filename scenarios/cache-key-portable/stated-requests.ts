import { readFileSync } from 'node:fs';
import { member } from '../../src/contract/discovery.ts';
import { packageFile } from '../../src/contract/package-root.ts';

/** The workflow whose nodes each call a model of their own outside the host. */
export const LLM_KEYS = 'conformance-determinism-llm-keys';

/** What a node of a definition asks of its model, in the words of the recipe. */
export interface StatedRequest {
  readonly messages: readonly unknown[];
  readonly tools: unknown;
  readonly temperature: unknown;
  readonly schema: unknown;
}

let stated: ReadonlyMap<string, StatedRequest> | undefined;

/** The requests that the definition states, each under its model, read once. Throws when the package's own file is unreadable. */
export function statedRequests(): ReadonlyMap<string, StatedRequest> {
  stated ??= readStated();
  return stated;
}

function readStated(): ReadonlyMap<string, StatedRequest> {
  const definition: unknown = JSON.parse(
    readFileSync(packageFile('fixtures', 'workflows', `${LLM_KEYS}.json`), 'utf8'),
  );
  const nodes = member(definition, 'nodes');
  return new Map(Array.isArray(nodes) ? nodes.flatMap(statedBy) : []);
}

function statedBy(node: unknown): readonly (readonly [model: string, request: StatedRequest])[] {
  const config = member(node, 'config');
  const model = member(config, 'model');
  if (typeof model !== 'string') return [];
  const system = member(config, 'systemPrompt');
  const messages = [
    ...(system === undefined ? [] : [{ role: 'system', content: system }]),
    { role: 'user', content: member(config, 'prompt') },
  ];
  const [tools, temperature, schema] = ['tools', 'temperature', 'outputSchema'].map((name) => member(config, name));
  return [[model, { messages, tools, temperature, schema }]];
}
