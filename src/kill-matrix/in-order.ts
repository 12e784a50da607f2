/** Hands rows on in the order of these ids, each as soon as those before it are there. */
export function inOrder<Row extends { readonly id: string }>(
  ids: readonly string[],
  handOn: (row: Row) => void,
): (row: Row) => void {
  const early = new Map<string, Row>();
  let given = 0;
  return (row) => {
    early.set(row.id, row);
    for (let next = early.get(ids[given] ?? ''); next !== undefined; next = early.get(ids[given] ?? '')) {
      given += 1;
      handOn(next);
    }
  };
}
