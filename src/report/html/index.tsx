import type { CheckReport, Report } from '../../contract/report.ts';
import type { EvidenceRecord } from '../../evidence/types.ts';
import { evidenceLines, type EvidenceLines } from '../evidence-lines.ts';
import { Cause, type FailureGroup, groupFailures } from './failure-groups.tsx';
import { RedCheck } from './check.tsx';
import { documentText, textOf } from './document.tsx';
import { Page, type Reds } from './page.tsx';

/** What a page may hold, in bytes. */
const PAGE_BYTES = 1_000_000;
const NONE: Reds = { html: [], shown: new Set(), left: 0 };

/**
 * Renders the report as one page for browsers that works from disk and asks for nothing: verdict, failed checks with both sides, what rests on
 * them and what was recorded, next steps, crash matrix, all suites. At most 1 MB: beyond that, what was recorded is left to the
 * evidence, then whole checks to the table. Whatever a host sent stands as text.
 */
export function renderHtml(report: Report, records: readonly EvidenceRecord[] = []): string {
  const lines = evidenceLines(records);
  const pageWith = (reds: Reds): string => documentText(<Page report={report} lines={lines} reds={reds} />);
  const without = pageWith(NONE);
  const room = PAGE_BYTES - Buffer.byteLength(without);
  return pageWith(redsIn(report, lines, room));
}

/** The red checks by their causes: all of them without what was recorded first, then that of each as far as the room goes. */
function redsIn(report: Report, lines: EvidenceLines, room: number): Reds {
  const groups = groupFailures(report);
  const shown = new Map<CheckReport, string>();
  let left = room - RESERVED_BYTES;
  const show = (group: FailureGroup, check: CheckReport, isWhole: boolean): void => {
    const html = textOf(<RedCheck check={check} cause={group.title} report={report} lines={lines} isWhole={isWhole} />);
    const bytes = Buffer.byteLength(html) - Buffer.byteLength(shown.get(check) ?? '');
    if (bytes > left) return;
    left -= bytes + 1;
    shown.set(check, html);
  };
  for (const group of groups) {
    left -= Buffer.byteLength(textOf(<Cause group={group} html="" />));
    for (const check of group.checks) show(group, check, false);
  }
  for (const group of groups) for (const check of group.checks) if (shown.has(check)) show(group, check, true);
  const html = groups.flatMap((group) => {
    const own = group.checks.flatMap((check) => shown.get(check) ?? []);
    return own.length === 0 ? [] : [textOf(<Cause group={group} html={own.join('\n')} />)];
  });
  const all = groups.reduce((sum, { checks }) => sum + checks.length, 0);
  return { html, shown: new Set(shown.keys()), left: all - shown.size };
}

/** For the headings around them. */
const RESERVED_BYTES = 2_000;
