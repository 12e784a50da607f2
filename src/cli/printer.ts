import { escapeJson, escapePage, escapeTerminal } from '../report/escape.ts';

/** Prints a page on standard output: nothing in it is obeyed by a terminal or by a pipeline's runner. */
export function print(page: string): void {
  process.stdout.write(escapePage(page));
}

/** Prints a JSON document on standard output, likewise, without changing its value. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(`${escapeJson(JSON.stringify(value, null, indent))}\n`);
}

/** Prints a page on standard error, as `print` does. */
export function printError(page: string): void {
  process.stderr.write(escapePage(page));
}

/** Prints one message on one line of standard error. */
export function printMessage(message: string): void {
  process.stderr.write(`openwop-conformance: ${escapeTerminal(message)}\n`);
}
