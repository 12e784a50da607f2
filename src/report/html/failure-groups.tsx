import { raw } from 'hono/html';
import type { CheckReport, Report } from '../../contract/report.ts';
import { outcomeOf } from '../outcome.ts';
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
  const red = report.checks.filter((check) => ['failed', 'broken'].includes(outcomeOf(check, report)));
  const groups = grouped(red, ({ id, diagnosis }) => diagnosis?.code ?? `check ${id}`);
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

/** What has the same key together, keys and checks in their order. */
export function grouped<T>(all: readonly T[], keyOf: (each: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const each of all) {
    const group = groups.get(keyOf(each));
    if (group === undefined) groups.set(keyOf(each), [each]);
    else group.push(each);
  }
  return groups;
}

interface Props {
  readonly group: FailureGroup;
  /** Its checks. */
  readonly html: string;
}

/** What failed for one cause: the cause in plain words, what rests on it, then each check. */
export function Cause({ group: { code, title, checks, resting }, html }: Props) {
  const amount = checks.length === 1 ? '' : `${checks.length} checks fail for it. `;
  const rest = resting === 1 ? '1 check rests on it' : `${resting} checks rest on it`;
  return (
    <section class="cause">
      <h3>
        {code === undefined ? null : <code>{text(code)}</code>} {text(title, 1000)}
      </h3>
      <p class="muted">
        {amount}
        {resting === 0 ? '' : `Fix it first: ${rest}. `}
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
