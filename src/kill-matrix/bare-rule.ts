import type { Mutant } from '../../reference-host/mutants/mutant.ts';
import type { MutantRow } from './matrix.ts';

/** What the public workflows and seams decide, and what they leave open. */
export interface BareMatrix {
  readonly rows: readonly MutantRow[];
  /** The checks that pass on the conformant host. */
  readonly decided: readonly string[];
  /** The checks that are red on it. */
  readonly red: readonly string[];
  /** The checks that it takes more for: our own workflows and seams, or hosts that can be killed. */
  readonly open: readonly OpenCheck[];
}

/** A check that is not decided, and what it says of that. */
export interface OpenCheck {
  readonly id: string;
  readonly reason: string;
}

/** Half of the checks that there were when this was set: with fewer, a verdict says little about hosts that nobody here wrote. */
export const DECIDED_AT_LEAST = 110;

/**
 * What must not be: a red check on the conformant host, too few that decide, one of these that no mutant kills, and a red one
 * that its mutant does not name.
 */
export function bareProblems({ rows, decided, red }: Omit<BareMatrix, 'open'>): readonly string[] {
  return [
    ...red.map((check) => `${check} is red on the conformant host`),
    ...(decided.length < DECIDED_AT_LEAST
      ? [`${decided.length} checks are decided with public workflows and seams: fewer than ${DECIDED_AT_LEAST}`]
      : []),
    ...strayProblems(rows),
    ...aliveAmong(decided, rows).map((check) => `no mutant kills ${check} with public workflows and seams`),
  ];
}

/** What must not be where mutants are named: one that turns nothing red that it names, or something that it does not name. */
export function namedProblems(rows: readonly MutantRow[]): readonly string[] {
  const unobserved = rows.filter(({ killedBy }) => killedBy.length === 0);
  return [...unobserved.map(({ id }) => `${id} is not seen with public workflows and seams`), ...strayProblems(rows)];
}

/** Those of the checks that no mutant has turned red. */
export function aliveAmong(checks: readonly string[], rows: readonly MutantRow[]): readonly string[] {
  const killed = new Set(rows.flatMap(({ killedBy }) => killedBy));
  return checks.filter((check) => !killed.has(check));
}

/** One mutant for each check, where there is one that may kill it: the first one, those that wait by the clock last. */
export function killersFor(
  checks: readonly string[],
  mutants: readonly Mutant[],
  mayKill: (mutant: Mutant, check: string) => boolean,
): readonly Mutant[] {
  const quickFirst = [
    ...mutants.filter(({ waits }) => waits !== true),
    ...mutants.filter(({ waits }) => waits === true),
  ];
  const chosen = new Set<Mutant>();
  for (const check of checks) {
    if ([...chosen].some((mutant) => mayKill(mutant, check))) continue;
    const killer = quickFirst.find((mutant) => mayKill(mutant, check));
    if (killer !== undefined) chosen.add(killer);
  }
  return mutants.filter((mutant) => chosen.has(mutant));
}

function strayProblems(rows: readonly MutantRow[]): readonly string[] {
  return rows.flatMap(({ id, stray }) => stray.map((check) => `${id} turns ${check} red, which it does not name`));
}
