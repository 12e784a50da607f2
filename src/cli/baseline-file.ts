import { readFileSync, statSync } from 'node:fs';
import type { Baseline } from '../baseline/baseline.ts';
import { type KnownNames, readBaseline } from '../baseline/read.ts';
import { UsageError } from '../contract/usage-error.ts';
import { SUITES } from '../../scenarios/index.ts';
import { messageOf } from './files.ts';

/** Bytes of a baseline: more than one with every check in it and a long reason for each. */
const MOST_BYTES = 4 * 1_048_576;

/** The names of all checks and requirements. */
export function allNames(): KnownNames {
  const checks = SUITES.flatMap(({ scenarios }) => scenarios).flatMap((scenario) => scenario.checks);
  return {
    checks: checks.map(({ id }) => id),
    requirements: [...new Set(checks.map(({ requirement }) => requirement))],
  };
}

/** The baseline in a file, its names among these where there are any; UsageError with the pointer where it is none. */
export function readBaselineFile(path: string, names?: KnownNames): Baseline {
  const read = readBaseline(textOf(path), names);
  if (!read.ok) throw wrong(path, read.message);
  return read.baseline;
}

function textOf(path: string): string {
  let bytes: Uint8Array;
  try {
    const found = statSync(path);
    if (!found.isFile()) throw wrong(path, 'is no file');
    if (found.size > MOST_BYTES) throw wrong(path, `is larger than ${MOST_BYTES} bytes`);
    bytes = readFileSync(path);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw wrong(path, messageOf(error));
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw wrong(path, 'is not valid UTF-8');
  }
}

function wrong(path: string, problem: string): UsageError {
  return new UsageError(`the baseline ${path}: ${problem}`);
}
