import { raw } from 'hono/html';
import { text } from '../view/text.tsx';
import type { FailureGroup } from './failure-groups.ts';

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
