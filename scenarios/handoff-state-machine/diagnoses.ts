import type { Diagnosis, ExplainedDiagnosis } from '../../src/contract/verdict.ts';

/** The causes that the judges of this suite name. */
export const diagnoses: readonly ExplainedDiagnosis[] = [
  {
    code: 'broken-chain',
    message:
      "A transition's causationId is not the eventId of the transition before it, or the first one's not that of the decision (rfc-0037 §B).",
    breaks: ['handoff.causation-chain'],
  },
  {
    code: 'harvested-without-completion',
    message: 'Outputs of a child that did not complete, or was never created, were harvested (rfc-0037 §B).',
    breaks: ['handoff.failed-child-skips-harvest', 'handoff.dispatch-failure'],
  },
  {
    code: 'output-not-mapped',
    message: "A completed child's mapped output is not in its parent's variables (rfc-0037 §A.3).",
    breaks: ['handoff.output-mapping'],
  },
  {
    code: 'output-mapped-late',
    message: "A completed child's mapped output came after its parent's next decision (rfc-0037 §A.4).",
    breaks: ['handoff.output-mapping'],
  },
  {
    code: 'output-not-relayed',
    message: 'The next worker was not given what the one before it returned (rfc-0037 §A.3, §A.4).',
    breaks: ['handoff.output-mapping'],
  },
  {
    code: 'not-suspended',
    message: 'A decision that asks somebody does not suspend the run until it is answered (rfc-0037 §A).',
    breaks: ['handoff.loop'],
  },
  {
    code: 'child-is-no-run',
    message: 'The dispatched child is not a run of its own that can be read (rfc-0037 §A.2).',
    breaks: ['handoff.child-is-a-run'],
  },
  {
    code: 'dispatched-again',
    message: "A replay carried out a child's side effects again (rfc-0037 §B, 0041 §C).",
    breaks: ['handoff.replays'],
  },
];

/** The cause of a name, as a judgement carries it. */
export function wrong(code: string): Diagnosis {
  return { code, message: diagnoses.find((each) => each.code === code)?.message ?? code };
}
