import type { Child } from 'hono/jsx';
import { findRequirement } from '../../contract/requirements/index.ts';
import type { CheckReport, Report, SuiteReport } from '../../contract/report.ts';
import { outcomeOf } from '../outcome.ts';
import { WideTable } from '../view/table.tsx';
import { text } from '../view/text.tsx';
import { checkLink, filterable, SIGNS } from './check.tsx';

const REASON_CHARACTERS = 400;

interface Props {
  readonly report: Report;
  /** The checks that stand on the page with all that is known of them. */
  readonly isAbove: (check: CheckReport) => boolean;
}

/** All suites with their requirements and checks. */
export function Register({ report, isAbove }: Props) {
  return (
    <section aria-labelledby="all">
      <h2 id="all">All suites</h2>
      {report.suites.map((suite) => (
        <Suite suite={suite} report={report} isAbove={isAbove} />
      ))}
    </section>
  );
}

function Suite({ suite, report, isAbove }: Props & { readonly suite: SuiteReport }) {
  const checks = report.checks.filter((check) => check.suite === suite.id);
  const name = text(suite.id);
  const { pass, fail, inconclusive, notApplicable, error } = suite.counts;
  const counts = [
    [pass, 'passed'],
    [fail, 'failed'],
    [inconclusive, 'inconclusive'],
    [notApplicable, 'not applicable'],
    [error, 'errors'],
  ] as const;
  const requirements = [...new Set(checks.map(({ requirement }) => requirement))];
  return (
    <details
      id={`suite=${name}`}
      class="suite"
      data-of={name}
      open={suite.verdict === 'non-conformant' || suite.verdict === 'error'}
    >
      <summary>
        <strong>{name}</strong> <span class={`verdict ${suite.verdict}`}>{suite.verdict}</span>{' '}
        <span class="muted">
          {counts
            .filter(([count]) => count > 0)
            .map(([count, words]) => `${count} ${words}`)
            .join(', ')}
        </span>
      </summary>
      <WideTable kind="register" label={`Checks of ${name}`} columns={['Verdict', 'Check', 'What it says']}>
        {requirements.map((id) => (
          <Requirement id={id}>
            {checks
              .filter(({ requirement }) => requirement === id)
              .map((check) => (
                <Row check={check} report={report} isAbove={isAbove} />
              ))}
          </Requirement>
        ))}
      </WideTable>
    </details>
  );
}

function Requirement({ id, children }: { readonly id: string; readonly children?: Child }) {
  const row = findRequirement(id);
  return (
    <tbody>
      <tr class="requirement">
        <th scope="rowgroup" colspan={3}>
          {text(id)}{' '}
          {row === undefined ? null : <span class="muted">{`${row.level}: ${row.clause} [${row.source}]`}</span>}
        </th>
      </tr>
      {children}
    </tbody>
  );
}

function Row({ check, report, isAbove }: Props & { readonly check: CheckReport }) {
  const { id, title, reason, restsOn } = check;
  const [sign, words, tone] = SIGNS[outcomeOf(check, report)];
  const place = isAbove(check) ? {} : { id: `check=${id}` };
  return (
    <tr {...place} {...filterable(check, report)}>
      <td class={`sign ${tone}`}>
        <span aria-hidden="true">{sign}</span> {words}
      </td>
      <td>
        <a href={checkLink(id)}>{text(id)}</a>
      </td>
      <td>
        {text(title, 400)}
        {restsOn === undefined ? null : (
          <p class="muted">
            rests on <a href={checkLink(restsOn)}>{text(restsOn)}</a>
          </p>
        )}
        {reason === undefined ? null : <p class="muted">{text(reason, REASON_CHARACTERS)}</p>}
      </td>
    </tr>
  );
}
