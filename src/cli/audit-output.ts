import { appendFileSync, writeFileSync } from 'node:fs';
import type { AuditHead } from '../audit/head.ts';
import type { AuditLine } from '../audit/line.ts';
import { redactJson, type Redactor } from '../evidence/redact.ts';
import { escapeJson } from '../report/escape.ts';
import { isStandardOutput } from './files.ts';
import { keep } from './kept.ts';
import { print } from './printer.ts';

/** Writes an audit's lines, each as a whole. */
export type WriteLine = (line: AuditLine | { readonly audit: AuditHead }) => void;

/**
 * Where an audit's lines go: a file, emptied where the audit does not go on with it, or standard output. Throws the file
 * system's error; the writer throws LostError.
 */
export function openAuditOutput(path: string, goesOn: boolean): WriteLine {
  if (isStandardOutput(path)) return (line) => print(textOf(line));
  if (!goesOn) writeFileSync(path, '');
  return (line) => keep('the lines', path, () => appendFileSync(path, textOf(line)));
}

function textOf(line: Parameters<WriteLine>[0]): string {
  return `${escapeJson(JSON.stringify(line))}\n`;
}

/** A line without credentials. What is listed is the caller's own; all else may be a text of the host. */
export function redactedLine(line: AuditLine, redact: Redactor): AuditLine {
  const withoutCredentials = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? redactJson(value, redact) : value;
  return { ...(JSON.parse(JSON.stringify(line), withoutCredentials) as AuditLine), id: line.id };
}
