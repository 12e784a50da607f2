import { causes } from '../shared/causes.ts';

const MAPPING = ['handoff.output-mapping'];

/** The causes that the judges of this suite name. */
export const { diagnoses, wrong } = causes(
  [
    [
      'broken-chain',
      "A transition's causationId is not the eventId of the transition before it, or the first one's not that of the decision (rfc-0037 §B).",
      ['handoff.causation-chain', 'handoff.replays'],
    ],
    [
      'harvested-without-completion',
      'Outputs of a child that did not complete, or was never created, were harvested (rfc-0037 §B).',
      ['handoff.failed-child-skips-harvest', 'handoff.dispatch-failure'],
    ],
    [
      'fails-without-harvest',
      'A run whose child completed fails because no output of the child is mapped: an empty outputMapping ends without a harvest (rfc-0037 §B).',
      ['handoff.harvest-exactly-when'],
    ],
    [
      'output-not-mapped',
      "A completed child's mapped output is not in its parent's variables (rfc-0037 §A.3).",
      MAPPING,
    ],
    [
      'output-mapped-late',
      "A completed child's output came after its parent's next decision (rfc-0037 §A.4).",
      MAPPING,
    ],
    [
      'output-not-relayed',
      'The next worker was not given what the one before returned (rfc-0037 §A.3, §A.4).',
      MAPPING,
    ],
    [
      'input-not-mapped',
      'A child was not given what its inputMapping maps; the mapping for one worker goes before that for all (rfc-0037 §A.3).',
      MAPPING,
    ],
    [
      'not-suspended',
      'A decision that asks does not suspend the run until its answer (rfc-0037 §A).',
      ['handoff.loop'],
    ],
    [
      'child-is-no-run',
      'The dispatched child is not a run of its own that can be read (rfc-0037 §A.2).',
      ['handoff.child-is-a-run'],
    ],
    [
      'child-shown-otherwise',
      "The snapshot of the dispatched child says another id, workflow, end or parent of it than its parent's log (rfc-0037 §A.2).",
      ['handoff.child-is-a-run'],
    ],
    [
      'payload-not-declared',
      'The payload of a decision or a transition has a member that is not declared, or one of another type (rfc-0037, Amended).',
      ['handoff.payloads'],
    ],
    [
      'payload-wrong-value',
      'The payload of a decision or a transition says something else than the run: its parent, worker, harvested keys or turn (rfc-0037 §B).',
      ['handoff.payloads', 'handoff.replays'],
    ],
    [
      'failure-told-otherwise',
      'A replay tells that a child, or its dispatch, failed with another error than it did, and does not report that it differs (0041 §C).',
      ['handoff.replays'],
    ],
    ['dispatched-again', "A replay carried out a child's effects again (rfc-0037 §B, 0041 §C).", ['handoff.replays']],
    [
      'second-child',
      'A replay dispatched another child beside the one that stands for the recorded child: look at how the record is found again.',
      ['replay.no-second-child'],
    ],
    [
      'child-given-otherwise',
      "The child of a replay was not given what its source's child was given: look at the variables that the replay starts from.",
      ['replay.no-second-child'],
    ],
  ],
  [
    [
      'wrong-path',
      'A handoff does not show each transition of its way once, in their order (rfc-0037 §B).',
      ['handoff.happy-path', 'handoff.loop', 'handoff.failed-child-skips-harvest', 'handoff.replays'],
    ],
    [
      'wrong-harvest',
      'output.harvested does not come once for each child that completed and has a mapped output, and for no other (rfc-0037 §B).',
      ['handoff.harvest-exactly-when', 'handoff.happy-path'],
    ],
    [
      'end-told-otherwise',
      "A parent's log tells of another end of a child than the child's own log (rfc-0037 §B).",
      ['handoff.failed-child-skips-harvest'],
    ],
    [
      'dispatch-failure-untold',
      'A dispatch that failed is not told as one failure, with nothing but dispatch.began beside it (rfc-0037 §B).',
      ['handoff.dispatch-failure'],
    ],
    [
      'wrong-turns',
      'A log does not hold one decision for each turn, and nothing behind the last one but its end (rfc-0037 §A).',
      ['handoff.loop'],
    ],
    [
      'unsupported-shown',
      'A host that does not offer the execution model writes its events (rfc-0037, Compatibility).',
      ['handoff.not-unless-supported'],
    ],
  ],
);
