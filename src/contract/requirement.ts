/** One row of the requirement register. */
export interface Requirement {
  readonly id: string;
  readonly suite: string;
  readonly level: Level;
  /** The normative sentence, in the project's words. */
  readonly clause: string;
  /** The document and section that it comes from. */
  readonly source: string;
  /** Why no check covers the row, where none is to. */
  readonly excluded?: string;
}

/** RFC 2119 strength of a requirement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY';

/** Which levels decide the verdict: `must` alone, or `should` too (readings, Verdicts). */
export type DecidingLevel = 'must' | 'should';

/** Whether checks of a level decide; those of the other levels are advice beside the verdict. */
export function decides(level: Level, deciding: DecidingLevel): boolean {
  return level === 'MUST' || (level === 'SHOULD' && deciding === 'should');
}
