import type { Diagnosis, ExplainedDiagnosis } from '../../src/contract/verdict.ts';

/** A cause's name, what is wrong where it is given, and the ids of the requirements that it breaks. */
export type Cause<Code extends string = string> = readonly [code: Code, message: string, breaks: readonly string[]];

/** A table of causes: as `explain` tells them, and each as a judgement carries it. */
export interface Causes<Code extends string> {
  readonly diagnoses: readonly ExplainedDiagnosis[];
  /** The cause of a name, with the table's message. */
  readonly wrong: (code: Code) => Diagnosis;
}

/**
 * The table of these causes, and of symptoms: names of what is wrong that may have several causes, so that each check of a row that shows
 * one is red. Of a name that stands in it twice the last message holds.
 */
export function causes<const Code extends string, const Symptom extends string = never>(
  table: readonly Cause<Code>[],
  symptoms: readonly Cause<Symptom>[] = [],
): Causes<Code | Symptom> {
  const all: readonly Cause<Code | Symptom>[] = [...table, ...symptoms];
  const messages = new Map<string, string>(all.map(([code, message]) => [code, message]));
  const ofSymptoms = new Set<string>(symptoms.map(([code]) => code));
  return {
    diagnoses: all.map(([code, message, breaks]) => ({ code, message, breaks })),
    wrong: (code) => {
      const cause = { code, message: messages.get(code) ?? code };
      return ofSymptoms.has(code) ? alone(cause) : cause;
    },
  };
}

/** A cause where other checks of the row may show it for another reason. */
export function alone(cause: Diagnosis): Diagnosis {
  return { ...cause, isSymptom: true };
}
