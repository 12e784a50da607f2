import type { ExplainedDiagnosis } from '../../src/contract/verdict.ts';

const BREAKS = ['fork.invisible-run', 'privacy.same-access-checks'];

/** What the judges of runs that belong to another tenant name. */
export const diagnoses: readonly ExplainedDiagnosis[] = [
  {
    code: 'tenants-mixed',
    message: "A request about another tenant's run was served. Look runs up among those of the caller's tenant.",
    breaks: BREAKS,
  },
  {
    code: 'existence-revealed',
    message:
      "The answer about another tenant's run differs from that about an unknown one. Answer both with the same 404.",
    breaks: BREAKS,
  },
];
