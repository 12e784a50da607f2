import { raw } from 'hono/html';
import type { CheckReport, Report } from '../../contract/report.ts';
import { checksOf, checksRest, grouped } from '../outcome.ts';
import { text } from '../view/text.tsx';

/** Failures of one cause. */
export interface FailureGroup {
  /** The cause's name; undefined where a check alone knows what is wrong. */
  readonly code: string | undefined;
  /** The cause in plain words, without what only one of the failures shows. */
  readonly title: string;
  readonly checks: readonly CheckReport[];
  /** Checks that rest on one of them. */
  readonly resting: number;
}

/** What is red, causes that most rests on first. */
export function groupFailures(report: Report): readonly FailureGroup[] {
  const groups = grouped(checksOf(report, 'failed', 'broken'), ({ id, diagnosis }) => diagnosis?.code ?? `check ${id}`);
  return [...groups.values()]
    .map((checks): FailureGroup => {
      const [first] = checks;
      const messages = checks.flatMap(({ diagnosis }) => diagnosis?.message ?? []);
      const ids = new Set(checks.map(({ id }) => id));
      return {
        code: first?.diagnosis?.code,
        title: messages.toSorted((a, b) => a.length - b.length)[0] ?? first?.title ?? '',
        checks,
        resting: report.checks.filter(({ restsOn }) => restsOn !== undefined && ids.has(restsOn)).length,
      };
    })
    .toSorted((a, b) => b.resting - a.resting);
}

interface Props {
  readonly group: FailureGroup;
  /** Its checks. */
  readonly html: string;
}

/** What failed for one cause: the cause in plain words, what rests on it, then each check. */
export function Cause({ group: { code, title, checks, resting }, html }: Props) {
  const amount = checks.length === 1 ? '' : `${checks.length} checks fail for it. `;
  return (
    <section class="cause">
      <h3>
        {code === undefined ? null : <code>{text(code)}</code>} {text(title, 1000)}
      </h3>
      <p class="muted">
        {amount}
        {resting === 0 ? '' : `Fix it first: ${checksRest(resting)} on it. `}
        {code === undefined ? null : (
          <>
            More: <code>npx openwop-conformance explain {text(code)}</code>
          </>
        )}
      </p>
      {raw(html)}
    </section>
  );
}
