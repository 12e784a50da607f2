import { fail, isOutcome, type Outcome, pass, undecided } from '../../src/contract/outcome.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { compareLogs, compareVerbatim, eventsOf, named } from '../shared/compare-runs.ts';
import { fixtureOf, isFixtureSource } from '../shared/fixture-sources.ts';
import { leftUndriven, leftWithout, type RecordedRun } from '../shared/need.ts';
import { isDivergence } from '../shared/read-event.ts';
import type { SweptWorkflow } from '../shared/swept-runs.ts';
import type { Diverged } from './judge-divergence.ts';
import { sharedCause } from '../shared/diagnoses.ts';

/** A replay of unchanged code beside its source. */
interface Unchanged {
  readonly source: RecordedRun | undefined;
  readonly replay: RecordedRun;
}

/** What silence is measured by. */
export interface Measure {
  /** A replay that differs, which the host has to report: one that never reports passes nothing. */
  readonly control: Diverged | Outcome;
  /** Fields that were declared volatile. */
  readonly volatile: readonly string[];
  /** Workflows that a sweep ran and replayed, beside fixtures. */
  readonly swept: readonly SweptWorkflow[];
}

/** The same, and what was seen of forks of forks, and of what is no replay. */
interface WideMeasure extends Measure {
  /** Replays of forks, wherever they were driven, and of fixtures, by a sweep. */
  readonly elsewhere: readonly Required<Unchanged>[];
  /** Runs that report a divergence, and are no replays. */
  readonly reporting: readonly RecordedRun[];
}

/** Judges that replays which match their sources report nothing. */
export function judgeQuiet(pairs: readonly Unchanged[], { control, volatile }: Omit<Measure, 'swept'>): Outcome {
  const runs = pairs.flatMap(({ replay, source }) => (source === undefined ? [replay] : [replay, source]));
  const unlike: string[] = [];
  for (const pair of pairs) {
    const found = said(pair, volatile);
    if (isOutcome(found)) return found;
    if (found.kind === 'unlike') unlike.push(found.why);
  }
  const [other] = unlike;
  if (other !== undefined) return undecided(`a replay of unchanged code does not match its source: ${other}`, runs);
  if (pairs.length === 0) return undecided('no replay was driven', []);
  return quietBeside(control, runs);
}

/**
 * Judges the same over the sources of fixtures and their replays: those that match must report nothing, and the others
 * are named. One that matches is enough.
 */
export function judgeEveryFixture(
  runs: readonly RecordedRun[],
  { control, volatile, swept, elsewhere, reporting }: WideMeasure,
): Outcome {
  const quiet: RecordedRun[] = [];
  const [compared, left] = [new Map<string, number>(), new Set<string>()];
  for (const source of runs.filter(isFixtureSource)) {
    const name = fixtureOf(source);
    if (source.problem !== null) left.add(`${name} (${source.problem})`);
    for (const replay of runs.filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId)) {
      const found = said({ source, replay }, volatile);
      if (found.kind === 'quiet') {
        quiet.push(replay, source);
        compared.set(name, (compared.get(name) ?? 0) + 1);
      } else if (found.kind === 'unlike') left.add(`${name} (${found.why})`);
      else if (found.kind === 'undecided') left.add(`${name} (${found.reason})`);
      else if (found.kind === 'rests' && found.otherwise.kind === 'undecided') {
        left.add(`${name} (${found.otherwise.reason})`);
      } else return found;
    }
  }
  let others = 0;
  for (const { source, replays } of swept) {
    for (const replay of replays) {
      const found = said({ source, replay }, volatile);
      if (found.kind === 'fail') return found;
      if (found.kind !== 'quiet') continue;
      quiet.push(replay, source);
      others += 1;
    }
  }
  for (const pair of elsewhere) {
    const found = said(pair, volatile);
    if (found.kind === 'fail' || (found.kind === 'rests' && found.otherwise.kind === 'fail')) return found;
  }
  const rest = left.size === 0 ? '' : `; not compared: ${[...left].join(', ')}`;
  if (compared.size === 0 && others === 0) return undecided(`no replay of a fixture matches its source${rest}`, []);
  const counts = [...compared].map(([name, count]) => `${name} (${count})`).join(', ');
  const more = others === 0 ? '' : `${counts === '' ? '' : ', and '}${others} of swept workflows`;
  return quietBeside(control, quiet, `quiet replays of ${counts}${more}${rest}${adviceOn(reporting)}`);
}

/** What is no failure: what is no replay is none of what must match, and none of what must report (replay.md, Failure surfaces). */
function adviceOn([run, ...others]: readonly RecordedRun[]): string {
  if (run === undefined) return '';
  const more = others.length === 0 ? '' : ` and ${others.length} other runs`;
  return `; advisory: ${named(run)}${more} report a divergence, which is for replays`;
}

/** What a replay of unchanged code says about itself; an outcome where it says something wrong, or was not seen. */
type Said = { readonly kind: 'quiet' } | { readonly kind: 'unlike'; readonly why: string } | Outcome;

/** An alarm is a false one where really nothing differs: a host may report what is only declared volatile, or named for the run. */
function said({ source, replay }: Unchanged, volatile: readonly string[]): Said {
  if (source === undefined) return leftUndriven(`source of the ${replay.role}`, [replay]);
  const left = leftWithout([source, replay]);
  if (left !== undefined) return left;
  const alarm = eventsOf(replay).find((event) => isDivergence(event) && !isInherited(event, source, replay));
  const compared = alarm === undefined ? compareLogs(source, replay, volatile) : compareVerbatim(source, replay);
  if (compared.kind === 'unreadable') return { kind: 'unlike', why: compared.reason };
  if (compared.kind === 'different') {
    return { kind: 'unlike', why: `${named(replay)} differs: ${compared.mismatch.actual}` };
  }
  if (alarm === undefined) return { kind: 'quiet' };
  const expected = `no divergence event: ${named(replay)} matches ${named(source)}`;
  const actual = `${alarm.type} at sequence ${alarm.sequence} of ${named(replay)}`;
  // Of alarms about refusals another row says that they are false.
  const restsOn = alarm.type === 'replay.divergedAtRefusal' ? 'refusal.no-false-alarm' : undefined;
  return fail({ expected, actual, diagnosis: sharedCause('false-alarm'), restsOn }, [replay, source]);
}

/** Whether an event of a replay is its source's, which it has as history: what it says it does not say of the replay. */
function isInherited({ sequence, type }: RunEvent, source: RecordedRun, { fork }: RecordedRun): boolean {
  return (
    sequence < (fork?.fromSeq ?? 0) &&
    eventsOf(source).some((event) => event.sequence === sequence && event.type === type)
  );
}

/** Silence passes on a host that was seen to report a divergence. */
function quietBeside(control: Diverged | Outcome, quiet: readonly RecordedRun[], reason?: string): Outcome {
  if (isOutcome(control)) {
    const left = control.kind === 'rests' ? control.otherwise : control;
    const remedies = left.kind === 'undecided' ? left.remedies : undefined;
    return undecided(`that this host reports divergence at all was not seen: ${whyOf(control)}`, quiet, remedies);
  }
  const evidence = [...quiet, ...control.evidence];
  return control.reports.length > 0
    ? pass(evidence, reason)
    : undecided(`this host does not report divergence: none in ${named(control.replay)}`, evidence);
}

/** Why an outcome is what it is. */
export function whyOf(outcome: Outcome): string {
  if (outcome.kind === 'rests') return whyOf(outcome.otherwise);
  return outcome.reason ?? (outcome.kind === 'fail' ? outcome.actual : '');
}
