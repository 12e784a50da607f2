import { text } from './text.tsx';

/** Nodes that trees of one page may have left. */
export interface TreeBudget {
  left: number;
}

const DEEPEST = 40;
/** Members of one object or list that are shown. */
const WIDEST = 200;
/** Levels that are unfolded from the start. */
const OPEN_TO = 2;

/** A JSON value as a tree that folds and unfolds without a script. */
export function JsonTree({ value, budget, name, marks = [], pointer = '', depth = 0 }: Props) {
  budget.left -= 1;
  const label = (
    <>
      {marks.includes(pointer) ? <Mark /> : null}
      {name === undefined ? null : <span class="name">{`${text(name, 120)}: `}</span>}
    </>
  );
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) {
    return (
      <span class="json">
        {label}
        <Leaf value={value} />
      </span>
    );
  }
  const isList = Array.isArray(value);
  const size = `${entries.length} ${isList ? 'element' : 'member'}${entries.length === 1 ? '' : 's'}`;
  if (budget.left <= 0 || depth >= DEEPEST) {
    return (
      <span class="json muted">
        {label}
        {`${size}, not shown here`}
      </span>
    );
  }
  return (
    <details class="json" open={depth < OPEN_TO || marks.some((mark) => mark.startsWith(`${pointer}/`))}>
      <summary>
        {label}
        {isList ? `[ ${size} ]` : `{ ${size} }`}
      </summary>
      <ul>
        {entries.slice(0, WIDEST).map(([each, member]) => (
          <li>
            <JsonTree
              value={member}
              name={each}
              budget={budget}
              marks={marks}
              pointer={`${pointer}/${each.replaceAll('~', '~0').replaceAll('/', '~1')}`}
              depth={depth + 1}
            />
          </li>
        ))}
        {entries.length > WIDEST ? <li class="muted">{`… ${entries.length - WIDEST} more`}</li> : null}
      </ul>
    </details>
  );
}

interface Props {
  readonly value: unknown;
  readonly budget: TreeBudget;
  /** The member that it is of the value around it. */
  readonly name?: string;
  /** JSON pointers of the places that are marked as different: what they stand in is unfolded. */
  readonly marks?: readonly string[];
  /** Where the value itself stands. */
  readonly pointer?: string;
  readonly depth?: number;
}

function Mark() {
  return (
    <span class="mark">
      <span aria-hidden="true">≠ </span>
      <span class="unseen">different: </span>
    </span>
  );
}

const LONGEST = 4000;

function Leaf({ value }: { readonly value: unknown }) {
  if (typeof value === 'object' && value !== null)
    return <span class="leaf">{Array.isArray(value) ? '[]' : '{}'}</span>;
  if (value === undefined) return <span class="muted">nothing</span>;
  return <span class={`leaf ${value === null ? 'null' : typeof value}`}>{text(JSON.stringify(value), LONGEST)}</span>;
}
