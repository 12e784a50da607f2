import type { Judgement } from '../../src/contract/verdict.ts';
import { comparePrefixes, prefixesOf } from '../shared/compare-runs.ts';
import { compareFullStates } from '../shared/compare-states.ts';
import type { Compared } from '../shared/compared.ts';
import { declared } from '../shared/declared.ts';
import { fixtureOf } from '../shared/fixture-sources.ts';
import { unseen } from '../shared/judge-run.ts';
import { withoutVolatile } from '../shared/without-volatile.ts';
import { gatherSweep, type SeenRun, type Swept } from './swept-log.ts';

interface Rule {
  readonly check: string;
  readonly compare: (source: SeenRun, fork: SeenRun, fromSeq: number) => Compared;
  /** The clause says "for every fromSeq": a fork that was refused beside others breaks it as well (readings, Causes). */
  readonly everyFork?: true;
  /** Whether a fork puts the rule to the test. */
  readonly tests: (source: SeenRun, fork: SeenRun, fromSeq: number) => boolean;
}

/** Judges the fixed history of every fork (0041 §C.1). */
export function judgePrefixes(runs: readonly SeenRun[], volatile: readonly string[]): Judgement {
  const judgement = judgeForks(runs, {
    check: 'sequence.prefix-equal',
    everyFork: true,
    compare: (source, fork, fromSeq) => comparePrefixes(source, fork, fromSeq, volatile),
    tests: (source, fork, fromSeq) => prefixesOf(source, fork, fromSeq).below.length > 0,
  });
  return declared(judgement, volatile);
}

/** Judges the states of every fork: at its fork point, on the way and at the end (0041 §C.2). */
export function judgeStates(runs: readonly SeenRun[], volatile: readonly string[]): Judgement {
  const judgement = judgeForks(runs, {
    check: 'sequence.state-equal',
    compare: (source, fork, fromSeq) =>
      compareFullStates(withoutVolatile(source, volatile), withoutVolatile(fork, volatile), fromSeq),
    tests: () => true,
  });
  return declared(judgement, volatile);
}

function judgeForks(runs: readonly SeenRun[], rule: Rule): Judgement {
  const { check } = rule;
  const swept = gatherSweep(runs);
  const pairs = swept.logs.flatMap(({ source, forks }) => forks.map((fork) => ({ source, fork })));
  let refused: Judgement | undefined;
  let undecided: Judgement | undefined;
  let tested = 0;
  for (const { source, fork } of pairs) {
    const fromSeq = fork.fork?.fromSeq ?? 0;
    const evidence = [source.id, fork.id];
    const missing = unseen(check, [source, fork]);
    if (missing?.verdict === 'fail')
      refused = { ...(refused ?? missing), evidence: [...(refused?.evidence ?? []), ...missing.evidence] };
    const compared = missing === undefined ? rule.compare(source, fork, fromSeq) : undefined;
    if (compared?.kind === 'different') return { check, verdict: 'fail', ...compared.mismatch, evidence };
    if (compared?.kind === 'unreadable') {
      undecided ??= { check, verdict: 'inconclusive', reason: compared.reason, evidence };
    } else undecided ??= missing;
    if (compared?.kind === 'same' && rule.tests(source, fork, fromSeq)) tested += 1;
  }
  // What was seen to differ comes first: it is outranked by nothing that could not be made.
  const someWork = pairs.some(({ fork }) => fork.runId !== null);
  if (refused !== undefined) return rule.everyFork === true && someWork ? standing(refused) : refused;
  if (undecided !== undefined) return undecided;
  if (tested === 0) return untested(check, swept);
  const evidence = pairs.flatMap(({ source, fork }) => [fork.id, source.id]);
  return { check, verdict: 'pass', reason: reasonOf(swept, tested), evidence: [...new Set(evidence)] };
}

/** The failure as one of this row itself. */
function standing({ restsOn: _restsOn, ...failure }: Judgement): Judgement {
  return failure;
}

function untested(check: string, { leftOut }: Swept): Judgement {
  const reason = `no fixture could be swept: seed conformance-noop, or better all of fixtures/; ${leftOut.join('; ')}`;
  return { check, verdict: 'inconclusive', reason, evidence: [] };
}

function reasonOf({ logs, leftOut }: Swept, tested: number): string {
  const swept = logs.map(({ source, forks }) => `${fixtureOf(source)} (${forks.length})`).join(', ');
  const rest = leftOut.length === 0 ? '' : `; left out: ${leftOut.join(', ')}`;
  return `${tested} forks of ${swept}${rest}`;
}
