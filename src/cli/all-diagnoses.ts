import { SUITES } from '../../scenarios/index.ts';
import { sharedDiagnoses } from '../../scenarios/shared/diagnoses.ts';
import { catalogue } from '../cache-key/index.ts';
import type { ExplainedDiagnosis } from '../contract/verdict.ts';

/** The causes that judges name, of all suites. A name of the catalogue may be a suite's, too. */
export function allDiagnoses(): readonly ExplainedDiagnosis[] {
  return [...catalogue, ...sharedDiagnoses, ...SUITES.flatMap(({ diagnoses = [] }) => diagnoses)];
}
