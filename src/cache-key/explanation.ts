import type { Candidate } from './candidate.ts';

/** Wrong rules that give a key, in words and as data. */
export interface Explanation {
  /** The catalogue's names, each once. */
  readonly codes: readonly string[];
  readonly message: string;
  /** Requirement ids that these mistakes break besides `cache-key.reproducible-offline`. */
  readonly breaks: readonly string[];
}

/** What a candidate says about the host that it explains. */
export function explain({ parts }: Candidate): Explanation {
  const labels = new Map<string, string[]>();
  for (const { rule, variant } of parts) {
    const known = labels.get(rule.message) ?? [];
    labels.set(rule.message, variant.label === '' ? known : [...known, variant.label]);
  }
  return {
    codes: [...new Set(parts.map(({ rule }) => rule.code))],
    message: [...labels]
      .map(([message, all]) => (all.length === 0 ? message : `${message}: ${all.join(', ')}`))
      .join('; '),
    breaks: [...new Set(parts.flatMap(({ rule }) => rule.breaks))],
  };
}
