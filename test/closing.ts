import { afterEach } from 'vitest';

/** Closes, after each test of a file, what was opened in it: gives what it is given. */
export function closedAfterEach(): <T extends { close(): Promise<unknown> }>(opened: T) => T {
  const all: { close(): Promise<unknown> }[] = [];
  afterEach(async () => {
    await Promise.all(all.splice(0).map((each) => each.close()));
  });
  return (opened) => {
    all.push(opened);
    return opened;
  };
}
