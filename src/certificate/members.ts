/** Whether an object in a JSON text, whose value this is, has a member twice: readers differ in which of them counts. */
export function hasMemberTwice(text: string, value: unknown): boolean {
  return membersOf(text) !== membersIn(value);
}

/** How many members the text has: a colon outside of a string stands in each, and nowhere else. */
function membersOf(text: string): number {
  let members = 0;
  let isString = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (isString && character === '\\') at += 1;
    else if (character === '"') isString = !isString;
    else if (character === ':' && !isString) members += 1;
  }
  return members;
}

function membersIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const values: readonly unknown[] = Object.values(value);
  return values.reduce<number>((sum, each) => sum + membersIn(each), Array.isArray(value) ? 0 : values.length);
}
