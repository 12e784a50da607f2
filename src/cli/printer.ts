import { escapeJson, escapePage, escapeTerminal } from '../report/escape.ts';

/** Prints a page on standard output: nothing in it is obeyed by a terminal or by a pipeline's runner. */
export function print(page: string): void {
  process.stdout.write(escapePage(page));
}

/** Prints a program's text of our own on standard output as it is. */
export function printScript(text: string): void {
  process.stdout.write(text);
}

/** Prints a JSON document on standard output, likewise, without changing its value. */
export function printJson(value: unknown, indent?: number): void {
  process.stdout.write(`${escapeJson(JSON.stringify(value, null, indent))}\n`);
}

let lift: (() => void) | undefined;

/** Names what wipes away what is drawn over on standard error, so that what is printed there stands; nothing once that is over. */
export function liftBeforePrinting(wipe: (() => void) | undefined): void {
  lift = wipe;
}

/** Prints a page on standard error, as `print` does. */
export function printError(page: string): void {
  lift?.();
  process.stderr.write(escapePage(page));
}

/** Prints one message on one line of standard error. */
export function printMessage(message: string): void {
  lift?.();
  process.stderr.write(`openwop-conformance: ${escapeTerminal(message)}\n`);
}
