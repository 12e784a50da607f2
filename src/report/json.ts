import { escapeJson } from './escape.ts';
import type { Report } from '../contract/report.ts';

/** Renders the public JSON report (schemas/report.schema.json). */
export function renderJson(report: Report): string {
  return `${escapeJson(JSON.stringify(report, null, 2))}\n`;
}
