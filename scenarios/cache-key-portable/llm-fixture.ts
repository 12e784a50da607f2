import { readFileSync } from 'node:fs';
import { member, readPart } from '../../src/contract/discovery.ts';
import { packageFile } from '../../src/contract/package-root.ts';
import type { Probe } from '../../src/host/probe.ts';
import { workflowPath } from '../../src/protocol/paths.ts';
import { eventsOf } from '../shared/compare-runs.ts';
import { jsonIn } from '../../src/host/exchanged.ts';
import { nodeOf } from '../shared/read-event.ts';
import type { RunObservation } from '../shared/run-observation.ts';

/** An LLM-calling node of a fixture: what the model is staged to say first and second, and how an output shows which. */
interface LlmNode {
  readonly nodeId: string;
  /** Its type, and whether it asks for Layer-2 idempotency where its definition says so. */
  readonly kind: string;
  readonly contents: readonly [string, string];
  readonly marks: readonly [string, string];
}

/** A workflow whose nodes are all LLM-calling. */
interface LlmFixture {
  readonly workflowId: string;
  readonly nodes: readonly LlmNode[];
}

/** The workflow with all kinds of nodes. */
export const EVERY_KIND = 'conformance-determinism-llm-nodes';
/** The workflow that more hosts have. */
export const STRUCTURED_ONLY: LlmFixture = {
  workflowId: 'conformance-phase4-replay-divergence',
  nodes: [
    {
      nodeId: 'structured-call',
      kind: 'core.ai.structuredOutput',
      contents: ['{"valid":true}', '{"valid":false}'],
      marks: ['"valid":true', '"valid":false'],
    },
  ],
};

/** The kinds that only the larger fixture holds. */
export const OTHER_KINDS = 'core.ai.chat and core.ai.toolCalling, and nodes with and without idempotency';

function readNode(node: unknown): readonly LlmNode[] {
  const nodeId = member(node, 'id');
  const typeId = member(node, 'typeId');
  if (typeof nodeId !== 'string' || typeof typeId !== 'string') return [];
  const idempotent = member(member(node, 'config'), 'idempotent') === true;
  const marks = [`first answer to ${nodeId}`, `second answer to ${nodeId}`] as const;
  const content = (text: string): string =>
    typeId === 'core.ai.structuredOutput' ? JSON.stringify({ answer: text }) : text;
  const kind = `${typeId}, ${idempotent ? 'idempotent' : 'not idempotent'}`;
  return [{ nodeId, kind, contents: [content(marks[0]), content(marks[1])], marks }];
}

/** Reads the nodes of our own definition. Throws when the package's own file is unreadable. */
function everyKindFixture(): LlmFixture {
  const definition: unknown = JSON.parse(
    readFileSync(packageFile('fixtures', 'workflows', `${EVERY_KIND}.json`), 'utf8'),
  );
  const nodes = member(definition, 'nodes');
  return { workflowId: EVERY_KIND, nodes: Array.isArray(nodes) ? nodes.flatMap(readNode) : [] };
}

async function isSeeded(probe: Probe, workflowId: string): Promise<boolean> {
  const named = probe.named?.map((each) => each.workflowId) ?? [];
  if ([...readPart(probe.discovery, 'fixtures'), ...named].includes(workflowId)) return true;
  const exchange = await probe.host.exchange({ method: 'GET', path: workflowPath(workflowId) });
  return jsonIn(exchange, 200) !== undefined;
}

/** The fixture with the most kinds of nodes that the host has, or undefined where it has neither. */
export async function chooseFixture(probe: Probe): Promise<LlmFixture | undefined> {
  for (const fixture of [everyKindFixture(), STRUCTURED_ONLY]) {
    if (await isSeeded(probe, fixture.workflowId)) return fixture;
  }
  return undefined;
}

/** The member `valid` that a text shows, wherever JSON stands in it; undefined where it shows none, or both. */
export function validIn(text: string): boolean | undefined {
  const [yes, no] = [/"valid":\s*true/u.test(text), /"valid":\s*false/u.test(text)];
  return yes === no ? undefined : yes;
}

/** Longer outputs are cut: what was staged stands near their beginning. */
const KEPT = 4000;

/** What a node's events said, as one text. Backslashes go, so that JSON inside a string reads like JSON beside it. */
export function outputOf(run: RunObservation, nodeId: string): string {
  const payloads = eventsOf(run)
    .filter((event) => nodeOf(event) === nodeId && event.type !== 'node.started')
    .map(({ payload }) => JSON.stringify(payload) ?? '');
  return payloads.join(' ').replaceAll('\\', '').slice(0, KEPT);
}
