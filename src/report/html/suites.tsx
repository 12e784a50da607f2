import type { Report } from '../../contract/report.ts';
import { text } from '../view/text.tsx';

const WIDTH = 1000;

/** Each suite with its verdict and its figures, and why one was not judged. */
export function Suites({ report: { suites } }: { readonly report: Report }) {
  if (suites.length === 0) return null;
  return (
    <section aria-labelledby="suites">
      <h2 id="suites">Suites</h2>
      <div class="scroll" tabindex={0} role="region" aria-label="Verdicts and figures of the suites">
        <table class="figures">
          <thead>
            <tr>
              <th scope="col">suite</th>
              <th scope="col">verdict</th>
              {['passed', 'failed', 'inconclusive', 'not applicable', 'errors'].map((name) => (
                <th scope="col" class="figure">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {suites.map(({ id, verdict, counts }) => (
              <tr>
                <th scope="row">
                  <a href={`#suite=${encodeURIComponent(text(id))}`}>{text(id)}</a>
                </th>
                <td>
                  <span class={`verdict ${verdict}`}>{verdict}</span>
                </td>
                {[counts.pass, counts.fail, counts.inconclusive, counts.notApplicable, counts.error].map((count) => (
                  <td class={count === 0 ? 'figure muted' : 'figure'}>{count}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

/** The shares of the verdicts as one bar, beside the figures in words. */
export function Shares({ report: { counts } }: { readonly report: Report }) {
  const { pass, fail, inconclusive, notApplicable, error } = counts;
  const parts = [
    ['good', pass],
    ['bad', fail + error],
    ['open', inconclusive],
    ['quiet', notApplicable],
  ] as const;
  const total = pass + fail + error + inconclusive + notApplicable;
  if (total === 0) return null;
  const before = (index: number): number => parts.slice(0, index).reduce((sum, [, count]) => sum + count, 0);
  return (
    <svg class="shares" viewBox={`0 0 ${WIDTH} 8`} preserveAspectRatio="none" aria-hidden="true" focusable="false">
      {parts.map(([tone, count], index) => (
        <rect
          class={tone}
          x={((before(index) / total) * WIDTH).toFixed(1)}
          y="0"
          width={((count / total) * WIDTH).toFixed(1)}
          height="8"
        />
      ))}
    </svg>
  );
}
