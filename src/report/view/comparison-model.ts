import type { RunHead } from './timeline/model.ts';

/** An event as one side of a comparison shows it. */
interface Side {
  readonly sequence: number;
  readonly type: string;
  readonly nodeId?: string;
  readonly payload: unknown;
}

/** One place of the alignment; a `note` is an event about the replay, which counts for nothing. */
export interface PairRow {
  readonly kind: 'same' | 'changed' | 'missing' | 'extra' | 'note';
  readonly source?: Side;
  readonly replay?: Side;
  /** JSON pointers of the places at which the payloads differ, the own run's id apart. */
  readonly marks?: readonly string[];
}

/** Where two logs part first. */
export interface FirstDivergence {
  readonly name: string;
  readonly meaning: string;
  /** JSON pointer in the event; empty for the whole event. */
  readonly pointer: string;
  readonly alsoAt: readonly string[];
  readonly sequence: { readonly source: number | null; readonly replay: number | null };
  readonly source?: unknown;
  readonly replay?: unknown;
}

/** Two logs side by side. */
export interface Comparison {
  readonly source: RunHead;
  readonly replay: RunHead;
  readonly rows: readonly PairRow[];
  /** Rows that are not shown, before and behind. */
  readonly left: { readonly before: number; readonly after: number };
  readonly matched?: number;
  readonly compared?: number;
  readonly masks?: readonly string[];
  readonly renamedIds?: number;
  /** Whether there are more differences than are marked. */
  readonly onlyFirstMarked?: boolean;
  readonly first?: FirstDivergence;
  /** Which log cannot be read, and why. */
  readonly unreadable?: string;
}
