import { Interrupted, type InterruptSignal } from '../runner/stopped.ts';
import { printMessage } from './printer.ts';

/** 128 and the signal's number, as shells have it. */
export const INTERRUPT_CODES = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 } as const;

/** npx hands a terminal's Ctrl-C on to a process that got it already: what comes so soon is not a second one. */
const SAME_PRESS_MS = 300;

/**
 * Watches for SIGINT, SIGTERM and SIGHUP until the process ends, and for the end of a process that holds a channel to this
 * one, which counts as SIGHUP. The first aborts the returned signal with `Interrupted`; the second ends the process at once.
 */
export function watchForInterrupt(): AbortSignal {
  const controller = new AbortController();
  let first: { readonly name: InterruptSignal; readonly at: number } | undefined;
  const interrupt = (name: InterruptSignal): void => {
    if (first === undefined) {
      first = { name, at: performance.now() };
      printMessage(`${name}: ending the run, what there is will be written; again ends it at once`);
      controller.abort(new Interrupted(name));
    } else if (name !== first.name || performance.now() - first.at >= SAME_PRESS_MS) {
      process.exit(INTERRUPT_CODES[name]);
    }
  };
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) process.on(name, interrupt);
  if (process.channel !== undefined) {
    process.once('disconnect', () => interrupt('SIGHUP'));
    process.channel.unref();
  }
  return controller.signal;
}

/**
 * Has SIGINT, SIGTERM and SIGHUP end the process as they do anyway, after a last line that says how far it got: for a
 * command that has nothing to write then. It dies by the signal, which shells report as 128 and its number: an exit
 * would abort where a thread is within the SQLite driver.
 */
export function endOnInterrupt(state: () => string): void {
  for (const name of ['SIGHUP', 'SIGINT', 'SIGTERM'] as const) {
    process.once(name, () => {
      printMessage(`interrupted by ${name}: ${state()} (exit code ${INTERRUPT_CODES[name]})`);
      process.kill(process.pid, name);
      // No signal ends the first process of a container.
      process.exit(INTERRUPT_CODES[name]);
    });
  }
}

/** Resolves at SIGINT, SIGTERM or SIGHUP, and with `withStdin` also when standard input ends. */
export function untilStopped(withStdin = false): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
    // A pipe that breaks only closes; a file, such as /dev/null, only ends.
    for (const over of withStdin ? ['end', 'close'] : []) process.stdin.once(over, () => resolve());
    if (withStdin) process.stdin.resume();
  });
}
