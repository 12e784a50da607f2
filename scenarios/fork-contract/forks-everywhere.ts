import { fail, type Fail, type Outcome } from '../../src/contract/outcome.ts';
import { endOf } from '../../src/protocol/run-status.ts';
import { isSuccess } from '../../src/protocol/status.ts';
import { comparePrefixes, eventsOf } from '../shared/compare-runs.ts';
import { outcomeOf, ownedBy } from '../shared/compared.ts';
import { failureOf } from '../shared/settle.ts';
import { type AnyRun, sourceAmong } from '../shared/every-run.ts';
import { forkText, refusedText, refusedWrongly } from '../shared/need.ts';
import type { RunObservation } from '../shared/run-observation.ts';
import { type Fault, wrongMembers } from './judge-answer.ts';
import { wrong as naming } from './diagnoses.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** What a run is to its forks: no fork itself, or a fork of a mode. */
export type Kind = 'run' | 'replay' | 'branch';

/** Branches with overlays of which a host need not take each member: their rows say whether they were refused for these. */
const OVERLAID = /^fork\.overlay-/u;

/** A fork, wherever it was requested, and what its source is. */
export interface ForkOf {
  readonly fork: AnyRun;
  readonly source: RunObservation;
  readonly kind: Kind;
}

/**
 * The forks of a mode among all runs, each with its source. Only those of runs that had ended whenever they were read: what becomes of
 * forks of a run that waits the documents leave open.
 */
export function forksAmong(all: readonly AnyRun[], mode: 'replay' | 'branch'): readonly ForkOf[] {
  const open = new Set(
    all.filter((run) => run.problem !== null || endOf(eventsOf(run)) === undefined).map(({ runId }) => runId),
  );
  return all.flatMap((fork) => {
    const source = fork.fork?.mode === mode ? sourceAmong(fork, all) : undefined;
    if (source === undefined || open.has(source.runId)) return [];
    return [{ fork, source, kind: kindOf(source) }];
  });
}

function kindOf({ fork }: RunObservation): Kind {
  if (fork === null) return 'run';
  return fork.mode === 'branch' ? 'branch' : 'replay';
}

/** Those of these that were refused and must not have been. */
export function refusedAmong(forks: readonly ForkOf[]): readonly ForkOf[] {
  return forks.filter(({ fork }) => refusedWrongly(fork) && !OVERLAID.test(fork.scenario));
}

/** A fork whose answer is wrong about it. */
export interface WrongFork extends ForkOf {
  readonly faults: readonly Fault[];
}

/** Those of these that were answered with another success than 201, or whose answers lack members or have wrong ones. */
export function wrongAmong(forks: readonly ForkOf[]): readonly WrongFork[] {
  return forks.flatMap((each) => {
    const faults = faultsIn(each);
    return faults.length === 0 ? [] : [{ ...each, faults }];
  });
}

function faultsIn({ fork, source }: ForkOf): readonly Fault[] {
  const { answered, answer } = fork;
  if (answered === null || !isSuccess(answered)) return [];
  const name = `status ${answered}`;
  const status = answered === 201 ? [] : [{ name, text: name }];
  return [...status, ...(answer === null ? [] : wrongMembers(answer, fork, source))];
}

/** Judges what other scenarios requested beside the forks that a row makes itself; undefined where nothing is wrong with it. */
export function judgeElsewhere(forks: readonly ForkOf[]): Outcome | undefined {
  const refused = refusedAmong(forks);
  if (refused.length > 0) return refusal(refused, forks);
  const wrong = wrongAmong(forks);
  return wrong.length > 0 ? wrongAnswer(wrong) : undefined;
}

/** The failure of forks that were refused, of all that were requested. */
export function refusal(refused: readonly ForkOf[], all: readonly ForkOf[]): Fail {
  const runs = refused.map(({ fork }) => fork);
  const mode = runs[0]?.fork?.mode ?? '';
  const expected = `201 for ${about(refused)}: the host offers the mode ${mode}`;
  const forks = mode === 'branch' ? 'branches' : 'replays';
  return fail(
    {
      diagnosis: sharedCause('fork-refused'),
      expected,
      actual: `${textOf(runs, refusedText)}; ${runs.length} of ${all.length} ${forks} were refused`,
    },
    runs,
  ) as Fail;
}

/** The failure of forks whose answers are wrong. */
export function wrongAnswer(wrong: readonly WrongFork[]): Fail {
  const [first] = wrong;
  const runs = wrong.map(({ fork }) => fork);
  const said = (first?.faults ?? []).map(({ text }) => text).join('; ');
  const expected = `201 with the six members of a fork for ${about(wrong)}, as requested`;
  return fail(
    { diagnosis: naming('other-fork-answer'), expected, actual: `${said} for ${textOf(runs)}` },
    runs,
  ) as Fail;
}

function textOf([first]: readonly AnyRun[], said = forkText): string {
  if (first === undefined) return '';
  const workflow = first.workflowId === undefined ? '' : ` of ${first.workflowId}`;
  return `${said(first)}${workflow}`;
}

const SOURCES: Readonly<Record<Kind, string>> = { run: 'run', replay: 'replay', branch: 'branch' };

function about([first]: readonly ForkOf[]): string {
  return first === undefined ? 'each fork' : `every ${first.fork.fork?.mode ?? 'fork'} of a ${SOURCES[first.kind]}`;
}

/**
 * The first of these that does not have the history of its source below its fork point (replay.md, Endpoint), and rests on the row that
 * says so of forks of other runs; undefined where each that was seen has it.
 */
export function judgeHistories(
  forks: readonly ForkOf[],
  owner: string,
  volatile: readonly string[],
): Outcome | undefined {
  const outcomes = forks.flatMap(({ fork, source }) => {
    if (fork.problem !== null || fork.runId === null || fork.runId === source.runId) return [];
    const compared = comparePrefixes(source, fork, fork.fork?.fromSeq ?? 0, volatile);
    return compared.kind === 'different' ? [outcomeOf(ownedBy(owner, compared), [fork])] : [];
  });
  return failureOf(outcomes);
}
