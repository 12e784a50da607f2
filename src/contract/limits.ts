import type { Report } from './report.ts';

/** One thing that makes a run less than a whole one, and what a line has room for besides. */
export interface Limit {
  readonly what: string;
  readonly more: string;
}

/** What of a report says whether a run was whole. */
export type Limited = Pick<Report, 'options' | 'counts'> &
  Partial<Pick<Report, 'interrupted' | 'endsEarly' | 'excluded' | 'stoppedAfter' | 'ranOutOf'>>;

/** What was not looked at, because the run ended early or somebody asked for less. Not escaped. */
export function limitsOf({ options, counts, excluded = [], ...ended }: Limited): readonly Limit[] {
  const { interrupted, endsEarly, stoppedAfter, ranOutOf } = ended;
  const shard = shardIn(options['shard']);
  const isEmpty = Object.values(counts).every((amount) => amount === 0);
  const missed = stoppedAfter?.checksNotReached === 1 ? '1 check' : `${stoppedAfter?.checksNotReached ?? 0} checks`;
  const all: readonly (Limit | false)[] = [
    interrupted !== undefined && limit(`interrupted by ${interrupted}`),
    endsEarly === true && limit('the evidence ends early'),
    ranOutOf === 'time' && limit('out of time', ' (--max-time)'),
    ranOutOf === 'evidence' && limit('out of room for evidence'),
    options['lastFailed'] === true && limit('only what had failed', ' (--last-failed)'),
    shard !== undefined &&
      limit(`shard ${shard}${isEmpty ? ', nothing fell to it' : ''}`, ' (merge says what the whole run is)'),
    excluded.length > 0 && limit(`excluded: ${excluded.join(', ')}`),
    stoppedAfter !== undefined &&
      limit(`stopped after ${stoppedAfter.failures} failed`, ` with ${missed} not reached (--max-failures)`),
  ];
  return all.filter((each) => each !== false);
}

/** Whether a run, or its evidence, ended before all was driven: it is never conformant. */
export function wasCutShort({ interrupted, endsEarly, stoppedAfter, ranOutOf }: Partial<Report>): boolean {
  return interrupted !== undefined || endsEarly === true || stoppedAfter !== undefined || ranOutOf !== undefined;
}

function limit(what: string, more = ''): Limit {
  return { what, more };
}

/** `2 of 3`; undefined where the run is no shard. */
function shardIn(shard: unknown): string | undefined {
  if (typeof shard !== 'object' || shard === null) return undefined;
  return ['index', 'of'].map((name) => Number(Reflect.get(shard, name))).join(' of ');
}
