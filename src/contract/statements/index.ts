import { provableSemantics } from './provable-semantics.ts';
import { replay } from './replay.ts';
import { rfc0037 } from './rfc-0037.ts';
import { rfc0041 } from './rfc-0041.ts';
import type { Document } from './statement.ts';

/** The documents, with every statement that they make about hosts. */
export const DOCUMENTS: readonly Document[] = [rfc0041, rfc0037, replay, provableSemantics];

/** The places of the statements that a row of the register holds hosts to, each as document, section and ordinal. */
export function placesOf(row: string): readonly string[] {
  return DOCUMENTS.flatMap(({ name, sections }) =>
    Object.entries(sections).flatMap(([section, statements]) =>
      statements.flatMap((statement, index) =>
        'rows' in statement && statement.rows.includes(row) ? [`${name} ${section} ${index + 1}`] : [],
      ),
    ),
  );
}
