import { raw } from 'hono/html';
import type { CheckReport, Report } from '../../contract/report.ts';
import { isStopped, stepText } from '../closing.ts';
import type { EvidenceLines } from '../evidence-lines.ts';
import { checksOf, grouped, reasonOf, whyOf } from '../outcome.ts';
import { text } from '../view/text.tsx';
import { checkLink, SIGNS } from './check.tsx';
import { CrashPicture } from './crash-picture.tsx';
import { Document } from './document.tsx';
import { Headline } from './headline.tsx';
import { cutRuns } from './logs.ts';
import { Register } from './register.tsx';
import { REPORT_SCRIPT } from './script.ts';
import { Suites } from './suites.tsx';

const LISTED = 200;

/** What failed and is not red: known failures and advice. */
function Apart({ report }: { readonly report: Report }) {
  return (
    <>
      {(['known', 'advice'] as const).map((outcome) => {
        const checks = checksOf(report, outcome);
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

const NAMED = 12;
const STEPS = 60;
const REASONS = 100;

/** The red checks as HTML, and how many of them the page has no room for. */
export interface Reds {
  readonly html: readonly string[];
  readonly shown: ReadonlySet<CheckReport>;
  readonly left: number;
}

interface Props {
  readonly report: Report;
  readonly lines: EvidenceLines;
  readonly reds: Reds;
}

/** The whole page. */
export function Page({ report, lines, reds }: Props) {
  const matrix = report.crashMatrix;
  return (
    <Document title={`${text(report.verdict)}: ${text(report.target.baseUrl, 100)}`} script={REPORT_SCRIPT}>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <main id="content" tabindex={-1}>
        <Headline report={report} />
        {isStopped(report) ? null : (
          <>
            <Filter report={report} />
            {reds.shown.size + reds.left === 0 ? null : (
              <section aria-labelledby="red">
                <h2 id="red">{`Failed: ${reds.shown.size + reds.left}`}</h2>
                {raw(reds.html.join('\n'))}
                {reds.left === 0 ? null : (
                  <p>{`${reds.left} more stand in the table below; the JSON report and the evidence have all of them.`}</p>
                )}
              </section>
            )}
            <Steps report={report} />
            <Suites report={report} />
            <Undecided report={report} />
            <Apart report={report} />
            {matrix === undefined ? null : <CrashPicture matrix={matrix} runAt={cutRuns(lines)} />}
            <Register report={report} isAbove={(check) => reds.shown.has(check)} />
          </>
        )}
      </main>
    </Document>
  );
}

/** Shown by the script, which alone can filter. */
function Filter({ report }: Pick<Props, 'report'>) {
  return (
    <form id="filter" class="filter" role="search" hidden>
      <label>
        verdict{' '}
        <select name="verdict">
          <option value="">all</option>
          <option value="red">failed</option>
          <option value="open">inconclusive</option>
          <option value="advice">advice and known</option>
          <option value="passed">passed</option>
          <option value="none">not applicable</option>
        </select>
      </label>
      <label>
        suite{' '}
        <select name="suite">
          <option value="">all</option>
          {report.suites.map(({ id }) => (
            <option value={text(id)}>{text(id)}</option>
          ))}
        </select>
      </label>
      <label>
        level{' '}
        <select name="level">
          <option value="">all</option>
          {['MUST', 'SHOULD', 'MAY'].map((level) => (
            <option value={level}>{level}</option>
          ))}
        </select>
      </label>
      <label>
        words <input name="words" type="search" placeholder="/" autocomplete="off" spellcheck={false} />
      </label>
      <button type="reset">Clear</button>
      <span id="count" role="status" class="muted"></span>
      <span class="help muted">
        <kbd>j</kbd> <kbd>k</kbd> failures
      </span>
    </form>
  );
}

function Steps({ report: { nextSteps } }: Pick<Props, 'report'>) {
  if (nextSteps.length === 0) return null;
  return (
    <section aria-labelledby="next">
      <h2 id="next">Next steps, most first</h2>
      <ol>
        {nextSteps.slice(0, STEPS).map((step) => (
          <li>{text(stepText(step), 600)}</li>
        ))}
        {nextSteps.length > STEPS ? <li class="muted">{`${nextSteps.length - STEPS} more`}</li> : null}
      </ol>
    </section>
  );
}

/** What was not decided by a cause of its own, those of one reason together, the most frequent first. */
function Undecided({ report: { checks } }: Pick<Props, 'report'>) {
  const open = checks.filter(({ verdict, restsOn }) => verdict === 'inconclusive' && restsOn === undefined);
  if (open.length === 0) return null;
  const groups = [...grouped(open, reasonOf)].toSorted((a, b) => b[1].length - a[1].length);
  return (
    <section aria-labelledby="open">
      <h2 id="open">{`Not decided: ${open.length}`}</h2>
      <ul class="plain">
        {groups.slice(0, REASONS).map(([reason, own]) => (
          <Reason reason={reason} ids={own.map(({ id }) => id)} />
        ))}
        {groups.length > REASONS ? <li class="muted">{`${groups.length - REASONS} more reasons`}</li> : null}
      </ul>
    </section>
  );
}

function Reason({ reason, ids }: { readonly reason: string; readonly ids: readonly string[] }) {
  return (
    <li>
      <details>
        <summary>
          <span class="figure">{ids.length}</span> {reason === '' ? 'nothing says why' : text(reason, 600)}
        </summary>
        <p class="inset">
          <Names ids={ids} />
        </p>
      </details>
    </li>
  );
}

function Names({ ids }: { readonly ids: readonly string[] }) {
  const shown = ids.slice(0, NAMED);
  return (
    <span class="muted">
      {shown.map((id, index) => (
        <>
          {index === 0 ? '' : ', '}
          <a href={checkLink(id)}>{text(id)}</a>
        </>
      ))}
      {ids.length > NAMED ? ` and ${ids.length - NAMED} more` : ''}
    </span>
  );
}
