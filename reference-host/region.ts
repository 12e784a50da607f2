/** The regions that one data file can be served by. */
export const REGIONS = ['a', 'b'] as const;
export type Region = (typeof REGIONS)[number];

/** How far the wall clock of region b is ahead, in milliseconds: clocks of regions differ (replay.md, Cross-region replay). */
const AHEAD_MS = 7 * 60_000;

/** The wall clock of a region, or of a host without regions, in milliseconds since 1970. Leases go by the machine's clock. */
export function wallClock(region: Region | undefined): () => number {
  return region === 'b' ? () => Date.now() + AHEAD_MS : () => Date.now();
}

/** The region that carries a run out. Runs of a host without regions are region a's. */
export function regionOf(run: { readonly region?: string }): string {
  return run.region ?? REGIONS[0];
}

/** A name for a process, by which its region can be told. */
export function hostName(region: Region | undefined, id: string): string {
  return region === undefined ? id : `${region}:${id}`;
}

/** Whether a process of that name may be alive: it is this one, or one of another region, of which nothing is known here. */
export function mayBeAlive(own: string, other: string): boolean {
  const [ownRegion, otherRegion] = [own, other].map((name) => (/^[a-z]:/.test(name) ? name.charAt(0) : undefined));
  return own === other || (ownRegion !== undefined && otherRegion !== undefined && ownRegion !== otherRegion);
}
