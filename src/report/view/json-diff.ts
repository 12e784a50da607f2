/** A place of two JSON values beside each other; `same` ones have one value, of the others either may be missing. */
export type DiffNode =
  | { readonly kind: 'same'; readonly name: string; readonly value: unknown }
  | {
      readonly kind: 'changed' | 'missing' | 'extra';
      readonly name: string;
      readonly before?: unknown;
      readonly after?: unknown;
    }
  | { readonly kind: 'within'; readonly name: string; readonly isList: boolean; readonly members: readonly DiffNode[] };

const DEEPEST = 40;
/** Members of one object or list that are compared one by one. */
const WIDEST = 200;

/** Aligns two JSON values: objects by the names of their members, lists by place, whatever else as a whole. */
export function diffJson(before: unknown, after: unknown, name = ''): DiffNode {
  return diffAt({ name, before, after }, 0);
}

interface Both {
  readonly name: string;
  readonly before: unknown;
  readonly after: unknown;
}

function diffAt({ name, before, after }: Both, depth: number): DiffNode {
  if (isSame(before, after)) return { kind: 'same', name, value: before };
  const isList = Array.isArray(before);
  if (depth >= DEEPEST || !isComposite(before) || !isComposite(after) || isList !== Array.isArray(after)) {
    return { kind: 'changed', name, before, after };
  }
  const [left, right] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...new Set([...left.keys(), ...right.keys()])];
  if (names.length > WIDEST) return { kind: 'changed', name, before, after };
  const members = names.map((member): DiffNode => {
    if (!right.has(member)) return { kind: 'missing', name: member, before: left.get(member) };
    if (!left.has(member)) return { kind: 'extra', name: member, after: right.get(member) };
    return diffAt({ name: member, before: left.get(member), after: right.get(member) }, depth + 1);
  });
  return { kind: 'within', name, isList, members };
}

function isComposite(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/** Equal as JSON; objects whatever the order of their members. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (!isComposite(a) || !isComposite(b) || Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([name, value]) => right.has(name) && isSame(value, right.get(name)));
}
