/** One normative statement of a document, in the project's words, with its rows in the register or why it has none. */
export type Statement =
  | { readonly says: string; readonly rows: readonly string[] }
  | { readonly says: string; readonly none: string };

/** Statements by the names that the document gives to its sections, in its order: their ordinals count from 1. */
export type Sections = Readonly<Record<string, readonly Statement[]>>;

/** A document that demands something of hosts. */
export interface Document {
  /** The name that the register's sources use. */
  readonly name: string;
  readonly title: string;
  readonly sections: Sections;
}

/** A statement that rows of the register hold hosts to. */
export function held(says: string, ...rows: readonly string[]): Statement {
  return { says, rows };
}

/** A statement that no row holds hosts to, and why. */
export function left(says: string, none: string): Statement {
  return { says, none };
}

/** Why statements have no row. */
export const PERMISSION = 'a permission: hosts that use it pass, and so do those that do not';
export const DESCRIPTION = 'describes or explains: demands nothing';
export const AUTHORS = 'speaks to authors of nodes or workflows, not to hosts';
export const OPERATORS = 'speaks to operators, not to hosts';
export const INSIDE = 'cannot be seen from outside';
export const PROCESS = 'speaks of the document, its schemas or its tests, not of hosts';
