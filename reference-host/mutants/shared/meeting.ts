/** Milliseconds that a request waits for one under the same key. */
const PATIENCE_MS = 50;

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
