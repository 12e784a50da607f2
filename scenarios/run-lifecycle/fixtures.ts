/** The role of the run that leaves variables behind. */
export const VARIABLES = 'run with variables';

/** Workflows that give a variable a value. */
export const VARIABLE_FIXTURES = ['conformance-determinism-variable-write', 'conformance-multi-agent-handoff'] as const;
