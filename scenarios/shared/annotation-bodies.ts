/** Bodies of an annotation that hosts take: the first one is that of docs/seams.md. */
export function annotationBodies(text: string): readonly object[] {
  return [
    { signal: { kind: 'label', label: text }, note: text },
    { signal: { kind: 'rating', value: 1 }, note: text },
    { rating: 1, comment: text },
  ];
}
