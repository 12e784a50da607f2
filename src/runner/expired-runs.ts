import { member, readDiscovery } from '../contract/discovery.ts';
import type { Judgement } from '../contract/verdict.ts';
import { sequenceOf, type Shown } from '../host/log/shown.ts';
import { isExpired } from '../protocol/status.ts';
import { type Evidence, everythingIn, observationsOf } from './evidence-index.ts';
import { PLAN } from './plan.ts';
import type { Everything } from './scenario.ts';

type Seen = Everything[number];

/** The observations that show less than there was, as events had expired by the clock, each with what is said of it. */
export type Expired = ReadonlyMap<string, string>;

/** The same of a run's evidence. */
export function expiredOf(evidence: Evidence): Expired {
  const known = found.get(evidence) ?? expiredIn(everythingIn(evidence), mayHaveExpired(evidence));
  found.set(evidence, known);
  return known;
}

const found = new WeakMap<Evidence, Expired>();

/**
 * Logs without their first events, which another reading shows, where the host's policy lets them expire as early as that
 * (`isLate`) or a fork of the run was refused for it; logs of forks that lack the same events; and forks that were refused
 * with 410 or 422, where the log of their source, read after that, had lost its first events: a host that refuses them
 * while it shows these refuses them wrongly (replay.md, Retention). What a seam expires is that scenario's to judge.
 */
export function expiredIn(everything: Everything, isLate: (each: Seen) => boolean): Expired {
  const late = new Set(everything.filter(isLate));
  const whole = everything.filter((each) => late.has(each) || !TAKEN_FROM.test(each.scenario));
  const refused = whole.filter((each) => sourceOf(each) !== undefined && isExpired(Number(member(each, 'answered'))));
  if (late.size === 0 && !refused.some((each) => member(each, 'sourceStart') !== undefined)) return new Map();
  const logs = whole.flatMap((each) => logOf(each) ?? []);
  const known = new Map<string, Log>();
  for (const log of logs) if (isWider(log, known.get(log.runId))) known.set(log.runId, log);
  const sources = new Map(whole.flatMap((each) => [...pairOf(each)]));
  const startOf = (runId: string, depth = 0): number => {
    const source = sources.get(runId);
    const own = known.get(runId)?.numbers[0] ?? Number.POSITIVE_INFINITY;
    return source === undefined || depth > MOST_FORKS ? own : Math.min(own, startOf(source, depth + 1));
  };
  const expired = new Map<string, string>();
  const gone = new Set<string>();
  for (const each of refused) {
    const source = sourceOf(each) ?? '';
    const start = member(each, 'sourceStart');
    const from = typeof start === 'number' ? start : Number.POSITIVE_INFINITY;
    const isGone = start === undefined ? late.has(each) : from > startOf(source);
    if (!isGone) continue;
    gone.add(source);
    const boundary = typeof start === 'number' ? `, from ${start} on they are kept` : '';
    expired.set(
      each.id,
      `the first events of ${source} have expired${boundary}: its fork was refused with ${String(member(each, 'answered'))}`,
    );
  }
  for (const { each, runId, numbers, after } of logs) {
    if (!late.has(each) && !gone.has(runId)) continue;
    const [first = Number.POSITIVE_INFINITY] = numbers;
    const [all, shown] = [known.get(runId)?.numbers ?? [], new Set(numbers)];
    const start = after === undefined ? startOf(runId) : (all.find((number) => number > after) ?? first);
    if (first <= start || all.some((number) => number >= first && !shown.has(number))) continue;
    gone.add(runId);
    expired.set(each.id, `the events of ${runId} from ${start} on have expired, up to ${numbers[0] ?? 'its end'}`);
  }
  for (const each of whole) {
    const sent = String(member(each, 'sent'));
    const isRefused = isExpired(Number(member(member(each, 'answer'), 'status')));
    const source = isRefused ? [...gone].find((runId) => sent.endsWith(`/${runId}:fork`)) : undefined;
    if (source !== undefined) expired.set(each.id, `the first events of ${source} have expired: its fork was refused`);
  }
  return expired;
}

/** Scenarios that let data go by a seam. */
const TAKEN_FROM = /^(?:privacy|retention)\./u;
/** Forks of forks that are followed to the first source. */
const MOST_FORKS = 100;

/** A log as it was read: the numbers of its events, in order. */
interface Log {
  readonly each: Seen;
  readonly runId: string;
  readonly numbers: readonly number[];
  /** Where it was resumed. */
  readonly after: number | undefined;
  readonly isWhole: boolean;
}

