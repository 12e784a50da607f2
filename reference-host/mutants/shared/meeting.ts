import type { Parts } from '../mutant.ts';
import { forking, type ForkCall } from './fork-parts.ts';

/** Milliseconds that a request waits for one under the same key. */
const PATIENCE_MS = 300;

/**
 * Lets requests under one key meet: the first waits until a second one comes, or its patience ends. Says who came first.
 */
export function createMeeting(): (key: string) => Promise<'first' | 'later'> {
  const waiting = new Map<string, () => void>();
  return async (key) => {
    const met = waiting.get(key);
    if (met !== undefined) {
      met();
      return 'later';
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, PATIENCE_MS);
      waiting.set(key, () => {
        clearTimeout(timer);
        resolve();
      });
    });
    waiting.delete(key);
    return 'first';
  };
}

/** Answers otherwise the second of two requests for forks under one key that meet. */
export function whereTwoMeet(later: (call: ForkCall) => Response | Promise<Response>): Parts {
  return () => {
    const meet = createMeeting();
    const made = new Set<string>();
    return forking(async (call) => {
      const key = call.headers.get('idempotency-key') ?? '';
      if (key === '' || made.has(key)) return call.send();
      const response = await ((await meet(key)) === 'later' ? later(call) : call.send());
      made.add(key);
      return response;
    })();
  };
}
