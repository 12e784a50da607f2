import { printError, printMessage } from './printer.ts';

/**
 * Sees to it that the process ends with an exit code of ours, whatever happens: 4 for what was thrown where nobody catches it,
 * which Node would end with 1, and for a standard output that takes no more. A reader that has read enough is no failure.
 */
export function guardProcess(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    process.stdout.on('error', () => undefined);
    if (error.code !== 'EPIPE') reportLostOutput(error);
  });
  process.stderr.on('error', () => undefined);
  process.on('uncaughtException', (error) => {
    reportInternal(error);
    process.exit(4);
  });
}

/** Says where the harness itself failed. */
export function reportInternal(error: unknown): void {
  printError(`openwop-conformance: internal error: ${error instanceof Error ? error.stack : String(error)}\n`);
}

/** The exit code is 4 whatever is set later. */
function reportLostOutput({ message }: Error): void {
  process.on('exit', () => (process.exitCode = 4));
  printMessage(`lost: standard output: ${message} (exit code 4)`);
}
