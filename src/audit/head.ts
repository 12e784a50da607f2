/** What an audit was asked for. The first line of its output says so, as `{"audit": …}`: whoever goes on with that output can tell whose it is. */
export interface AuditHead {
  /** Made anew for each audit; one that is gone on with keeps it. */
  readonly id: string;
  readonly baseUrl?: string;
  /** Where the list of runs was; `-` for standard input. */
  readonly runs?: string;
  readonly pairs?: string;
  readonly shard?: string;
  readonly sample?: number;
  readonly seed?: number;
  readonly volatile?: readonly string[];
}

/** The options that decide what a line says and which lines there are; which runs a list names shows from the lines themselves. */
const OPTIONS = [
  ['--base-url', 'baseUrl'],
  ['--pairs', 'pairs'],
  ['--shard', 'shard'],
  ['--sample', 'sample'],
  ['--seed', 'seed'],
  ['--volatile', 'volatile'],
] as const;

/** The head in a line's JSON value; undefined where the line is none. */
export function headIn(value: unknown): Readonly<Record<string, unknown>> | undefined {
  if (typeof value !== 'object' || value === null || !('audit' in value)) return undefined;
  const { audit } = value;
  return typeof audit === 'object' && audit !== null && 'id' in audit && typeof audit.id === 'string'
    ? { ...audit }
    : undefined;
}

/** In which option an audit that wrote a head differs from this one, in words; undefined where it is the same audit. */
export function otherAudit(before: Readonly<Record<string, unknown>>, now: AuditHead): string | undefined {
  for (const [option, name] of OPTIONS) {
    const [was, is] = [shown(before[name]), shown(now[name])];
    if (was !== is) return `${option}: ${was} there, ${is} here`;
  }
  return undefined;
}

function shown(value: unknown): string {
  return value === undefined ? 'none' : JSON.stringify(value);
}

/** An audit's head in words, a line each, for who reads its page. */
export function describeHead(head: AuditHead): readonly string[] {
  const named = [['--runs', 'runs'] as const, ...OPTIONS];
  return named.flatMap(([option, name]) => {
    const value = head[name];
    return value === undefined ? [] : [`${option} ${typeof value === 'object' ? value.join(' ') : value}`];
  });
}
