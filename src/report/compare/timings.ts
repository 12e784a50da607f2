import type { Report } from '../../contract/report.ts';

/** A scenario that took another time than the pace of both runs lets expect, in milliseconds. */
export interface Timing {
  readonly scenario: string;
  readonly beforeMs: number;
  readonly afterMs: number;
  /** How many times as long, the machines' pace taken out; below 1 where it took less. */
  readonly ratio: number;
}

/** Shorter ones say nothing about a machine's pace. */
const LEAST_MS = 20;
const MOST_RATIO = 3;
/** Differences below are noise, whatever the ratio. */
const LEAST_DIFFERENCE_MS = 500;
const LISTED = 20;

/**
 * Scenarios that took three times as long, or as short, as the median scenario lets expect, and half a second at least: a machine
 * that is slow as a whole is no finding. The most extreme first.
 */
export function timingsBeyondNoise(before: Report, after: Report): readonly Timing[] {
  const [first, second] = [durations(before), durations(after)];
  const both = [...first].flatMap(([scenario, beforeMs]) => {
    const afterMs = second.get(scenario);
    return afterMs === undefined ? [] : [{ scenario, beforeMs, afterMs }];
  });
  const ratioOf = ({ beforeMs, afterMs }: Omit<Timing, 'ratio'>): number =>
    Math.max(1, afterMs) / Math.max(1, beforeMs);
  const pace = median(both.filter(({ beforeMs, afterMs }) => Math.min(beforeMs, afterMs) >= LEAST_MS).map(ratioOf));
  return both
    .map((each) => ({ ...each, ratio: ratioOf(each) / pace }))
    .filter(({ ratio, beforeMs, afterMs }) => {
      const difference = Math.abs(afterMs - beforeMs * pace);
      return difference >= LEAST_DIFFERENCE_MS && Math.max(ratio, 1 / ratio) >= MOST_RATIO;
    })
    .toSorted((a, b) => Math.abs(Math.log(b.ratio)) - Math.abs(Math.log(a.ratio)))
    .slice(0, LISTED)
    .map((each) => ({ ...each, ratio: Math.round(each.ratio * 100) / 100 }));
}

function durations({ checks }: Report): ReadonlyMap<string, number> {
  return new Map(checks.map(({ scenario, durationMs }) => [scenario, durationMs]));
}

/** 1 where there is nothing to tell it by. */
function median(numbers: readonly number[]): number {
  const sorted = numbers.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 1;
}
