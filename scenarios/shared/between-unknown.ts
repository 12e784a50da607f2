import { unknownLike } from './unknown-id.ts';

/**
 * Sends a request about a run of another tenant between two about runs that there are not, in turn: a clock that shows the same in
 * the answers before and after shows that in the one between them as well.
 */
export async function askBetweenUnknown<Asked>(
  runId: string,
  ask: (row: 'invisible' | 'unknown', name: string) => Promise<Asked>,
): Promise<readonly Asked[]> {
  const before = await ask('unknown', unknownLike(runId, 1));
  const invisible = await ask('invisible', runId);
  return [before, invisible, await ask('unknown', unknownLike(runId, 2))];
}
