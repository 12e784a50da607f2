/** The first characters of a text, `most` of them, without half a surrogate pair where it is cut. */
export function cut(text: string, most: number): string {
  return text.length <= most ? text : text.slice(0, most).replace(/[\ud800-\udbff]$/u, '');
}
