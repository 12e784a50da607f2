import { createHash } from 'node:crypto';
import type { ChatAnswer } from '../../src/evidence/witness.ts';
import type { ScenarioOptions } from '../../src/runner/scenario.ts';
import { refusal, valid, type ProgramEntry } from '../shared/seams.ts';

/** The two kinds of envelope, in the words of the payload (0041 §B). */
export type EnvelopeKind = ChatAnswer['kind'];

/** An envelope that fits the fixtures' output schema. */
export function validAnswer(content: boolean): ChatAnswer {
  return { kind: 'valid', content: JSON.stringify({ valid: content }) };
}

/** A refusal whose text holds the run's planted secret. */
export function refusalAnswer(options: Pick<ScenarioOptions, 'seed'>): ChatAnswer {
  return { kind: 'refusal', text: `I cannot help with that. api_key=${plantedSecret(options)}` };
}

/** A secret of this seed that stands nowhere else; it looks like one, for hosts that redact by pattern. */
export function plantedSecret({ seed }: Pick<ScenarioOptions, 'seed'>): string {
  return `sk-${createHash('sha256').update(`refusal-divergence ${seed}`).digest('hex').slice(0, 48)}`;
}

/** The same answer for more calls than a host that asks again and again makes. */
export function always(answer: ChatAnswer): readonly ChatAnswer[] {
  return [answer, answer, answer, answer];
}

/** An answer as an entry of the mock model's program. */
export function programEntry(answer: ChatAnswer): ProgramEntry {
  return answer.kind === 'valid' ? valid(answer.content) : refusal(answer.text);
}
