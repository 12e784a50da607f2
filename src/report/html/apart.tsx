import type { Report } from '../../contract/report.ts';
import { outcomeOf, whyOf } from '../outcome.ts';
import { text } from '../view/text.tsx';
import { checkLink, SIGNS } from './check.tsx';

const LISTED = 200;

/** What failed and is not red: known failures and advice. */
export function Apart({ report }: { readonly report: Report }) {
  return (
    <>
      {(['known', 'advice'] as const).map((outcome) => {
        const checks = report.checks.filter((check) => outcomeOf(check, report) === outcome);
        const [sign, , tone] = SIGNS[outcome];
        if (checks.length === 0) return null;
        return (
          <section aria-labelledby={outcome}>
            <h2 id={outcome}>{`${outcome === 'known' ? 'Known failures' : 'Advice'}: ${checks.length}`}</h2>
            <ul class="plain">
              {checks.slice(0, LISTED).map((check) => (
                <li>
                  <span class={`sign ${tone}`} aria-hidden="true">
                    {sign}
                  </span>{' '}
                  <a href={checkLink(check.id)}>{text(check.id)}</a>{' '}
                  <span class="muted">{text(whyOf(check), 400)}</span>
                </li>
              ))}
              {checks.length > LISTED ? <li class="muted">{`${checks.length - LISTED} more`}</li> : null}
            </ul>
          </section>
        );
      })}
    </>
  );
}
