/** The checks of handoffs that go well, each with another workflow. */
export const HAPPY_PATHS = [
  'handoff.happy-path',
  'handoff.happy-path.two-workers',
  'handoff.happy-path.nested',
  'handoff.happy-path.sub-workflow',
];

/** The checks of what caused the transitions of handoffs that go well. */
export const CHAINS = [
  'handoff.causation-chain',
  'handoff.causation-chain.two-workers',
  'handoff.causation-chain.nested',
  'handoff.causation-chain.turns',
];

/** The checks of what caused the end of a child that did not complete. */
export const ENDED_CHAINS = ['handoff.causation-chain.failed', 'handoff.causation-chain.cancelled'];

/** The checks of a supervisor's loop. */
export const LOOPS = ['handoff.loop', 'handoff.loop.turns', 'handoff.loop.clarify', 'handoff.loop.escalate'];
