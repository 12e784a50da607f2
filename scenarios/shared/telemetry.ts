import type { Json } from '../../src/evidence/types.ts';

/** Members with durations, usage, times or ids of runs: the documents do not say what a replay shows there. */
const TELEMETRY = [
  /duration|elapsed|latency|usage|tokens|cost|trace|span|timestamp|(?:run|event|interrupt|request)id$/iu,
  /[a-z]At$/u,
];

const DEEPEST = 40;

/** A value without what it tells of its making; `above` is how many levels of it are left as they are. */
export function withoutMaking(value: Json, above = 0): Json {
  return plainer(value, -above);
}

function plainer(value: Json, depth: number): Json {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return value;
  if (Array.isArray(value)) return value.map((each: Json) => plainer(each, depth + 1));
  const kept = Object.entries(value).filter(([name]) => depth < 0 || !TELEMETRY.some((each) => each.test(name)));
  return Object.fromEntries(kept.map(([name, member]) => [name, plainer(member, depth + 1)]));
}
