import { MUTANTS } from '../../reference-host/mutants/index.ts';
import { SUITES } from '../../scenarios/index.ts';
import { REQUIREMENTS } from '../contract/requirements/index.ts';
import { allDiagnoses } from './all-diagnoses.ts';

/** Everything that has a name of its own, by kind. */
export const NAMES = {
  suites: SUITES.map(({ id }) => id),
  requirements: REQUIREMENTS.map(({ id }) => id),
  /** Scenarios and checks: each stands for the other. */
  checks: SUITES.flatMap(({ scenarios }) => scenarios).flatMap(({ id, checks }) => [
    id,
    ...checks.map((check) => check.id),
  ]),
  diagnoses: allDiagnoses().map(({ code }) => code),
  mutants: MUTANTS.map(({ id }) => id),
};
