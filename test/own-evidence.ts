import { readFileSync } from 'node:fs';
import { SUITES } from '../scenarios/index.ts';
import { packageFile } from '../src/contract/package-root.ts';
import { seamName } from '../src/protocol/paths.ts';
import { type Need, type Scenario, workflowsOf } from '../src/runner/scenario.ts';

interface Definition {
  readonly id: string;
  readonly nodes: readonly { readonly typeId: string }[];
}

const OWN = 'conformance-determinism-';
const PUBLIC_SEAMS: ReadonlySet<string> = new Set(['llm-cache-key', 'mock-ai/program']);
const PUBLIC_KINDS = new Set(
  (read('public-workflows.json') as readonly Definition[]).flatMap(({ nodes }) => nodes.map(({ typeId }) => typeId)),
);

/** Why no public workflow serves, where its kinds of nodes do not say so. */
export const WHY: Readonly<Record<string, string>> = {
  'handoff-nested': 'no public worker hands off itself',
  'handoff-failing': 'no public supervisor names a worker that fails',
  'handoff-broken': 'no public supervisor names a worker that fails',
  'handoff-missing': 'no public supervisor names a worker that does not exist',
  'handoff-relay': 'no public plan has two turns with a worker each',
  'handoff-teller': 'the worker of the others',
  'handoff-echo': 'the worker of the others',
  'handoff-clarify': 'no public plan decides to clarify',
  'handoff-escalate': 'no public plan decides to escalate',
  'handoff-waiting': 'no public supervisor names a worker that can be cancelled before it ends',
  'handoff-asker': 'no public supervisor names a worker that can be cancelled before it ends',
  'handoff-tool': 'no public worker calls anybody',
  'llm-provider': 'no public workflow asks a model at the witness, where its calls are counted',
  'llm-retry': 'no public workflow has a node with retries',
  'llm-keys': 'no public workflow asks models at the witness, where their requests are seen',
  'llm-chain': 'no public workflow goes on with the answer of a model',
};

const A_MEMORY =
  'a workflow that writes a memory: no public one does, `conformance-determinism-memory-write` or one of the host serves';

/** Checks that need nothing of ours to be driven, and more than what is public to be decided. */
export const DRIVEN_IN_VAIN: Readonly<Record<string, string>> = {
  'replay.divergence-is-reported.added-node': 'the seam workflow-revision: nothing else inserts a node',
  'replay.divergence-is-reported.dropped-node': 'the seam workflow-revision: nothing else takes a node away',
  'replay.recorded-facts-verbatim': A_MEMORY,
  'replay.recorded-facts-verbatim.in-history': A_MEMORY,
  'sequence.not-a-copy': 'code that changed, or a node that reads the clock of the machine',
  'sequence.prefix-equal.changed-code': 'the seam workflow-revision: nothing else changes code',
};

/** What a need asks for that hosts do not have unless it is made for these tests; each with why nothing public serves. */
function ownOf(need: Need): readonly string[] {
  if (need.kind === 'seam') return PUBLIC_SEAMS.has(seamName(need.path)) ? [] : [`the seam \`${seamName(need.path)}\``];
  if (need.kind === 'crash') return ['hosts that can be killed'];
  const isServed = need.kind === 'one-of' && need.candidates.some(({ workflowId }) => !workflowId.startsWith(OWN));
  return isServed ? [] : workflowsText(workflowsOf(need));
}

function workflowsText(workflowIds: readonly string[]): readonly string[] {
  return workflowIds.filter((id) => id.startsWith(OWN)).map((id) => `\`${id}\`: ${whyNot(id)}`);
}

/** Why no public workflow serves in the place of one of ours. */
function whyNot(workflowId: string): string {
  const { nodes } = read('workflows', `${workflowId}.json`) as Definition;
  const kinds = [...new Set(nodes.map(({ typeId }) => typeId))].filter((kind) => !PUBLIC_KINDS.has(kind));
  const why = WHY[workflowId.slice(OWN.length)];
  if (why !== undefined) return why;
  if (kinds.length === 0)
    throw new Error(`${workflowId} has public kinds of nodes alone: say why no public one serves`);
  return `no public workflow has ${kinds.join(', ')}`;
}

function read(...path: readonly string[]): unknown {
  return JSON.parse(readFileSync(packageFile('fixtures', ...path), 'utf8'));
}

/** What each check takes that is ours, by check; checks that take nothing of ours are left out. */
export function ownEvidence(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) =>
      scenario.checks.flatMap(({ id }) => {
        const own = ownFor(scenario, id);
        return own.length === 0 ? [] : [[id, own] as const];
      }),
    ),
  );
}

function ownFor({ needs }: Scenario, check: string): readonly string[] {
  const own = [...new Set(needs.flatMap(ownOf))];
  const why = DRIVEN_IN_VAIN[check];
  return why === undefined ? own : [...own, why];
}
