/** Resolves at SIGINT, SIGTERM or SIGHUP, and with `withStdin` also when standard input ends. */
export function untilStopped(withStdin = false): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => resolve());
    if (withStdin) process.stdin.resume().once('close', () => resolve());
  });
}
