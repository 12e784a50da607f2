import type { Baseline } from '../baseline/baseline.ts';
import { type KnownNames, readBaseline } from '../baseline/read.ts';
import { UsageError } from '../contract/usage-error.ts';
import { SUITES } from '../../scenarios/index.ts';
import { allDiagnoses } from './all-diagnoses.ts';
import { readTextFile } from './text-file.ts';

/** Bytes of a baseline: more than one with every check in it and a long reason for each. */
const MOST_BYTES = 4 * 1_048_576;

/** The names of all checks, requirements and diagnoses. */
export function allNames(): KnownNames {
  const checks = SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) => scenario.checks);
  return {
    checks: checks.map(({ id }) => id),
    requirements: [...new Set(checks.map(({ requirement }) => requirement))],
    diagnoses: allDiagnoses().map(({ code }) => code),
  };
}

/** The baseline in a file, its names among these where there are any; UsageError with the pointer where it is none. */
export function readBaselineFile(path: string, names?: KnownNames): Baseline {
  const read = readBaseline(
    readTextFile(path, MOST_BYTES, (problem) => wrong(path, problem)),
    names,
  );
  if (!read.ok) throw wrong(path, read.message);
  return read.baseline;
}

function wrong(path: string, problem: string): UsageError {
  return new UsageError(`the baseline ${path}: ${problem}`);
}
