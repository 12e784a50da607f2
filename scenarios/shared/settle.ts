import { pass, rests, undecided, type Fail, type Outcome, type Rests } from '../../src/contract/outcome.ts';

/**
 * One outcome from all that was looked at: it fails where one of them fails, by a cause of its own before one of another
 * check's, and passes where at least one does. What could not be seen stands in the reason either way. What asks nothing
 * of this host counts only where there is nothing else.
 */
export function settle(all: readonly Outcome[]): Outcome {
  const outcomes = all.filter(({ kind }) => kind !== 'not-applicable');
  const [first = all[0], ...others] = outcomes;
  if (first !== undefined && others.length === 0) return first;
  const failed = failureOf(outcomes);
  if (failed !== undefined) return failed;
  const evidence = [...new Set(outcomes.flatMap(evidenceOf))];
  const open = [...new Set(outcomes.flatMap(reasonWhereOpen))];
  if (!outcomes.some(({ kind }) => kind === 'pass')) {
    // One of them may have been settled before, and say the same as the next.
    const said = [...new Set(open.flatMap((reason) => reason.split('; ')))];
    const left = undecided(said.length === 0 ? 'nothing was driven' : said.join('; '), evidence);
    // One that passes would be enough: whoever keeps one open keeps all of them so.
    const resting = outcomes.find((each) => each.kind === 'rests');
    return resting === undefined ? left : rests(resting.on, left);
  }
  const notes = outcomes.flatMap((each) => (each.kind === 'pass' && each.reason !== undefined ? [each.reason] : []));
  const said = [...new Set([...notes, ...open.map((reason) => `not seen: ${reason}`)])];
  return pass(evidence, said.length === 0 ? undefined : said.join('; '));
}

/** The failure among outcomes that have to be passes, by a cause of its own before one of another check's. */
export function failureOf(outcomes: readonly Outcome[]): Outcome | undefined {
  return outcomes.find(({ kind }) => kind === 'fail') ?? outcomes.find(isRestingFailure);
}

/** What is left where outcomes all have to be passes: the failure, or the first one that is open; undefined where all are. */
export function openOf(outcomes: readonly Outcome[]): Outcome | undefined {
  return failureOf(outcomes) ?? outcomes.find(({ kind }) => kind !== 'pass');
}

/** A pass by all of these, or what `openOf` leaves; undecided where there are none. */
export function allPass(outcomes: readonly Outcome[], nothing = 'nothing was driven'): Outcome {
  return openOf(outcomes) ?? (outcomes.length === 0 ? undecided(nothing, []) : pass(outcomes.flatMap(evidenceOf)));
}

/** The observations and exchanges behind an outcome. */
export function evidenceOf(outcome: Outcome): readonly string[] {
  return outcome.kind === 'rests' ? outcome.otherwise.evidence : outcome.evidence;
}

function isRestingFailure(outcome: Outcome): outcome is Rests & { readonly otherwise: Fail } {
  return outcome.kind === 'rests' && outcome.otherwise.kind === 'fail';
}

function reasonWhereOpen(outcome: Outcome): readonly string[] {
  if (outcome.kind === 'undecided') return [outcome.reason];
  return outcome.kind === 'rests' && outcome.otherwise.kind === 'undecided' ? [outcome.otherwise.reason] : [];
}
