import { createHash } from 'node:crypto';
import { member } from '../../src/contract/discovery.ts';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import type { Probe } from '../../src/host/probe.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { purge, refusal, stage, valid, type ProgramEntry } from '../shared/seams.ts';
import type { Way } from './observation.ts';

/** The two kinds of envelope, in the words of the payload (0041 §B). */
export type EnvelopeKind = ChatAnswer['kind'];

/** An envelope that fits the fixtures' output schema. */
export function validAnswer(content: boolean): ChatAnswer {
  return { kind: 'valid', content: JSON.stringify({ valid: content }) };
}

/** How the text of each refusal begins, whatever a host blots out of it. */
export const REFUSAL_WORDS = 'I cannot help with that.';

/** A refusal whose text holds the run's planted secret. */
export function refusalAnswer(options: Pick<ScenarioOptions, 'seed'>): ChatAnswer {
  return { kind: 'refusal', text: `${REFUSAL_WORDS} api_key=${plantedSecret(options)}` };
}

/** A secret of this seed that stands nowhere else; it looks like one, for hosts that redact by pattern. */
export function plantedSecret({ seed }: Pick<ScenarioOptions, 'seed'>): string {
  return `sk-${createHash('sha256').update(`refusal-divergence ${seed}`).digest('hex').slice(0, 48)}`;
}

/** The same answer for more calls than a host that asks again and again makes. */
export function always(answer: ChatAnswer): readonly ChatAnswer[] {
  return [answer, answer, answer, answer];
}

/** An answer as an entry of the mock model's program. */
export function programEntry(answer: ChatAnswer): ProgramEntry {
  return answer.kind === 'valid' ? valid(answer.content) : refusal(answer.text);
}

/** A workflow with one LLM node that the scenarios know. */
export interface LlmFixture {
  readonly workflowId: string;
  readonly nodeId: string;
  readonly outputVariable: string;
}

/** What changing a model's answers came to. */
interface Change {
  readonly problem: string | null;
  /** Whether the host has to ask the model now, whatever it recorded. */
  readonly forgot: boolean;
  readonly exchanges: readonly string[];
}

/** A model whose answers the harness decides. */
export interface Model {
  readonly way: Way;
  readonly fixture: LlmFixture;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Stages the answers, one a call, the last for all further calls. */
  stage(answers: readonly ChatAnswer[]): Promise<Change>;
  /** Stages other answers after a source run, and sees to it that the host asks for them. */
  change(answers: readonly ChatAnswer[], sourceRunId: string): Promise<Change>;
  /** Leaves nothing behind that later runs of other scenarios would meet. */
  leave(): Promise<readonly string[]>;
  /** Calls so far, where they can be counted outside the host. */
  calls(): number | undefined;
}

const GATE: LlmFixture = {
  workflowId: 'conformance-determinism-llm-gate',
  nodeId: 'gated-call',
  outputVariable: 'gated',
};
const PUBLIC: LlmFixture = {
  workflowId: 'conformance-phase4-replay-divergence',
  nodeId: 'structured-call',
  outputVariable: 'structuredCall',
};
const PROVIDER: LlmFixture = {
  workflowId: 'conformance-determinism-llm-provider',
  nodeId: 'provider-call',
  outputVariable: 'verdict',
};

/** The workflows with a mock model, the best one first; the last one is seeded by public hosts. */
const MOCK_FIXTURES: readonly LlmFixture[] = [GATE, PUBLIC];

/** Host resources that a scenario which uses these models must have for itself; at the witness each has its own part. */
export const MODELS_ALONE: readonly string[] = ['mock-ai:gated-call', 'mock-ai:structured-call'];

/** The mock models, the best one first. */
export function mockModels(probe: Probe): readonly Model[] {
  return MOCK_FIXTURES.map((fixture) => mockModel(probe, 'mock', fixture));
}

/** The workflow with nodes of every kind that calls a model. */
export const EVERY_KIND = 'conformance-determinism-llm-nodes';

const CHAT: LlmFixture = { workflowId: EVERY_KIND, nodeId: 'chat-plain', outputVariable: 'chatPlain' };
const TOOL_CALLING: LlmFixture = {
  workflowId: EVERY_KIND,
  nodeId: 'tool-calling-plain',
  outputVariable: 'toolCallingPlain',
};

/** The mock models of nodes that make no structured call. */
export function modelsOfKinds(probe: Probe): readonly Model[] {
  return [mockModel(probe, 'chat', CHAT), mockModel(probe, 'tool-calling', TOOL_CALLING)];
}

/** A mock model, behind wire-contract's seam. Staged again after the source run it is a changed provider (readings). */
function mockModel(probe: Probe, way: Way, fixture: LlmFixture): Model {
  const program = async (answers: readonly ChatAnswer[]): Promise<Change> => {
    const { problem, exchange } = await stage(probe.host, fixture.nodeId, answers.map(programEntry));
    return { problem, forgot: problem === null, exchanges: [exchange] };
  };
  const leave = async (): Promise<readonly string[]> => (await program([validAnswer(true)])).exchanges;
  return { way, fixture, inputs: {}, stage: program, change: program, leave, calls: () => undefined };
}

/** The model that the witness plays; undefined where there is no witness. */
export function witnessModel(probe: Probe): Model | undefined {
  const visit = probe.witness?.visit();
  if (visit === undefined) return undefined;
  return {
    way: 'witness',
    fixture: PROVIDER,
    inputs: { witnessUrl: visit.url },
    stage: async (answers) => {
      visit.stageChat(answers);
      return { problem: null, forgot: false, exchanges: [] };
    },
    change: async (answers, runId) => {
      visit.stageChat(answers);
      const { problem, body, exchange } = await purge(probe.host, { runId });
      // A host without the seam may serve its record: that decides nothing, and is no reason to stop here.
      return { problem: null, forgot: problem === null && member(body, 'purged') !== 0, exchanges: [exchange] };
    },
    leave: () => Promise.resolve([]),
    calls: () => visit.calls().filter(({ kind }) => kind === 'chat').length,
  };
}
