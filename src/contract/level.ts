/** RFC 2119 strength of a requirement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** Which levels decide the verdict: `must` alone, or `should` too (readings, Verdicts). */
export type DecidingLevel = 'must' | 'should';

/** Whether checks of a level decide; those of the other levels are advice beside the verdict. */
export function decides(level: Level, deciding: DecidingLevel): boolean {
  return level === 'MUST' || (level === 'SHOULD' && deciding === 'should');
}
