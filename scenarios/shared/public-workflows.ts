import { EVERY_VALUE } from './every-value.ts';
import type { SweptFixture } from './swept-fixtures.ts';

const [IDENTITY, DELAY, APPROVAL, TTL, MAPPED] = [
  'conformance-identity',
  'conformance-delay',
  'conformance-approval',
  'conformance-channel-ttl',
  'conformance-dispatch-input-mapping',
];

/** Milliseconds that `conformance-delay` waits: long enough that two waits do not take equally long by chance. */
const DELAY_MS = 50;

/** The workflows that public hosts have, beside those that rows drive themselves, with what they are given and answered. */
export const PUBLIC: readonly SweptFixture[] = [
  { workflowId: IDENTITY, given: { inputs: { payload: EVERY_VALUE } } },
  { workflowId: DELAY, given: { inputs: { delayMs: DELAY_MS } } },
  { workflowId: APPROVAL, answer: { nodeId: 'gate', resumeValue: { action: 'accept' } } },
  { workflowId: TTL },
  { workflowId: MAPPED },
  { workflowId: 'conformance-idempotent', given: { inputs: { nonce: 'a nonce' } }, like: IDENTITY },
  { workflowId: 'conformance-version-fold', like: IDENTITY },
  {
    workflowId: 'conformance-cap-breach',
    given: { configurable: { recursionLimit: 3 } },
    ends: 'failed',
    like: IDENTITY,
  },
  { workflowId: 'conformance-failure', ends: 'failed', like: IDENTITY },
  {
    workflowId: 'conformance-cancellable',
    given: { inputs: { delayMs: 30_000 } },
    ends: 'cancelled',
    like: DELAY,
  },
  { workflowId: 'conformance-message-reducer', like: TTL },
  { workflowId: 'conformance-conversation-replay', like: TTL },
  {
    workflowId: 'conformance-clarification',
    answer: { nodeId: 'ask', resumeValue: { answers: { q1: 'blue' } } },
    like: APPROVAL,
  },
  {
    workflowId: 'conformance-interrupt-external-event',
    answer: {
      nodeId: 'wait-for-external',
      resumeValue: {
        eventType: 'conformance.external.completed',
        correlation: { orderId: 'fixture-order-1', status: 'completed' },
      },
    },
    like: APPROVAL,
  },
  {
    workflowId: 'conformance-interrupt-quorum',
    answer: { nodeId: 'gate', resumeValue: { action: 'accept' } },
    like: APPROVAL,
  },
  ...[
    'conformance-subworkflow-parent',
    'conformance-subworkflow-child',
    'conformance-subworkflow-input-mapping',
    'conformance-subworkflow-input-mapping-no-default',
    'conformance-multi-agent-handoff',
    'conformance-multi-agent-handoff-child',
    'conformance-dispatch-output-mapping',
    'conformance-dispatch-output-mapping-child',
    'conformance-dispatch-input-mapping-no-default',
    'conformance-dispatch-input-mapping-child',
    'conformance-dispatch-cross-worker-handoff',
    'conformance-dispatch-cross-worker-handoff-child-a',
    'conformance-dispatch-cross-worker-handoff-child-b',
    'conformance-dispatch-per-worker-override',
    'conformance-dispatch-per-worker-override-child-a',
    'conformance-dispatch-per-worker-override-child-b',
    'conformance-dispatch-loop',
    'conformance-orchestrator-dispatch',
    'conformance-orchestrator-terminate',
    'conformance-orchestrator-low-confidence',
    'conformance-multi-agent-confidence-escalation',
    'conformance-phase4-nondet-tool',
    'conformance-envelope-refusal',
    'conformance-envelope-retry-attempted',
    'conformance-envelope-retry-exhausted',
    'conformance-envelope-truncated',
    'conformance-envelope-recovery-applied',
  ].map((workflowId) => ({ workflowId, like: MAPPED })),
  {
    workflowId: 'conformance-stream-text',
    given: { configurable: { mockProvider: { id: 'stream-text' } } },
    like: MAPPED,
  },
  { workflowId: 'conformance-dispatch-deterministic-fail-child', ends: 'failed', like: IDENTITY },
  { workflowId: 'conformance-dispatch-cancellable-child', ends: 'cancelled', like: DELAY },
];
