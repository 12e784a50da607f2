import type { HtmlEscapedString, StringBufferWithCallbacks } from 'hono/utils/html';

/** A part of a page that waits for nothing. */
export type Markup = HtmlEscapedString | Promise<HtmlEscapedString>;

/** What JSX makes: an element, which writes itself into a text. */
interface Element {
  toStringToBuffer(buffer: StringBufferWithCallbacks): void;
}

/**
 * The text of an element of which no component waits for anything. Its own `toString` keeps values for those that do, for which
 * Node 20 and 22 follow every promise and timer of the process from then on: a host becomes slower by a sixth with the first page
 * that it shows. For the same reason no page has a `<head>`, an inline `<script>` or an `<svg>` of JSX's, which keep such a value.
 */
export function rendered(element: object): string {
  const buffer = [''] as unknown as StringBufferWithCallbacks;
  (element as Element).toStringToBuffer(buffer);
  const [text] = buffer;
  if (buffer.length > 1 || typeof text !== 'string') throw new Error('a part of the page waits for something');
  return text;
}
