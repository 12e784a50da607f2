import { showHidden } from '../escape.ts';
import { cut } from '../../evidence/cut.ts';

/** A host's text, in which nothing is hidden or obeyed, cut where it is long. */
export function text(value: string, most = 200): string {
  const shown = showHidden(cut(value, most));
  return value.length <= most ? shown : `${shown}… (${value.length - most} more characters)`;
}

/** A point in time, as the host gave it. */
export function Time({ at }: { readonly at: string | undefined }) {
  if (at === undefined) return <span class="muted">–</span>;
  const isDate = /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/u.test(at) && !Number.isNaN(Date.parse(at));
  return isDate ? <time datetime={at}>{at.replace('T', ' ')}</time> : <span>{text(at, 60)}</span>;
}

const WAITS = /^(?:waiting|paused|pending)/u;
const SIGNS = { good: '✓', bad: '✗', waits: '◷', goes: '▸' };

/** A run's status with a sign, so that it is not told by colour alone. */
export function Status({ status }: { readonly status: string | undefined }) {
  if (status === undefined) return <span class="muted">unknown</span>;
  const tone = status === 'completed' ? 'good' : status === 'failed' ? 'bad' : WAITS.test(status) ? 'waits' : 'goes';
  const shown = status === 'cancelled' ? 'bad' : tone;
  return (
    <span class={`status ${shown}`}>
      <span aria-hidden="true">{SIGNS[shown]}</span> {text(status, 40)}
    </span>
  );
}
