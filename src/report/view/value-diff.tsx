import { diffJson, type DiffNode } from './json-diff.ts';
import { text } from './text.tsx';
import { JsonTree, type TreeBudget } from './tree.tsx';

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
