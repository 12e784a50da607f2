/** Strings, and the marks that matter between them. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],]/gsu;

/** A name that one object of a JSON text has twice, as it is spelled: whoever reads the text may see either value. */
export function repeatedName(text: string): string | undefined {
  const above: (Set<string> | undefined)[] = [];
  let names: Set<string> | undefined;
  let isName = false;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') {
      above.push(names);
      names = token === '{' ? new Set() : undefined;
    } else if (token === '}' || token === ']') names = above.pop();
    else if (token !== ',' && isName && names !== undefined) {
      const name = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
      if (names.has(name)) return token;
      names.add(name);
    }
    isName = token === '{' || token === ',';
  }
  return undefined;
}
