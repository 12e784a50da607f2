/** Declared volatile places below a value: a member's name leads to more places, or to `true` where the value is one. */
export type VolatilePlaces = ReadonlyMap<string, VolatilePlaces | true>;

/** Volatile places as declared, or the first pointer that cannot be one and why. */
export type ReadVolatile =
  | { readonly ok: true; readonly places: VolatilePlaces }
  | { readonly ok: false; readonly pointer: string; readonly message: string };

/** Pointers that may be declared. */
const MOST_POINTERS = 1_000;
/** Names that a pointer may go through: no event nests deeper. */
const MOST_NAMES = 256;

/** Members that make the comparison what it is: nobody may declare them volatile. */
const KEPT = new Set(['eventId', 'type', 'sequence', 'seq', 'nodeId', 'causationId']);

/**
 * Reads the JSON pointers (RFC 6901, from the event's root) of fields that a vendor documents as volatile. A whole payload
 * is refused: it would hide regenerated facts.
 */
export function readVolatile(pointers: readonly string[]): ReadVolatile {
  const surplus = pointers[MOST_POINTERS];
  if (surplus !== undefined) {
    return { ok: false, pointer: surplus, message: `is one of more than ${MOST_POINTERS} pointers` };
  }
  const places: Places = new Map();
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
  const names = pointer.slice(1).split('/').map(unescape);
  const [first = '', second] = names;
  if (names.length > MOST_NAMES) return 'goes deeper than any event';
  if (KEPT.has(first)) return 'names a member that is always compared';
  if ((first === 'payload' || first === 'data') && second === undefined) return 'names a whole payload';
  return undefined;
}

function unescape(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}

/** The places while they are being read. */
type Places = Map<string, Places | true>;

function insert(root: Places, tokens: readonly string[]): void {
  let at = root;
  for (const [index, token] of tokens.entries()) {
    const name = index === 0 && token === 'data' ? 'payload' : token;
    const below = at.get(name);
    if (below === true) return;
    if (index === tokens.length - 1) at.set(name, true);
    else if (below === undefined) {
      const next: Places = new Map();
      at.set(name, next);
      at = next;
    } else at = below;
  }
}
