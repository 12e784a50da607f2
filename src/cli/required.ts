import { unknownName } from '../contract/nearest.ts';
import { UsageError } from '../contract/usage-error.ts';
import type { Scenario } from '../runner/scenario.ts';
import { SUITES } from '../../scenarios/index.ts';
import type { JudgeFlags } from './options.ts';

/**
 * The suites and requirements of which something has to be decided (`--require`). A name that nothing has is a usage error,
 * and so is one of which no scenario is selected, where a selection is given.
 */
export function required({ require = [] }: JudgeFlags, selected?: readonly Scenario[]): readonly string[] {
  const known = namesIn(SUITES.flatMap(({ scenarios }) => scenarios));
  const at = selected === undefined ? known : namesIn(selected);
  for (const name of require) {
    if (!known.includes(name)) throw new UsageError(`--require: ${unknownName('suite or requirement', name, known)}`);
    if (!at.includes(name)) throw new UsageError(`--require ${name}: nothing of it is selected`);
  }
  return require;
}

function namesIn(scenarios: readonly Scenario[]): readonly string[] {
  const names = scenarios.flatMap(({ suite, checks }) => [suite, ...checks.map(({ requirement }) => requirement)]);
  return [...new Set(names)];
}
