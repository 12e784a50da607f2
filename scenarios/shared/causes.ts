import type { Diagnosis, ExplainedDiagnosis } from '../../src/contract/verdict.ts';

/** A cause's name, what is wrong where it is given, and the ids of the requirements that it breaks. */
export type Cause<Code extends string = string> = readonly [code: Code, message: string, breaks: readonly string[]];

/** A table of causes: as `explain` tells them, and each as a judgement carries it. */
export interface Causes<Code extends string> {
  readonly diagnoses: readonly ExplainedDiagnosis[];
  /** The cause of a name, with the table's message. */
  readonly wrong: (code: Code) => Diagnosis;
}

/** The table of these causes. Of a name that stands in it twice the last message holds. */
export function causes<const Code extends string>(table: readonly Cause<Code>[]): Causes<Code> {
  const messages = new Map<string, string>(table.map(([code, message]) => [code, message]));
  return {
    diagnoses: table.map(([code, message, breaks]) => ({ code, message, breaks })),
    wrong: (code) => ({ code, message: messages.get(code) ?? code }),
  };
}
