/** Thrown, and the reason of an aborted signal, where evidence has no room left. Named as every aborted request's error is. */
export class EvidenceFull extends Error {
  override readonly name = 'AbortError';
}

/** Counts what a run's evidence takes, and says how much of the next line is kept. */
export interface EvidenceBudget {
  /** How many of a body's kept characters are kept now. */
  keptOfBody(characters: number): number;
  /** Whether the bodies of answers also stay in memory. */
  keepsInMemory(): boolean;
  /** Whether headers are kept now. */
  keepsHeaders(): boolean;
  /** Counts a line. */
  spend(bytes: number): void;
  /** Counts an observation. Throws EvidenceFull where it does not fit. */
  spendOnObservation(scenario: string, bytes: number): void;
  /** Aborts with EvidenceFull when no scenario should be begun any more. */
  readonly full: AbortSignal;
}

const MB = 1_000_000;
/** Up to here the bodies of answers stay in memory too. */
const IN_MEMORY = 20 * MB;
/** From here on bodies are kept as their first KiB, then not at all; their length and digest are kept always. */
const SHORT_FROM = 40 * MB;
const HEADS_FROM = 60 * MB;
/** From here on nothing more is driven. What is under way then may still be recorded. */
const FULL_FROM = 80 * MB;
const MOST = 95 * MB;
/** What one scenario's observations may take. */
const MOST_OF_SCENARIO = 40 * MB;

const SHORT = 1024;

/** Keeps a run's evidence below 100 MB, whatever the host sends. */
export function createEvidenceBudget(): EvidenceBudget {
  const controller = new AbortController();
  const byScenario = new Map<string, number>();
  let used = 0;
  const spend = (bytes: number): void => {
    used += bytes;
    if (used >= FULL_FROM) controller.abort(new EvidenceFull(`the evidence is full: ${FULL_FROM / MB} MB`));
  };
  return {
    full: controller.signal,
    keptOfBody: (characters) => Math.min(characters, used < SHORT_FROM ? Infinity : used < HEADS_FROM ? SHORT : 0),
    keepsInMemory: () => used < IN_MEMORY,
    keepsHeaders: () => used < HEADS_FROM,
    spend,
    spendOnObservation: (scenario, bytes) => {
      const ofScenario = (byScenario.get(scenario) ?? 0) + bytes;
      if (ofScenario > MOST_OF_SCENARIO || used + bytes > MOST) {
        throw new EvidenceFull(`what was observed is too large to be kept: ${Math.ceil(ofScenario / MB)} MB`);
      }
      byScenario.set(scenario, ofScenario);
      spend(bytes);
    },
  };
}
