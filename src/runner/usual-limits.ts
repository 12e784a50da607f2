/** What a host is driven with where nothing else is asked for: how long it may take for one answer, in milliseconds, and requests at once. */
export const USUAL_LIMITS = { timeout: 10_000, concurrency: 8 } as const;
