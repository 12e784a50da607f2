/** The two checks that every wrong digest turns red: one over the golden vectors, one over the generated requests. */
export const OFFLINE = ['cache-key.reproducible-offline.golden', 'cache-key.reproducible-offline.generated'] as const;
