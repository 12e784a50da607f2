import { text } from './text.tsx';
import { JsonTree, type TreeBudget } from './tree.tsx';

/** A place of two JSON values beside each other; `same` ones have one value, of the others either may be missing. */
type DiffNode =
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

const SIGNS = { changed: '≠', missing: '−', extra: '+' } as const;
const WORDS = { changed: 'changed', missing: 'only expected', extra: 'only there' } as const;

/** Two JSON values as one tree: what differs is marked and open, what is the same is folded. */
export function ValueDiff({ before, after, budget }: Props) {
  return (
    <div class="json diff">
      <Node node={diffJson(before, after)} budget={budget} />
    </div>
  );
}

interface Props {
  readonly before: unknown;
  readonly after: unknown;
  readonly budget: TreeBudget;
}

function Node({ node, budget }: { readonly node: DiffNode; readonly budget: TreeBudget }) {
  budget.left -= 1;
  if (budget.left <= 0) return <span class="muted">…</span>;
  switch (node.kind) {
    case 'same':
      return (
        <details class="same">
          <summary>
            <Name of={node} /> the same
          </summary>
          <JsonTree value={node.value} budget={budget} />
        </details>
      );
    case 'within':
      return (
        <div class="within">
          <Name of={node} />
          {node.isList ? '[' : '{'}
          <ul>
            {node.members.map((member) => (
              <li>
                <Node node={member} budget={budget} />
              </li>
            ))}
          </ul>
          {node.isList ? ']' : '}'}
        </div>
      );
    case 'changed':
    case 'missing':
    case 'extra':
      return (
        <div class={`place ${node.kind}`}>
          <span class="sign" aria-hidden="true">
            {SIGNS[node.kind]}
          </span>
          <span class="unseen">{WORDS[node.kind]}: </span>
          <Name of={node} />
          {'before' in node ? (
            <del>
              <JsonTree value={node.before} budget={budget} />
            </del>
          ) : null}{' '}
          {'after' in node ? (
            <ins>
              <JsonTree value={node.after} budget={budget} />
            </ins>
          ) : null}
        </div>
      );
  }
}

function Name({ of: { name } }: { readonly of: DiffNode }) {
  return name === '' ? null : <span class="name">{text(name, 120)}: </span>;
}