function logOf(each: Seen): Log | undefined {
  const [runId, events, after] = ['runId', 'events', 'after'].map((name) => member(each, name));
  if (typeof runId !== 'string' || !Array.isArray(events) || typeof (member(each, 'problem') ?? null) === 'string')
    return undefined;
  const shown = (event: unknown): Shown =>
    each.type === 'reading' ? (event as Shown) : { id: null, name: null, data: event as Shown['data'] };
  const numbers = events.flatMap((event) => sequenceOf(shown(event)) ?? []).toSorted((a, b) => a - b);
  const isWhole = member(each, 'partial') !== true && member(each, 'cut') !== true;
  return { each, runId, numbers, after: typeof after === 'number' ? after : undefined, isWhole };
}

/** Whether a log begins before one that is known, or holds more from there on. */
function isWider({ numbers, isWhole, after }: Log, known: Log | undefined): boolean {
  const [first] = numbers;
  if (first === undefined || after !== undefined || !isWhole) return false;
  const start = known?.numbers[0] ?? Number.POSITIVE_INFINITY;
  return first < start || (first === start && numbers.length > (known?.numbers.length ?? 0));
}

function sourceOf(each: Seen): string | undefined {
  const source = member(member(each, 'fork'), 'sourceRunId');
  return typeof source === 'string' ? source : undefined;
}

function pairOf(each: Seen): readonly (readonly [runId: string, source: string])[] {
  const [runId, source] = [member(each, 'runId'), sourceOf(each)];
  return typeof runId === 'string' && source !== undefined ? [[runId, source]] : [];
}

/** Whether events that were written in the run may have expired when something was observed, by the policy in the discovery document. */
function mayHaveExpired(evidence: Evidence): (each: Seen) => boolean {
  const [target] = observationsOf(evidence, PLAN).filter(({ type }) => type === 'target');
  const answers = target?.exchanges.map((id) => evidence.exchanges.get(id)?.answer) ?? [];
  const seconds = Math.min(
    ...answers.flatMap((answer) => (answer?.kind === 'response' ? secondsIn(answer.body.text) : [])),
  );
  if (!Number.isFinite(seconds)) return () => false;
  const begin = Date.parse(evidence.run.startedAt) + seconds * 1000;
  return ({ exchanges }) =>
    exchanges.some((id) => {
      const exchange = evidence.exchanges.get(id);
      return exchange !== undefined && Date.parse(exchange.startedAt) + exchange.durationMs >= begin;
    });
}

/** The times in seconds or minutes that a discovery document names in its retention policy: a number with its unit, or a member named so. */
export function secondsIn(document: string): readonly number[] {
  const retention = member(readDiscovery(parsed(document)).replay?.value, 'retention');
  const text = JSON.stringify(retention ?? null);
  const told = [...text.matchAll(TOLD)].map(([, value, unit]) => [value, unit] as const);
  const named = [...text.matchAll(NAMED)].map(([, unit, value]) => [value, unit] as const);
  return [...told, ...named]
    .map(([value, unit = '']) => Number(value) * (/^s/iu.test(unit) ? 1 : 60))
    .filter((seconds) => seconds > 0);
}

const TOLD = /(\d+(?:\.\d+)?)[ -]?(s|secs?|seconds?|m|mins?|minutes?)\b/giu;
const NAMED = /(second|minute)s?":"?(\d+(?:\.\d+)?)/giu;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Judges some checks by the observations that are kept. */
type JudgeAgain = (
  isKept: (each: { readonly id: string }) => boolean,
  only: (check: string) => boolean,
) => readonly Judgement[];

/** Judgements of which none fails by what shows less than there was: by what is left it may fail. */
export function onExpired(
  judgements: readonly Judgement[],
  expired: Expired,
  judgeAgain: JudgeAgain,
): readonly Judgement[] {
  const why = ({ verdict, evidence }: Judgement): string | undefined =>
    verdict === 'fail' ? evidence.map((id) => expired.get(id)).find((text) => text !== undefined) : undefined;
  const touched = new Set(judgements.filter((each) => why(each) !== undefined).map(({ check }) => check));
  if (touched.size === 0) return judgements;
  const left = judgeAgain(
    ({ id }) => !expired.has(id),
    (check) => touched.has(check),
  );
  return judgements.map((each) => {
    const reason = why(each);
    const other = left.find(({ check }) => check === each.check);
    if (reason === undefined || other?.verdict === 'fail') return reason === undefined ? each : (other ?? each);
    const { check, evidence, actual = '' } = each;
    const step = 'keep the events of runs for as long as all scenarios take';
    return {
      check,
      verdict: 'inconclusive',
      reason: `${reason} (${actual}): ${step}`,
      remedies: [{ step }],
      evidence,
    };
  });
}
