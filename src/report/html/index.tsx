import type { CheckReport, Report } from '../../contract/report.ts';
import type { EvidenceRecord } from '../../evidence/types.ts';
import { evidenceLines, type EvidenceLines } from '../evidence-lines.ts';
import { Cause } from './cause.tsx';
import { RedCheck } from './check.tsx';
import { groupFailures } from './failure-groups.ts';
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
  const without = pageOf({ report, lines, reds: NONE });
  const room = PAGE_BYTES - Buffer.byteLength(without);
  return pageOf({ report, lines, reds: redsIn(report, lines, room) });
}

function pageOf(props: Parameters<typeof Page>[0]): string {
  return `<!doctype html>\n${textOf(<Page {...props} />)}\n`;
}

/** No component of the page waits for anything. */
function textOf(element: object): string {
  // oxlint-disable-next-line typescript/no-base-to-string
  return element.toString();
}

/** The red checks by their causes, as much of each as the room that is left takes. */
function redsIn(report: Report, lines: EvidenceLines, room: number): Reds {
  const shown = new Set<CheckReport>();
  let left = room - RESERVED_BYTES;
  let missing = 0;
  const html = groupFailures(report).map((group) => {
    const articles: string[] = [];
    left -= Buffer.byteLength(textOf(<Cause group={group} html="" />));
    for (const check of group.checks) {
      const fitting = [true, false]
        .map((isWhole) =>
          textOf(<RedCheck check={check} cause={group.title} report={report} lines={lines} isWhole={isWhole} />),
        )
        .find((each) => Buffer.byteLength(each) <= left);
      if (fitting === undefined) {
        missing += 1;
        continue;
      }
      left -= Buffer.byteLength(fitting) + 1;
      shown.add(check);
      articles.push(fitting);
    }
    return articles.length === 0 ? '' : textOf(<Cause group={group} html={articles.join('\n')} />);
  });
  return { html, shown, left: missing };
}

/** For the headings around them. */
const RESERVED_BYTES = 2_000;
