/** A place in a text that readers move forward. */
export interface Cursor {
  readonly text: string;
  at: number;
}

/** Unwinds the reader at the first mistake; never leaves `parseJsonText`. */
export class JsonTextError extends Error {
  readonly offset: number;

  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}
