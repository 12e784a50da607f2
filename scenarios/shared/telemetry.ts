import type { Json } from '../../src/evidence/types.ts';

/** Members with durations, usage, times or ids of runs: the documents do not say what a replay shows there. */
const TELEMETRY = [
  /duration|elapsed|latency|usage|tokens|cost|trace|span|timestamp|(?:run|event|interrupt|request)id$/iu,
  /[a-z]At$/u,
];

/** Whether the last name of a JSON pointer is one of these. */
export function tellsOfMaking(pointer: string): boolean {
  const name = pointer.slice(pointer.lastIndexOf('/') + 1);
  return TELEMETRY.some((each) => each.test(name));
}

const DEEPEST = 40;

/** A value without what it tells of its making; `above` is how many levels of it are left as they are. */
export function withoutMaking(value: Json, above = 0): Json {
  return plainer(value, -above);
}

/** A run whose events are without that; `above` as it is for one of them. */
export function withoutMakingIn<Run extends { readonly events: readonly Json[] }>(run: Run, above: number): Run {
  return { ...run, events: run.events.map((event) => withoutMaking(event, above)) };
}

function plainer(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((each: Json) => plainer(each, depth + 1));
  const kept = Object.entries(value).filter(([name]) => depth < 0 || !TELEMETRY.some((each) => each.test(name)));
  return Object.fromEntries(kept.map(([name, member]) => [name, plainer(member, depth + 1)]));
}
