import type { Reporter } from './reporter.ts';

/** The formats of `--reporter`, by name: each is loaded where it is wanted. */
export const REPORTERS: ReadonlyMap<string, () => Promise<Reporter>> = new Map<string, () => Promise<Reporter>>([
  ['terminal', async () => ({ render: (await import('./terminal.ts')).renderTerminal })],
  ['json', async () => ({ render: (await import('./json.ts')).renderJson })],
  ['junit', async () => ({ render: (await import('./junit.ts')).renderJunit })],
]);
