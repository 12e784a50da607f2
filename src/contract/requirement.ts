import type { Level } from './level.ts';

/** One row of the requirement register. */
export interface Requirement {
  readonly id: string;
  readonly suite: string;
  readonly level: Level;
  /** What a host must advertise for the row to apply; `-` for always. */
  readonly gate: string;
  /** The normative sentence, in the project's words. */
  readonly clause: string;
  /** The document and section that it comes from. */
  readonly source: string;
  /** Why no check covers the row, where none is to. */
  readonly excluded?: string;
}
