import type { AuditLine } from '../audit/line.ts';
import { redactJson, type Redactor } from '../evidence/redact.ts';

/** A line without credentials. What is listed is the caller's own; all else may be a text of the host. */
export function redactedLine(line: AuditLine, redact: Redactor): AuditLine {
  const withoutCredentials = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? redactJson(value, redact) : value;
  return { ...(JSON.parse(JSON.stringify(line), withoutCredentials) as AuditLine), id: line.id };
}
