import type { DeletedFork, ExpiredFork, SecretAt } from '../../policies/governance.ts';
import type { Answer } from '../../types/answers.ts';
import { type Parts, within } from '../mutant.ts';

/** Shows the secrets that fit, and hides all others. */
export function showing(shows: (secret: SecretAt) => boolean): Parts {
  return within('governance', () => ({ hides: (secret) => !shows(secret) }));
}

/** Shows the secrets of replays that fit. */
export function showingInReplays(shows: (secret: SecretAt) => boolean = () => true): Parts {
  return showing((secret) => secret.run.fork?.mode === 'replay' && shows(secret));
}

/** Changes the answers to forks that need expired events; undefined carries the fork out. */
export function answeringExpired(change: (answer: Answer, fork: ExpiredFork) => Answer | undefined): Parts {
  return within('governance', ({ expiredFork }) => ({
    expiredFork: (fork) => {
      const answer = expiredFork(fork);
      return answer === undefined ? undefined : change(answer, fork);
    },
  }));
}

/** Changes the answers to replays that need deleted data; undefined carries the replay out. */
export function answeringDeleted(change: (answer: Answer, fork: DeletedFork) => Answer | undefined): Parts {
  return within('governance', ({ deletedFork }) => ({
    deletedFork: (fork) => {
      const answer = deletedFork(fork);
      return answer === undefined ? undefined : change(answer, fork);
    },
  }));
}

/** An answer with other details, made from those that it has. */
export function withDetails(answer: Answer, change: (details: object) => object): Answer {
  const body = answer.body as { readonly details?: object };
  return { ...answer, body: { ...body, details: change(body.details ?? {}) } };
}
