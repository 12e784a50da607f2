import { findRequirement } from '../../contract/requirements/index.ts';
import type { CheckReport, Report } from '../../contract/report.ts';
import { exchangesOf, observationsOf, type EvidenceLines } from '../evidence-lines.ts';
import { acceptedBy, checksRest, outcomeOf, type Outcome, restingOn } from '../outcome.ts';
import { Comparison } from '../view/comparison.tsx';
import { text } from '../view/text.tsx';
import type { TreeBudget } from '../view/tree.tsx';
import { ValueDiff } from '../view/value-diff.tsx';
import { Exchanges } from './exchange.tsx';
import { differingLogs } from './logs.ts';
import { type Marked, sidesOf } from './sides.ts';

/** What a check is for a pipeline, as a sign and in words. */
export const SIGNS: Readonly<Record<Outcome, readonly [sign: string, words: string, tone: string]>> = {
  passed: ['✓', 'passed', 'good'],
  failed: ['✗', 'failed', 'bad'],
  broken: ['!', 'error of the harness', 'bad'],
  undecided: ['?', 'inconclusive', 'open'],
  left: ['?', 'inconclusive, does not decide', 'quiet'],
  known: ['≈', 'known', 'quiet'],
  advice: ['i', 'advice', 'open'],
  'not-applicable': ['–', 'not applicable', 'quiet'],
};

const TEXT_CHARACTERS = 4000;
const TREE_NODES = 600;
const NAMED = 60;

/** The link to a check on this page. */
export function checkLink(id: string): string {
  return `#check=${encodeURIComponent(id)}`;
}

interface Props {
  readonly check: CheckReport;
  /** What is said of it above already. */
  readonly cause: string;
  readonly report: Report;
  readonly lines: EvidenceLines;
  /** Whether what was recorded is shown, too: the page has room for it. */
  readonly isWhole: boolean;
}

/** A check that is red, with everything that is known of it. */
export function RedCheck({ check, cause, report, lines, isWhole }: Props) {
  const { id, suite, requirement, level, title, reason, diagnosis, known, reproduce, expected, actual } = check;
  const [sign, words, tone] = SIGNS[outcomeOf(check, report)];
  const clause = findRequirement(requirement);
  const on = restingOn(check, report);
  return (
    <article id={`check=${id}`} class={`red ${tone}`} {...filterable(check, report)}>
      <h4>
        <span class={`sign ${tone}`} aria-hidden="true">
          {sign}
        </span>{' '}
        <a href={checkLink(id)}>{text(id)}</a> <span class="muted">{`${words} · ${level} · ${suite}`}</span>
      </h4>
      {title === cause ? null : <p>{text(title, 400)}</p>}
      {clause === undefined ? null : (
        <p class="clause">
          {clause.clause} <span class="muted">[{clause.source}]</span>
        </p>
      )}
      {diagnosis === undefined || diagnosis.message === cause ? null : (
        <p class="diagnosis">
          <strong>{text(diagnosis.code)}</strong>: {text(diagnosis.message, TEXT_CHARACTERS)}
        </p>
      )}
      {known === undefined ? null : <p class="diagnosis">known: {text(acceptedBy(known), 600)}</p>}
      {expected === undefined && actual === undefined ? null : (
        <Sides expected={expected ?? ''} actual={actual ?? ''} />
      )}
      {reason === undefined ? null : <p>{text(reason, TEXT_CHARACTERS)}</p>}
      {on.length === 0 ? null : <Resting checks={on} />}
      {reproduce === undefined ? null : (
        <>
          <h5>Show it again</h5>
          <pre class="command">{text(reproduce, Infinity)}</pre>
        </>
      )}
      {isWhole ? (
        <Recorded check={check} lines={lines} />
      ) : (
        <p class="muted">What was recorded is in the evidence file.</p>
      )}
    </article>
  );
}

/** What a filter reads off an element of the page. */
export function filterable(check: CheckReport, report: Report) {
  const { id, suite, level, requirement, title, diagnosis } = check;
  return {
    'data-outcome': outcomeOf(check, report),
    'data-suite': text(suite),
    'data-level': level,
    'data-text': text([id, requirement, title, diagnosis?.code ?? ''].join(' ').toLowerCase(), 600),
  };
}

function Sides({ expected, actual }: { readonly expected: string; readonly actual: string }) {
  const sides = sidesOf(expected, actual);
  if (sides.kind === 'text') {
    return (
      <dl class="two sided">
        <dt>expected</dt>
        <dd>
          <Part marked={sides.expected} tag="del" />
        </dd>
        <dt>actual</dt>
        <dd>
          <Part marked={sides.actual} tag="ins" />
        </dd>
      </dl>
    );
  }
  const [before, after] = sides.before;
  return (
    <>
      <dl class="two">
        <dt>expected</dt>
        <dd>{text(before, 600)}</dd>
        <dt>actual</dt>
        <dd>{text(after, 600)}</dd>
      </dl>
      <ValueDiff before={sides.expected} after={sides.actual} budget={{ left: TREE_NODES }} />
    </>
  );
}

function Part({ marked: { start, middle, end }, tag: Tag }: { readonly marked: Marked; readonly tag: 'del' | 'ins' }) {
  return (
    <code>
      {text(start, TEXT_CHARACTERS)}
      {middle === '' ? null : <Tag>{text(middle, TEXT_CHARACTERS)}</Tag>}
      {text(end, TEXT_CHARACTERS)}
    </code>
  );
}

function Resting({ checks }: { readonly checks: readonly CheckReport[] }) {
  return (
    <details class="block">
      <summary>{checksRest(checks.length)} on this: fix it first</summary>
      <ul class="names">
        {checks.slice(0, NAMED).map(({ id }) => (
          <li>
            <a href={checkLink(id)}>{text(id)}</a>
          </li>
        ))}
        {checks.length > NAMED ? <li class="muted">{`${checks.length - NAMED} more`}</li> : null}
      </ul>
    </details>
  );
}

function Recorded({ check, lines }: Pick<Props, 'check' | 'lines'>) {
  const logs = differingLogs(observationsOf(check, lines));
  const budget: TreeBudget = { left: TREE_NODES };
  return (
    <>
      {logs === undefined ? null : (
        <details class="block" open>
          <summary>The logs side by side</summary>
          <Comparison comparison={logs} name={`${check.id}:`} level={5} budget={budget} />
        </details>
      )}
      <Exchanges all={exchangesOf(check, lines)} />
    </>
  );
}
