/** A fixture whose replays are the same as their sources while the code is unchanged. */
export interface SweptFixture {
  readonly workflowId: string;
  /** What its source run needs besides the host: calls to the witness, chat answers there, a person who resumes it. */
  readonly needs?: 'effects' | 'chat' | 'answer';
}

/** The interrupting node of its fixture, and what resumes it. */
export const INTERRUPT = { nodeId: 'ask', resumeValue: { approved: true, note: 'go on' } } as const;

/** In the order in which they are driven and reported. */
export const SWEPT: readonly SweptFixture[] = [
  { workflowId: 'conformance-noop' },
  { workflowId: 'conformance-multi-node' },
  { workflowId: 'conformance-phase4-replay-divergence' },
  { workflowId: 'conformance-determinism-constant' },
  { workflowId: 'conformance-determinism-identity' },
  { workflowId: 'conformance-determinism-variable-write' },
  { workflowId: 'conformance-determinism-channel-write' },
  { workflowId: 'conformance-determinism-clock' },
  { workflowId: 'conformance-determinism-random' },
  { workflowId: 'conformance-determinism-version-pin' },
  { workflowId: 'conformance-determinism-memory-write' },
  { workflowId: 'conformance-determinism-llm-nodes' },
  { workflowId: 'conformance-determinism-llm-chain' },
  { workflowId: 'conformance-determinism-llm-gate' },
  { workflowId: 'conformance-determinism-side-effects', needs: 'effects' },
  { workflowId: 'conformance-determinism-parallel', needs: 'effects' },
  { workflowId: 'conformance-determinism-llm-provider', needs: 'chat' },
  { workflowId: 'conformance-determinism-interrupt', needs: 'answer' },
];
