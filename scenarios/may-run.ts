import { FAILING_FIXTURES, PUBLIC_FIXTURES } from './shared/first-run.ts';
import { SWEPT } from './shared/swept-fixtures.ts';

const OWN = 'conformance-determinism-';
const MODEL = 'conformance-phase4-replay-divergence';
const SWEPT_IDS = SWEPT.map(({ workflowId }) => workflowId);

/** By suite, the workflows that its scenarios run where the host has them, beside those that they need. */
export const MAY_RUN: ReadonlyMap<string, readonly string[]> = new Map([
  [
    'run-lifecycle',
    [
      ...PUBLIC_FIXTURES,
      ...FAILING_FIXTURES,
      'conformance-multi-agent-handoff',
      'conformance-conversation-replay',
      `${OWN}variable-write`,
      `${OWN}channel-write`,
    ],
  ],
  ['cache-key-portable', [MODEL, `${OWN}llm-nodes`]],
  ['fork-contract', [...PUBLIC_FIXTURES, ...FAILING_FIXTURES, `${OWN}identity`, `${OWN}random`, `${OWN}wall-clock`]],
  ['replay-determinism', [...SWEPT_IDS, `${OWN}wall-clock`]],
  ['refusal-divergence', [MODEL, `${OWN}llm-gate`, `${OWN}llm-provider`]],
  ['observable-sequence', [...SWEPT_IDS, ...FAILING_FIXTURES, `${OWN}wall-clock`]],
  ['handoff-state-machine', ['conformance-noop', 'conformance-multi-agent-handoff']],
  ['replay-governance', [...SWEPT_IDS, 'conformance-noop']],
]);
