/** readings.md, Wrong keys that have a name. */
export const NAMED_WRONG_KEYS = `
  null-placeholders defaults-filled sampling-omitted tools-omitted response-format-omitted
  extra-field-included key-insertion-order shallow-sort arrays-sorted messages-reordered tools-unsorted
  tools-locale-sorted last-message-only system-ignored provider-omitted model-case-folded content-coalesced
  content-trimmed nfc-applied number-text negative-zero ascii-escaped html-escaped code-point-order
  integer-keys-first proto-key-dropped utf8-replacement uppercase-hex base64 truncated algorithm-prefix
  trailing-newline tenant-in-key request-id-in-key salted recipe-rfc-0150 recipe-null-form
`
  .trim()
  .split(/\s+/);

/** The id of its mutant: `key-insertion-order` is a name of its own; every other one follows the prefix. */
export function mutantOf(code: string): string {
  return code.startsWith('key-') ? code : `key-${code}`;
}
