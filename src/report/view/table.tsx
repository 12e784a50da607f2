import type { Child } from 'hono/jsx';

interface Props {
  readonly columns: readonly Child[];
  readonly children?: Child;
}

/** The head of a table with a name for each column, and its bodies. */
function Named({ columns, kind, children }: Props & { readonly kind?: string }) {
  return (
    <table class={kind}>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{column}</th>
          ))}
        </tr>
      </thead>
      {children}
    </table>
  );
}

/** A table with a name for each column. */
export function Table({ columns, children }: Props) {
  return <Named columns={columns}>{children}</Named>;
}

/** The same of a kind that the style sheet knows, which scrolls by itself where the page is narrow. */
export function WideTable({
  kind,
  label,
  columns,
  children,
}: Props & { readonly kind: string; readonly label: string }) {
  return (
    <div class="scroll" tabindex={0} role="region" aria-label={label}>
      <Named kind={kind} columns={columns}>
        {children}
      </Named>
    </div>
  );
}

/** A name and what stands for it in a list of facts. */
export function Fact({
  name,
  isId = false,
  children,
}: {
  readonly name: string;
  readonly isId?: boolean;
  readonly children?: Child;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd class={isId ? 'id' : undefined}>{children}</dd>
    </div>
  );
}
