/** How long evidence is judged, in milliseconds: honest logs of 50,000 events take half of that. */
const JUDGING_MS = 60_000;

/** Says, from now on, whether the time for judging is over. */
export function judgingTime(): () => boolean {
  const end = performance.now() + JUDGING_MS;
  return () => performance.now() >= end;
}
