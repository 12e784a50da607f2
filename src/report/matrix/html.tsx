import { Document, documentText } from '../html/document.tsx';
import { WideTable } from '../view/table.tsx';
import { text } from '../view/text.tsx';
import {
  conclusionOf,
  figuresOf,
  redRows,
  type Cell,
  type MatrixRow,
  type MatrixTarget,
  type TargetMatrix,
} from './matrix.ts';

const SIGNS: Readonly<Record<Cell, readonly [sign: string, tone: string]>> = {
  pass: ['✓', 'good'],
  fail: ['✗', 'bad'],
  known: ['✗', 'open'],
  error: ['!', 'bad'],
  inconclusive: ['?', 'open'],
  'not-applicable': ['–', 'quiet'],
};

/** Renders hosts × requirements as one page for browsers, from disk, without a script and without a network; each host's name leads to its own report beside it. */
export function renderMatrix(matrix: TargetMatrix): string {
  return documentText(<Page matrix={matrix} />);
}

function Page({ matrix }: { readonly matrix: TargetMatrix }) {
  const { targets, requirements, exitCode, interrupted } = matrix;
  const red = redRows(matrix);
  const tone = exitCode === 0 ? 'good' : exitCode === 3 ? 'open' : 'bad';
  const sign = { good: '✓', open: '?', bad: '✗' }[tone];
  return (
    <Document title={conclusionOf(matrix)}>
      <main>
        <header class={`headline ${tone}`}>
          <h1>
            <span aria-hidden="true">{sign}</span> {conclusionOf(matrix)}
          </h1>
          {interrupted === undefined ? null : <p>{`Interrupted by ${interrupted}: not all was done.`}</p>}
        </header>
        <Hosts targets={targets} />
        {red.length === 0 ? null : (
          <Rows id="failed" title={`Failed on a host: ${red.length}`} rows={red} targets={targets} />
        )}
        <Rows id="all" title={`All requirements: ${requirements.length}`} rows={requirements} targets={targets} />
      </main>
    </Document>
  );
}

function Hosts({ targets }: { readonly targets: readonly MatrixTarget[] }) {
  return (
    <WideTable kind="hosts" label="Hosts" columns={['name', 'host', 'build', 'verdict', 'figures']}>
      <tbody>
        {targets.map((target) => (
          <tr>
            <th scope="row">
              <Name target={target} />
            </th>
            <td>{text(target.baseUrl)}</td>
            <td>{text(target.implementation ?? '–')}</td>
            <td>
              <span class={`verdict ${target.verdict}`}>{target.verdict}</span>
            </td>
            <td>{text(figuresOf(target), 600)}</td>
          </tr>
        ))}
      </tbody>
    </WideTable>
  );
}

/** Leads to the host's own report, where there is one. */
function Name({ target: { name, counts } }: { readonly target: MatrixTarget }) {
  return counts === undefined ? <>{text(name)}</> : <a href={`./${encodeURIComponent(name)}.html`}>{text(name)}</a>;
}

interface RowsProps {
  readonly id: string;
  readonly title: string;
  readonly rows: readonly MatrixRow[];
  readonly targets: readonly MatrixTarget[];
}

function Rows({ id, title, rows, targets }: RowsProps) {
  const names = targets.map((target) => <Name target={target} />);
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <WideTable kind="figures" label={`Table: ${title}`} columns={['Requirement', ...names]}>
        <tbody>
          {rows.map((row) => (
            <tr>
              <th scope="row">
                {text(row.id)} <span class="muted">{row.level}</span>
              </th>
              {targets.map(({ name }) => (
                <Shown cell={row.cells[name]} />
              ))}
            </tr>
          ))}
        </tbody>
      </WideTable>
    </section>
  );
}

function Shown({ cell }: { readonly cell: Cell | undefined }) {
  if (cell === undefined) return <td class="muted">not judged</td>;
  const [sign, tone] = SIGNS[cell];
  return (
    <td class={`sign ${tone}`}>
      <span aria-hidden="true">{sign}</span> {cell}
    </td>
  );
}
