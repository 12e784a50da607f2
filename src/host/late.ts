import { repeatPaced } from './paced.ts';
import type { Probe } from './probe.ts';

/** How long what a host shows of a run that has ended may be behind its stream, in milliseconds. */
export const LATE_MS = 1500;

/** What may be behind: each is written for itself. */
type Shown = 'snapshot' | 'values' | 'json' | 'poll' | 'annotations';

/** Scenarios in which something did not come, and hosts, by what is known of their runs, on which it did come late. */
interface Known {
  readonly inVain: WeakSet<AbortSignal>;
  readonly late: WeakSet<object>;
}

const known: Readonly<Record<Shown, Known>> = {
  snapshot: nothing(),
  values: nothing(),
  json: nothing(),
  poll: nothing(),
  annotations: nothing(),
};

function nothing(): Known {
  return { inVain: new WeakSet(), late: new WeakSet() };
}

/**
 * Reads something again for a while where it is behind: a host may write it a little later than it streams events. Once in vain is
 * enough for a scenario, but for a host that was seen to be late: it may be slower where much is going on.
 */
export async function untilCaughtUp<Read>(
  { signal, standstill }: Pick<Probe, 'signal' | 'standstill'>,
  shown: Shown,
  { read, isBehind }: { readonly read: () => Promise<Read>; readonly isBehind: (read: Read) => boolean },
): Promise<Read> {
  const { inVain, late } = known[shown];
  let wasBehind = false;
  const isLate = standstill !== undefined && late.has(standstill);
  const patienceMs = inVain.has(signal) && !isLate ? 0 : LATE_MS;
  const last = await repeatPaced(
    read,
    (each) => {
      const isNow = isBehind(each);
      wasBehind ||= isNow;
      return !isNow;
    },
    { patienceMs, signal },
  );
  if (!wasBehind || signal.aborted) return last;
  if (isBehind(last)) inVain.add(signal);
  else if (standstill !== undefined) late.add(standstill);
  return last;
}
