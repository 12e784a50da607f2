import type { Judgement } from '../../src/contract/verdict.ts';
import type { RunEvent } from '../../src/host/run-event.ts';
import { compareLogs, eventsOf, isAboutReplay, named } from '../shared/compare-runs.ts';
import { fixtureOf, isFixtureSource } from '../shared/fixture-sources.ts';
import { unseen } from '../shared/judge-run.ts';
import { type Diverging, differing, reportsOf } from './judge-divergence.ts';
import { failing, passing, type SeenRun, undecided } from '../shared/judging.ts';
import { wrong } from './diagnoses.ts';

/** A replay of unchanged code beside its source. */
export interface Unchanged {
  readonly source: SeenRun | undefined;
  readonly replay: SeenRun | undefined;
}

/**
 * Judges that replays which match their sources report nothing. A host that never reports passes nothing here: `twin` is
 * a replay that differs.
 */
export function falseAlarm(check: string, pairs: readonly Unchanged[], twin: Diverging): Judgement {
  const evidence: SeenRun[] = [];
  const unlike: string[] = [];
  for (const { source, replay } of pairs) {
    const missing = unseen(check, [source, replay]);
    if (missing !== undefined || source === undefined || replay === undefined) {
      return missing ?? undecided(check, 'a run was not driven', []);
    }
    evidence.push(replay, source);
    const found = alarmIn({ source, replay }, twin.volatile);
    if (found.kind === 'alarm') return alarming(check, found.alarm, { source, replay });
    if (found.kind === 'unlike') unlike.push(found.why);
  }
  const [other] = unlike;
  if (other !== undefined)
    return undecided(check, `a replay of unchanged code does not match its source: ${other}`, evidence);
  if (pairs.length === 0) return undecided(check, 'no replay was driven', []);
  return silentTwin(check, twin, evidence) ?? passing(check, [...evidence, ...twinOf(twin)]);
}

/**
 * Judges the same over the sources of fixtures and their replays: those that match must report nothing, and the others
 * are named. One that matches is enough.
 */
export function judgeEveryFixture(check: string, runs: readonly SeenRun[], twin: Diverging): Judgement {
  const evidence: SeenRun[] = [];
  const [compared, left] = [new Map<string, number>(), new Set<string>()];
  for (const source of runs.filter(isFixtureSource)) {
    const name = fixtureOf(source);
    if (source.problem !== null) left.add(`${name} (${source.problem})`);
    for (const replay of runs.filter(({ fork }) => fork !== null && fork.sourceRunId === source.runId)) {
      const missing = unseen(check, [source, replay]);
      if (missing?.verdict === 'fail') return missing;
      const found = missing === undefined ? alarmIn({ source, replay }, twin.volatile) : undefined;
      if (found?.kind === 'alarm') return alarming(check, found.alarm, { source, replay });
      if (found?.kind !== 'quiet') left.add(`${name} (${found?.why ?? missing?.reason ?? 'not seen'})`);
      else {
        evidence.push(replay, source);
        compared.set(name, (compared.get(name) ?? 0) + 1);
      }
    }
  }
  const rest = left.size === 0 ? '' : `; not compared: ${[...left].join(', ')}`;
  if (compared.size === 0) return undecided(check, `no replay of a fixture matches its source${rest}`, []);
  const quiet = [...compared].map(([name, count]) => `${name} (${count})`).join(', ');
  const all = [...new Set([...evidence, ...twinOf(twin)])];
  return silentTwin(check, twin, evidence) ?? passing(check, all, `quiet replays of ${quiet}${rest}`);
}

/** What a replay of unchanged code says about itself. */
type Found =
  | { readonly kind: 'quiet' }
  | { readonly kind: 'alarm'; readonly alarm: RunEvent }
  | { readonly kind: 'unlike'; readonly why: string };

/** An alarm is a false one where really nothing differs: a host may report what is only declared volatile. */
function alarmIn(
  { source, replay }: { readonly source: SeenRun; readonly replay: SeenRun },
  volatile: readonly string[],
): Found {
  const alarm = eventsOf(replay).find(isDivergence);
  const compared = compareLogs(source, replay, alarm === undefined ? volatile : []);
  if (compared.kind === 'unreadable') return { kind: 'unlike', why: compared.reason };
  if (compared.kind === 'different') {
    return { kind: 'unlike', why: `${named(replay)} differs: ${compared.mismatch.actual ?? ''}` };
  }
  return alarm === undefined ? { kind: 'quiet' } : { kind: 'alarm', alarm };
}

function alarming(
  check: string,
  alarm: RunEvent,
  { source, replay }: { readonly source: SeenRun; readonly replay: SeenRun },
): Judgement {
  const expected = `no divergence event: ${named(replay)} matches ${named(source)}`;
  const actual = `${alarm.type} at sequence ${alarm.sequence} of ${named(replay)}`;
  return failing(check, { expected, actual, diagnosis: FALSE_ALARM }, [replay, source]);
}

/** The judgement that is left where the host was not seen to report a divergence that there is. */
function silentTwin(check: string, twin: Diverging, evidence: readonly SeenRun[]): Judgement | undefined {
  const runs = differing(check, twin);
  if ('verdict' in runs) {
    const why = runs.reason ?? runs.actual ?? '';
    return undecided(check, `that this host reports divergence at all was not seen: ${why}`, evidence);
  }
  if (reportsOf(twin).length > 0) return undefined;
  const reason = `this host does not report divergence: none in ${named(runs.replay)}`;
  return undecided(check, reason, [...evidence, ...runs.evidence]);
}

function twinOf({ source, replay }: Diverging): readonly SeenRun[] {
  return [replay, source].filter((run) => run !== undefined);
}

function isDivergence(event: RunEvent): boolean {
  return isAboutReplay(event) && event.type.startsWith('replay.diverged');
}

const FALSE_ALARM = wrong('false-alarm');
