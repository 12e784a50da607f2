/** Declared volatile places below a value: a member's name leads to more places, or to `true` where the value is one. */
export type VolatilePlaces = ReadonlyMap<string, VolatilePlaces | true>;

/** Volatile places as declared, or the first pointer that cannot be one and why. */
export type ReadVolatile =
  | { readonly ok: true; readonly places: VolatilePlaces }
  | { readonly ok: false; readonly pointer: string; readonly message: string };

/** Members that make the comparison what it is: nobody may declare them volatile. */
const KEPT = new Set(['eventId', 'type', 'sequence', 'seq', 'nodeId', 'causationId']);

/**
 * Reads the JSON pointers (RFC 6901, from the event's root) of fields that a vendor documents as volatile. A whole payload
 * is refused: it would hide regenerated facts.
 */
export function readVolatile(pointers: readonly string[]): ReadVolatile {
  const places = new Map<string, VolatilePlaces | true>();
  for (const pointer of pointers) {
    const message = mistake(pointer);
    if (message !== undefined) return { ok: false, pointer, message };
    insert(places, pointer.slice(1).split('/').map(unescape));
  }
  return { ok: true, places };
}

function mistake(pointer: string): string | undefined {
  if (!pointer.startsWith('/')) return 'is not a JSON pointer from the event’s root, like /payload/latencyMs';
  if (/~(?![01])/u.test(pointer)) return 'has a ~ that is neither ~0 nor ~1';
  const [first = '', second] = pointer.slice(1).split('/').map(unescape);
  if (KEPT.has(first)) return 'names a member that is always compared';
  if ((first === 'payload' || first === 'data') && second === undefined) return 'names a whole payload';
  return undefined;
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

function insert(root: Map<string, VolatilePlaces | true>, tokens: readonly string[]): void {
  let at = root;
  for (const [index, token] of tokens.entries()) {
    const name = index === 0 && token === 'data' ? 'payload' : token;
    const below = at.get(name);
    if (below === true) return;
    if (index === tokens.length - 1) at.set(name, true);
    else {
      const next = new Map(below);
      at.set(name, next);
      at = next;
    }
  }
}
